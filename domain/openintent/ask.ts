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

/** The result of a write that may ask a question. `opens` is the question to open. */
export interface AskChange extends IntentChange {
  readonly opens?: SubmittedQuestion;
}

/** The circumstances of such a write. */
export interface AskWrite {
  /** The principal for the events. */
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the intent has a running suspension. */
  readonly questionIsOpen: boolean;
  /** The limit for the state. */
  readonly maxBytes: number;
  readonly limits: SubmittedLimits;
}

/** Returns the record in the slot if it is not settled. */
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
 * Writes a status through the OpenIntent API, whose clients suspend with two writes: a status and a record in
 * the state, in either order. A draft or active intent is suspended, with the question in its state or, if
 * there is none, to wait for one. Refuses `invalid_patch` if the state contains a record that cannot be
 * asked, because every reader would take it for an open question. While the intent waits for its question, it
 * may become active again or be suspended once more. Other writes follow the rules of all intents.
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
 * Writes the state through the OpenIntent API, where clients may write `_suspension`. On a suspended intent
 * that waits for its question, the record is that question. On other intents it is plain state. Refuses
 * `invalid_patch` for a change to the record of an open question, for the resolutions `responded` and
 * `expired`, which only the server sets, and for a question that cannot be asked.
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

/** Says why a suspended intent cannot have this record, or returns undefined. */
function resolutionFault(after: JsonValue | undefined, isOpen: boolean): string | undefined {
  const resolution = isObject(after) ? (after['resolution'] ?? null) : null;
  if (resolution === 'responded' || resolution === 'expired') {
    return `Only the server settles a question as ${resolution}.`;
  }
  if (isOpen)
    return 'The record of an open question does not change; its resolution may be "cancelled", in a write of its own.';
  return resolution === null ? undefined : 'There is no open question to settle.';
}

/** Settles a question (see `endSuspension`) but keeps the fields of the record as the agent wrote them. */
export function keepSubmitted(
  asked: JsonValue | undefined,
  record: SettledRecord,
  { intent, events }: IntentChange,
): IntentChange {
  const submitted = isObject(asked) ? asked : {};
  const _suspension = { ...submitted, ...settlementOf(record) } as JsonObject;
  return { intent: { ...intent, state: { ...intent.state, _suspension } }, events };
}

/** A withdrawal by a state write: the question and the reason. */
interface WrittenWithdrawal {
  readonly suspension_id: string;
  readonly reason?: string;
}

/**
 * Returns the withdrawal of the open question if a state write is one. It has to leave a record with the same
 * id, whole or shortened, and the resolution `cancelled`. It must not write anything else, because the state
 * and the question cannot be changed in one step.
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

/** Whether the path of a patch leads into the record of a question. */
export function writesSlot(path: string): boolean {
  return path.split('/').find((part) => part !== '') === SUSPENSION_SLOT;
}
