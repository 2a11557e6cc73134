import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { IntentEvent, VerifyReport } from '../../contracts/intent/event.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import type { ChaosAgents } from './chaos-agents.js';
import type { Caller } from './chaos-calls.js';

/** One question, and what its clients were told. */
export interface Asked {
  /** Undefined if the question holds up no intent. */
  readonly intentId: string | undefined;
  /** The workflow of the agent that asked in it, if one did. */
  readonly workflowId: string | undefined;
  readonly suspensionId: string;
  /** The value of an answer that was accepted, as its sender was told. */
  readonly accepted: readonly string[];
}

/** The callers of both sides. */
export interface Sides {
  readonly agent: Caller;
  readonly operator: Caller;
  readonly workflows: ChaosAgents;
}

/** A random number from 0 to 1, of a sequence that can be repeated. */
export type Random = () => number;

/** Most answers are sent within half a second of the expiry, some to each side of it. */
function answerAfter(expiresAt: string, random: Random): number {
  const near = random() < 0.8 ? -500 + random() * 600 : -1_500 * random();
  return Math.max(0, Date.parse(expiresAt) + near - Date.now());
}

const FALLBACKS = [
  { fallback_policy: 'fail' },
  { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' },
] as const;

async function createIntent(agent: Caller): Promise<string> {
  const intent = { title: 'Refund', status: 'active' };
  const created = await agent.send('POST', '/v1/intents', intent, randomUUID());
  return (created.body as Intent).id;
}

const CHOICES = ['approve', 'deny'].map((value) => ({ value, label: value }));

function questionBy(random: Random) {
  const reminded = random() < 0.3;
  const window = 2 + Math.floor(random() * 4);
  return {
    question: 'Refund?',
    choices: CHOICES,
    ...(reminded
      ? { retry_policy: { max_attempts: 2, interval_seconds: Math.ceil(window / 2) } }
      : { timeout_seconds: window }),
    ...FALLBACKS[random() < 0.5 ? 0 : 1],
  };
}

/**
 * Asks a question that soon expires, in the workflow of an agent, for an intent of its own or for nobody, and answers it
 * near its end, or not at all.
 */
export async function askAndAnswer(sides: Sides, random: Random): Promise<Asked> {
  const question = questionBy(random);
  const kind = random();
  const asked =
    kind < 0.25
      ? { intentId: undefined, ...(await sides.workflows.ask(question)) }
      : await askOverHttp(sides.agent, kind < 0.8 ? await createIntent(sides.agent) : undefined, {
          ...question,
          request_key: randomUUID(),
        });
  const senders = random() < 0.2 ? 0 : random() < 0.5 ? 1 : 2;
  const values = ['approve', 'deny'].slice(0, senders);
  const sent = values.map((value) => answer(sides.operator, asked, value, random));
  return { ...asked, accepted: (await Promise.all(sent)).flat() };
}

type Question = Omit<Asked, 'accepted'>;

async function askOverHttp(
  agent: Caller,
  intentId: string | undefined,
  question: object,
): Promise<Question> {
  const path = intentId === undefined ? '/v1/suspensions' : `/v1/intents/${intentId}/suspend`;
  const { status, body } = await agent.send('POST', path, question);
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return { intentId, workflowId: undefined, suspensionId: (body as SuspensionView).id };
}

/** A question, once it is there: its agent may have asked for it a moment ago. */
async function openedQuestion(operator: Caller, suspensionId: string): Promise<SuspensionView> {
  for (let looks = 0; ; looks += 1) {
    const { status, body } = await operator.send('GET', `/v1/suspensions/${suspensionId}`);
    if (status === 200) return body as SuspensionView;
    if (looks > 300) throw new Error(`${suspensionId}: ${status} ${JSON.stringify(body)}`);
    await pause(100);
  }
}

/** Sends an answer near the expiry; gives its value if it was accepted. */
async function answer(
  operator: Caller,
  { intentId, suspensionId }: Question,
  value: string,
  random: Random,
): Promise<readonly string[]> {
  const { record } = await openedQuestion(operator, suspensionId);
  await pause(answerAfter(record.expires_at ?? '', random));
  const [to, sent] =
    intentId === undefined
      ? [`/v1/suspensions/${suspensionId}/respond`, { value }]
      : [`/v1/intents/${intentId}/suspend/respond`, { suspension_id: suspensionId, value }];
  const reply = await operator.send('POST', to, sent, randomUUID());
  return reply.status === 200 ? [value] : [];
}

const ENDS = ['intent.resumed', 'intent.suspension_expired', 'intent.suspension_cancelled'];

/** What is wrong with a question after everything has calmed down; empty where nothing is. */
export async function faultsOf(
  { intentId, workflowId, suspensionId, accepted }: Asked,
  { operator, workflows }: Sides,
): Promise<readonly string[]> {
  const wait = `/v1/suspensions/${suspensionId}/wait?timeout_seconds=20`;
  const { state, record } = (await operator.send('GET', wait)).body as SuspensionView;
  const faults = [
    state !== 'settled' && `it is ${state}`,
    accepted.length > 1 && `${accepted.length} answers were accepted`,
    accepted.some((value) => value !== record.response) && `${accepted.join()} was lost`,
    workflowId !== undefined && (await faultOfAgent(workflowId, record, workflows)),
    ...(await brokenIn(`/v1/suspensions/${suspensionId}/timeline`, operator)),
    ...(intentId === undefined ? [] : await faultsOfLog(intentId, operator)),
  ].filter((fault) => fault !== false);
  return faults.map(
    (fault) => `${suspensionId} of ${intentId ?? workflowId ?? 'nobody'}: ${fault}`,
  );
}

/** Whether the agent goes on with anything but what its question came to. */
async function faultOfAgent(
  workflowId: string,
  { resolution, response, fallback_policy, fallback_value }: SuspensionView['record'],
  workflows: ChaosAgents,
): Promise<string | false> {
  const outcome = await workflows.outcomeOf(workflowId);
  const got = Array.isArray(outcome) ? outcome[0] : outcome;
  const unanswered = fallback_policy === 'fail' ? 'timeout' : fallback_value;
  const expected = resolution === 'responded' ? response : unanswered;
  return (
    got !== expected && `its agent got ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`
  );
}

async function faultsOfLog(intentId: string, operator: Caller): Promise<readonly string[]> {
  const events = await settledLog(intentId, operator);
  const ends = events.map(({ event_type }) => event_type).filter((type) => ENDS.includes(type));
  const sequences = new Set(events.map(({ sequence }) => sequence));
  const faults = [
    ends.length !== 1 && `it ended as ${ends.join(', ') || 'nothing'}`,
    sequences.size !== events.length && 'events are doubled',
    ...(await brokenIn(`/v1/intents/${intentId}/events`, operator)),
  ];
  return faults.filter((fault) => fault !== false);
}

/** How the chain of a log is broken, if it is. */
async function brokenIn(log: string, operator: Caller): Promise<readonly string[]> {
  const { chain_valid, breaks } = (await operator.send('GET', `${log}/verify`))
    .body as VerifyReport;
  return chain_valid ? [] : [`the chain of ${log} is broken: ${JSON.stringify(breaks)}`];
}

/** Which of the questions the inbox still shows as open, at most three minutes later: the reconciler comes every minute. */
export async function shownAsOpen(
  asked: readonly Asked[],
  { operator }: Sides,
): Promise<readonly string[]> {
  const ids = new Set(asked.map(({ suspensionId }) => suspensionId));
  for (let looks = 0; ; looks += 1) {
    const { body } = await operator.send('GET', '/v1/suspensions?state=pending&limit=100');
    const { suspensions } = body as { readonly suspensions: readonly { readonly id: string }[] };
    const shown = suspensions.map(({ id }) => id).filter((id) => ids.has(id));
    if (shown.length === 0 || looks > 90) return shown;
    await pause(2_000);
  }
}

/** The log once it holds the end of the question, at most a minute later. */
async function settledLog(intentId: string, operator: Caller): Promise<readonly IntentEvent[]> {
  for (let looks = 0; ; looks += 1) {
    const path = `/v1/intents/${intentId}/events?limit=100`;
    const { body } = await operator.send('GET', path);
    const { events } = body as { readonly events: readonly IntentEvent[] };
    const isOver = events.some(({ event_type }) => ENDS.includes(event_type));
    if (isOver || looks > 30) return events;
    await pause(2_000);
  }
}
