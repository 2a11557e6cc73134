import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { earliness, type Lateness } from './lateness.js';
import { ATTEMPTS, type Question } from './story.js';

/** What one line of the log must be; of the payload only what is named here is compared. */
export interface ExpectedEvent {
  readonly type: string;
  readonly payload: JsonObject;
  /** Milliseconds after the moment of asking, or by when at the latest; undefined where a person or agent decides. */
  readonly plannedMs?: number;
}

const stepMs = ({ intervalSeconds }: Question): number => intervalSeconds * 1_000;
const endMs = (question: Question): number => ATTEMPTS * stepMs(question);

/** The moment of asking, from the total deadline that `intent.suspended` tells; milliseconds. */
export function askedAt(question: Question, events: readonly IntentEvent[]): number | undefined {
  const deadline = events.find((event) => event.event_type === 'intent.suspended')?.payload[
    'expires_at'
  ];
  return typeof deadline === 'string' ? Date.parse(deadline) - endMs(question) : undefined;
}

/** The attempt in which the operator answers, unless the machine is too busy for that. */
const ANSWERED_IN = 2;

/** The last attempt of which a log tells. An answer on a busy machine may be later than the reminder that follows. */
function answeredIn(events: readonly IntentEvent[]): number {
  const told = events.map(({ payload }) => Number(payload['attempt'] ?? ANSWERED_IN));
  return Math.min(Math.max(ANSWERED_IN, ...told), ATTEMPTS);
}

/** The whole log of a question's intent, oldest first, that was asked at `askedMs` and, if at all, answered in this attempt. */
export function expectedEvents(
  question: Question,
  askedMs: number,
  answered = ANSWERED_IN,
): readonly ExpectedEvent[] {
  const opening: ExpectedEvent[] = [
    { type: 'intent_created', payload: {} },
    {
      type: 'intent.suspended',
      payload: { question: `Should we refund order #${question.order}?`, channel_hint: 'slack' },
      plannedMs: 0,
    },
    ...reminder(question, askedMs, 2, 'email', null),
  ];
  if (question.answer !== undefined) {
    const payload = { value: question.answer, responded_by: 'dev-operator', attempt: answered };
    const resumed = { type: 'intent.resumed', payload };
    if (answered === ANSWERED_IN) return [...opening, resumed];
    return [
      ...opening,
      ...lastReminder(question, askedMs),
      { ...resumed, plannedMs: ANSWERED_IN * stepMs(question) },
    ];
  }
  const expired = {
    reason: 'attempts_exhausted',
    attempts: ATTEMPTS,
    fallback_policy: 'complete_with_fallback',
    fallback_value: question.result,
  };
  return [
    ...opening,
    ...lastReminder(question, askedMs),
    { type: 'intent.suspension_expired', payload: expired, plannedMs: endMs(question) },
    { type: 'status_changed', payload: { status: 'active' }, plannedMs: endMs(question) },
  ];
}

function lastReminder(question: Question, askedMs: number): readonly ExpectedEvent[] {
  return reminder(question, askedMs, ATTEMPTS, 'pagerduty', 'supervisor@example.com');
}

function reminder(
  question: Question,
  askedMs: number,
  attempt: number,
  channel: string,
  to: string | null,
): readonly ExpectedEvent[] {
  const step = stepMs(question);
  const plannedMs = (attempt - 1) * step;
  const next = attempt < ATTEMPTS ? new Date(askedMs + plannedMs + step).toISOString() : null;
  const both = { attempt, channel_hint: channel };
  return [
    {
      type: 'intent.suspension_renotified',
      payload: { ...both, max_attempts: ATTEMPTS, notify_to: to, next_attempt_at: next },
      plannedMs,
    },
    { type: 'intent.suspension_escalated', payload: { ...both, escalated_to: to }, plannedMs },
  ];
}

/** What must be in a log, by how late its answer came. */
export function plannedFor(
  question: Question,
  askedMs: number,
  events: readonly IntentEvent[],
): readonly ExpectedEvent[] {
  return expectedEvents(question, askedMs, answeredIn(events));
}

/** The first way in which a log, oldest first, is not as expected, lateness apart; undefined where there is none. */
export function firstDifference(
  question: Question,
  events: readonly IntentEvent[],
): string | undefined {
  const askedMs = askedAt(question, events);
  if (askedMs === undefined) return `order ${question.order}: no intent.suspended in the log`;
  const expected = plannedFor(question, askedMs, events);
  const count = Math.max(expected.length, events.length);
  for (let index = 0; index < count; index += 1) {
    const found = differenceAt(expected[index], events[index], askedMs);
    if (found !== undefined) return `order ${question.order}, line ${index + 1}: ${found}`;
  }
  return undefined;
}

function latenessOf({ created_at }: IntentEvent, askedMs: number, plannedMs: number): number {
  return Date.parse(created_at) - askedMs - plannedMs;
}

/** Looks at how late each line came of a log that is otherwise as expected. */
export function seeLateness(
  question: Question,
  events: readonly IntentEvent[],
  late: Lateness,
): void {
  const askedMs = askedAt(question, events);
  if (askedMs === undefined) return;
  const expected = plannedFor(question, askedMs, events);
  for (const [index, { type, plannedMs }] of expected.entries()) {
    const event = events[index];
    if (event === undefined || plannedMs === undefined) continue;
    late.see(`order ${question.order}, ${type}`, latenessOf(event, askedMs, plannedMs));
  }
}

function differenceAt(
  expected: ExpectedEvent | undefined,
  event: IntentEvent | undefined,
  askedMs: number,
): string | undefined {
  if (expected === undefined) return `${event?.event_type ?? ''} is one line too many`;
  if (event === undefined) return `${expected.type} is missing`;
  if (event.event_type !== expected.type) return `${event.event_type} in place of ${expected.type}`;
  for (const [name, value] of Object.entries(expected.payload)) {
    const actual: JsonValue | undefined = event.payload[name];
    if (JSON.stringify(actual) !== JSON.stringify(value)) {
      return `${expected.type}.${name} is ${JSON.stringify(actual)}, not ${JSON.stringify(value)}`;
    }
  }
  if (expected.plannedMs === undefined) return undefined;
  return earliness(expected.type, latenessOf(event, askedMs, expected.plannedMs));
}
