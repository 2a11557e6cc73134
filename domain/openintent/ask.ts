import type { Intent, StatePatch, StatusRequest } from '../../contracts/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { SettledRecord } from '../../contracts/suspension.js';
import { changeStatus, checkOpen, movedTo, patched } from '../intent/entity.js';
import type { IntentChange } from '../intent/entity.js';
import { SUSPENSION_SLOT, applyPatches, slotOf } from '../intent/state-patch.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { shortened } from '../kernel/text.js';
import { toInstant } from '../kernel/time.js';
import { openingEvents } from '../suspension/events.js';
import { settlementOf } from '../suspension/state.js';
import { submittedQuestion } from './submitted-question.js';
import type { SubmittedLimits, SubmittedQuestion } from './submitted-question.js';

const SUSPENDED = 'suspended_awaiting_input';

/** A write that may put a question (wire contract §3.2); `opens` is the question that it completes. */
export interface AskChange extends IntentChange {
  readonly opens?: SubmittedQuestion;
}

/** What such a write is judged by. */
export interface AskWrite {
  /** The name in the events. */
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether a suspension runs for the intent. */
  readonly questionIsOpen: boolean;
  /** Bytes of state at most. */
  readonly maxBytes: number;
  readonly limits: SubmittedLimits;
}

/** The record that the state holds of a question that is not settled, if it holds one. */
function openRecordIn(slot: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(slot)) return undefined;
  const { resolution } = slot;
  return resolution === undefined || resolution === null ? slot : undefined;
}

function withQuestion(change: IntentChange, opens: SubmittedQuestion, actor: string): AskChange {
  const { record, schedule } = opens;
  return {
    ...change,
    events: [...change.events, ...openingEvents(record, schedule, actor)],
    opens,
  };
}

/**
 * A status write of the OpenIntent-compatible door. An intent in draft or active suspends, with the
 * question that its state holds, or else to wait for one (`invalid_patch` where it holds a record with an id
 * that cannot be asked, for everybody would take it for an open one); while it waits for one it may go on again, or say
 * once more that it suspends. All else is ruled as everywhere.
 */
export function writeStatus(
  intent: Intent,
  request: StatusRequest,
  write: AskWrite,
): Ruling<AskChange> {
  const { actor, now, questionIsOpen, limits } = write;
  const at = toInstant(now);
  const { status, reason } = request;
  const waits = intent.status === SUSPENDED && !questionIsOpen;
  const mayAsk = waits || intent.status === 'draft' || intent.status === 'active';
  if (status === SUSPENDED && mayAsk) {
    const change = movedTo(intent, status, actor, at, reason);
    const record = openRecordIn(intent.state[SUSPENSION_SLOT]);
    if (typeof record?.['id'] !== 'string') return ok(change);
    const question = submittedQuestion(record, now, limits);
    return question.ok ? ok(withQuestion(change, question.value, actor)) : question;
  }
  if (status === 'active' && waits) return ok(movedTo(intent, status, actor, at, reason));
  return changeStatus(intent, request, actor, at);
}

/**
 * A state write of the same door, which may write `_suspension`: the question that a suspended intent waits
 * for, or plain state of any other intent. The record of an open question does not change by it; that
 * `responded` and `expired` are not for clients to write is refused as `invalid_patch`, as is a question
 * that cannot be asked.
 */
export function writeState(
  intent: Intent,
  patches: readonly StatePatch[],
  write: AskWrite,
): Ruling<AskChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const { actor, now, questionIsOpen, maxBytes, limits } = write;
  const state = applyPatches(intent.state, patches, { maxBytes, slotIsOpen: true });
  if (!state.ok) return state;
  const change = patched(intent, state.value, patches, actor, toInstant(now));
  const [before, after] = [intent, { state: state.value }].map(slotOf);
  if (intent.status !== SUSPENDED || jsonEqual(before, after)) return ok(change);
  const fault = resolutionFault(after, questionIsOpen);
  if (fault !== undefined) return refuse('invalid_patch', fault, { field: '_suspension' });
  if (after === undefined) return ok(change);
  const question = submittedQuestion(after, now, limits);
  return question.ok ? ok(withQuestion(change, question.value, actor)) : question;
}

/** Why the slot of a suspended intent cannot become this. */
function resolutionFault(after: JsonValue | undefined, isOpen: boolean): string | undefined {
  const resolution = isObject(after) ? (after['resolution'] ?? null) : null;
  if (resolution === 'responded' || resolution === 'expired') {
    return `Only the server settles a question as ${resolution}.`;
  }
  if (isOpen)
    return 'The record of an open question does not change; its resolution may be "cancelled", in a write of its own.';
  return resolution === null ? undefined : 'There is no open question to settle.';
}

/** The end of a question (`endSuspension`), with its record as the agent has given it. */
export function keepSubmitted(
  asked: JsonValue | undefined,
  record: SettledRecord,
  { intent, events }: IntentChange,
): IntentChange {
  const submitted = isObject(asked) ? asked : {};
  const _suspension = { ...submitted, ...settlementOf(record) } as JsonObject;
  return { intent: { ...intent, state: { ...intent.state, _suspension } }, events };
}

/** A withdrawal by writing (wire contract §3.2): of which question, and why. */
interface WrittenWithdrawal {
  readonly suspension_id: string;
  readonly reason?: string;
}

/**
 * Whether a state write withdraws the open question: it leaves a record of the same id, whole or
 * shortened (AM-45), with the resolution `cancelled`, and writes nothing else, for the question and the state are not settled in one step.
 */
export function writtenWithdrawal(
  intent: Intent,
  patches: readonly StatePatch[],
): WrittenWithdrawal | undefined {
  if (intent.status !== SUSPENDED || !patches.every(({ path }) => writesSlot(path)))
    return undefined;
  const id = openRecordIn(slotOf(intent))?.['id'];
  const state = applyPatches(intent.state, patches, { maxBytes: Infinity, slotIsOpen: true });
  const after = state.ok ? slotOf({ state: state.value }) : undefined;
  if (typeof id !== 'string' || !isObject(after)) return undefined;
  const written = after['id'] ?? id;
  if (after['resolution'] !== 'cancelled' || (written !== id && written !== shortened(id))) {
    return undefined;
  }
  const { reason } = after;
  return {
    suspension_id: id,
    ...(typeof reason === 'string' && reason !== '' && { reason }),
  };
}

/** Whether a patch's path leads into the SuspensionRecord. */
export function writesSlot(path: string): boolean {
  return path.split('/').find((part) => part !== '') === SUSPENSION_SLOT;
}
