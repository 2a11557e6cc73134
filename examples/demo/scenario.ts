import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, Operator } from 'holdpoint-client';
import type { Stack } from '../../service/stack.js';
import { startAgent, type Asked } from './agent-process.js';
import { firstDifference, seeLateness } from './expectations.js';
import { followLog, readLog } from './follow.js';
import type { Lateness } from './lateness.js';
import { keyOf } from './on-stack.js';
import type { LoggedLine, Printer } from './printing.js';
import type { Question } from './story.js';

/** Long enough for the first messages to be out, and well before the first reminder. */
const KILL_AFTER_MS = 1_000;

/**
 * Plays the story of these questions on a running stack and checks it. Resolves with the first difference between what
 * happened and what had to happen, or with undefined.
 *
 * @throws the signal's reason where it is aborted first; what an agent or the API failed with
 */
export async function playStory(
  stack: Stack,
  printer: Printer,
  questions: readonly Question[],
  late: Lateness,
  signal: AbortSignal,
): Promise<string | undefined> {
  const follow = new AbortController();
  const parts = questions.map((question) =>
    playQuestion(stack, printer, question, late, follow.signal),
  );
  const aborted = once(signal, 'abort').then(() => Promise.reject(signal.reason as Error));
  try {
    const asked = Promise.all(parts.map((part) => part.asked)).then(() => crash(stack, printer));
    const outcomes = Promise.all(parts.map((part) => part.difference));
    const [differences] = await Promise.race([Promise.all([outcomes, asked]), aborted]);
    return differences.find((difference) => difference !== undefined);
  } finally {
    follow.abort();
    for (const part of parts) part.stop();
  }
}

interface Part {
  readonly asked: Promise<Asked>;
  readonly difference: Promise<string | undefined>;
  readonly stop: () => void;
}

function playQuestion(
  stack: Stack,
  printer: Printer,
  question: Question,
  late: Lateness,
  signal: AbortSignal,
): Part {
  const reader = new Agent({ baseUrl: stack.apiUrl, apiKey: keyOf(stack, 'agent') });
  const agent = startAgent({
    HOLDPOINT_URL: stack.apiUrl,
    HOLDPOINT_API_KEY: keyOf(stack, 'agent'),
    REFUND_ORDER: question.order,
    REFUND_INTERVAL_SECONDS: String(question.intervalSeconds),
  });
  const play = async (): Promise<string | undefined> => {
    const asked = await agent.asked;
    const shown: LoggedLine[] = [];
    const done = new AbortController();
    const answers: Promise<void>[] = [];
    const onLine = (line: LoggedLine): void => {
      printer.logged(line);
      shown.push(line);
      if (isSecondAttempt(line)) answers.push(answer(stack, printer, question, asked));
    };
    const until = AbortSignal.any([signal, done.signal]);
    const following = followLog(reader, question, asked.intentId, onLine, until);
    const result = await Promise.race([agent.result, following.then(() => 'nothing')]);
    await Promise.all(answers);
    const events = await readLog(reader, asked.intentId);
    while (shown.length < events.length && !until.aborted) await pause(50);
    done.abort();
    await following;
    printer.note(`the agent of order ${question.order} goes on with ${result}`);
    return compare(question, shown, events, result, late);
  };
  return { asked: agent.asked, difference: play(), stop: agent.kill };
}

function isSecondAttempt({ event }: LoggedLine): boolean {
  return event.event_type === 'intent.suspension_escalated' && event.payload['attempt'] === 2;
}

async function answer(
  stack: Stack,
  printer: Printer,
  { order, answer: value }: Question,
  asked: Asked,
): Promise<void> {
  if (value === undefined) return;
  const operator = new Operator({ baseUrl: stack.apiUrl, apiKey: keyOf(stack, 'operator') });
  printer.note(`an operator answers order ${order} over HTTP: ${value}`);
  await operator.respond(asked.intentId, { suspension_id: asked.suspensionId, value });
}

async function crash(stack: Stack, printer: Printer): Promise<void> {
  await pause(KILL_AFTER_MS);
  printer.note(`the worker (${stack.pids().worker ?? 'down'}) is killed while both questions wait`);
  await stack.kill('worker', 'SIGKILL');
  await stack.untilUp('worker');
  printer.note(`the worker runs again (${stack.pids().worker ?? 'down'})`);
}

/** What was shown against what the log says now, the log against the plan, the agent's value. */
function compare(
  question: Question,
  shown: readonly LoggedLine[],
  events: Awaited<ReturnType<typeof readLog>>,
  result: string,
  late: Lateness,
): string | undefined {
  const listed = JSON.stringify(shown.map(({ event }) => event));
  if (listed !== JSON.stringify(events)) {
    return `order ${question.order}: the log is not what was shown while it was written`;
  }
  const difference = firstDifference(question, events);
  if (difference !== undefined) return difference;
  seeLateness(question, events, late);
  if (result === JSON.stringify(question.result)) return undefined;
  return `order ${question.order}: the agent got ${result}, not "${question.result}"`;
}
