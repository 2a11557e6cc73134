import { setTimeout as pause } from 'node:timers/promises';
import type { Agent } from 'holdpoint-client';
import type { IntentEvent } from '../../contracts/intent/event.js';
import { askedAt, plannedFor, type ExpectedEvent } from './expectations.js';
import type { LoggedLine } from './printing.js';
import type { Question } from './story.js';

const POLL_MS = 200;

/** Reads the log of an intent, oldest first. */
export async function readLog(reader: Agent, intentId: string): Promise<readonly IntentEvent[]> {
  return (await reader.events(intentId, { limit: 1_000 })).toReversed();
}

/** Hands each line of a question's log to `onLine` as it appears, until the signal is aborted. */
export async function followLog(
  reader: Agent,
  question: Question,
  intentId: string,
  onLine: (line: LoggedLine) => void,
  signal: AbortSignal,
): Promise<void> {
  let seen = 0;
  while (!signal.aborted) {
    const events = await readLog(reader, intentId);
    const askedMs = askedAt(question, events);
    const expected = askedMs === undefined ? [] : plannedFor(question, askedMs, events);
    for (const [index, event] of events.entries()) {
      if (index < seen) continue;
      const sinceAsked = askedMs === undefined ? undefined : Date.parse(event.created_at) - askedMs;
      const { plannedMs } = planOf(event, expected) ?? {};
      onLine({ order: question.order, event, plannedMs, actualMs: sinceAsked });
    }
    seen = Math.max(seen, events.length);
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

function planOf(
  { event_type: type, payload }: IntentEvent,
  expected: readonly ExpectedEvent[],
): ExpectedEvent | undefined {
  const attempt = payload['attempt'];
  return expected.find((plan) => plan.type === type && plan.payload['attempt'] === attempt);
}
