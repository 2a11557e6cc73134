import type { Sent } from '../../contracts/people/caller.js';
import type { Intent, StatePatch, StatusRequest } from '../../contracts/intent/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import type { QuestionFindings, SettledRecord } from '../../contracts/suspension/suspension.js';
import {
  changeState,
  changeStatus,
  checkOpen,
  movedTo,
  patched,
  type IntentChange,
} from '../intent/entity.js';
import { SUSPENSION_SLOT, applyPatches, slotOf } from '../intent/state-patch.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';
import { ok } from '../kernel/ruling.js';
import { shortened } from '../kernel/text.js';
import { toInstant } from '../kernel/time.js';
import { authorize } from '../policy/authorize.js';
import { openingEvents } from '../suspension/record/events.js';
import { settlementOf } from '../suspension/record/state.js';
import { claimsIn, claimsOf, patchesWriting, withoutClaims } from './claims.js';
import { isServersRecord, judgeRecord, readForms, type KnownQuestions } from './record-rule.js';
import { submittedFindings } from './submitted-rule.js';
import {
  submittedQuestion,
  type SubmittedLimits,
  type SubmittedQuestion,
} from './submitted-question.js';

const SUSPENDED = 'suspended_awaiting_input';

/** The result of a write that may ask a question, or withdraw the open one instead of a change. */
export interface AskChange extends IntentChange {
  readonly opens?: SubmittedQuestion & { readonly findings?: QuestionFindings };
  readonly withdraws?: WrittenWithdrawal;
  /** The fields with which the new question claimed an answer; they are not in the state. */
  readonly dropped?: readonly string[];
}

export interface AskWrite extends Sent, KnownQuestions {
  readonly asker?: string | undefined;
  /** The API's findings about a question that the write may ask. */
  readonly warnings?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly maxBytes: number;
  readonly limits: SubmittedLimits;
}

function openRecordIn(slot: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(slot)) return undefined;
  const { resolution } = slot;
  return resolution === undefined || resolution === null ? slot : undefined;
}

function withQuestion(
  change: AskChange,
  asked: SubmittedQuestion,
  { actor, warnings }: AskWrite,
): AskChange {
  const { record, schedule } = asked;
  const findings = submittedFindings(record, warnings);
  return {
    ...change,
    events: [...change.events, ...openingEvents(record, schedule, actor, { findings })],
    opens: { ...asked, ...(Object.keys(findings).length > 0 && { findings }) },
  };
}

/**
 * Writes a status through the OpenIntent API, whose clients suspend with two writes in either order: a status, and a
 * record in the state. A draft or active intent is suspended, with the question in its state or waiting for one;
 * while it waits, it may become active again. Refuses `invalid_patch` for a record that cannot be asked, because
 * readers would take it for an open question. Other writes follow the usual rules.
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
    return question.ok ? ok(withQuestion(change, question.value, write)) : question;
  }
  if (status === 'active' && waits) return ok(movedTo(intent, status, actor, at, reason));
  return changeStatus(intent, request, actor, at);
}

/**
 * Writes the state through the OpenIntent API, where `judgeRecord` decides what clients may write to `_suspension`.
 * On an intent that waits for its question, the record is that question. The asker or an admin withdraws an open
 * question with the resolution `cancelled`. Refuses `invalid_patch`, also for a question that cannot be asked, and
 * `forbidden`.
 */
export function writeState(
  intent: Intent,
  patches: readonly StatePatch[],
  write: AskWrite,
): Ruling<AskChange> {
  const open = checkOpen(intent);
  if (!open.ok) return open;
  const { actor, now, questionIsOpen, maxBytes, limits } = write;
  const withdraws = questionIsOpen ? writtenWithdrawal(intent, patches) : undefined;
  if (withdraws) {
    const { by, asker } = write;
    const allowed = authorize(by, 'cancelSuspension', { asker });
    return allowed.ok ? ok({ intent, events: [], withdraws }) : allowed;
  }
  const written = applyPatches(intent.state, patches, { maxBytes, slotIsOpen: true });
  if (!written.ok) return written;
  const before = slotOf(intent);
  const sent = slotOf({ state: written.value });
  const record = judgeRecord(before, sent, write);
  if (!record.ok) return record;
  const after = record.value;
  const logged = loggedOf(before, after, patches, write);
  const state = withRecord(written.value, after);
  const plain = patched(intent, state, logged.patches, actor, toInstant(now));
  const dropped = [...new Set([...droppedFrom(sent, after), ...logged.claimed])];
  const change: AskChange = dropped.length > 0 ? { ...plain, dropped } : plain;
  const isKept = isServersRecord(after, write) || !patches.some(({ path }) => writesSlot(path));
  if (intent.status !== SUSPENDED || after === undefined || (isKept && jsonEqual(before, after))) {
    return ok(change);
  }
  const question = submittedQuestion(after, now, limits);
  return question.ok ? ok(withQuestion(change, question.value, write)) : question;
}

/** Writes the state through an API whose clients may not change `_suspension`. Refuses as `changeState` does. */
export function writePlainState(
  intent: Intent,
  patches: readonly StatePatch[],
  { actor, now, maxBytes, ...known }: Omit<AskWrite, 'limits'>,
): Ruling<IntentChange> {
  const at = toInstant(now);
  const strict = changeState(intent, patches, actor, at, maxBytes);
  if (strict.ok || strict.refusal.code !== 'invalid_patch') return strict;
  const written = applyPatches(intent.state, patches, { maxBytes, slotIsOpen: true });
  const before = slotOf(intent);
  if (!written.ok || before === undefined) return strict;
  const sent = slotOf({ state: written.value });
  const kept = judgeRecord(before, sent, known);
  if (!kept.ok || !jsonEqual(kept.value, before)) return strict;
  if (droppedFrom(sent, kept.value).length > 0) return strict;
  const logged = loggedOf(before, before, patches, known);
  return ok(patched(intent, withRecord(written.value, before), logged.patches, actor, at));
}

function loggedOf(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  patches: readonly StatePatch[],
  known: KnownQuestions,
) {
  const genuine = isServersRecord(before, known) ? readForms(before) : [];
  const { claimed, isLoggedAsSent } = claimsOf(patches, genuine);
  return { patches: isLoggedAsSent ? patches : patchesWriting(after, patches), claimed };
}

function droppedFrom(sent: JsonValue | undefined, kept: JsonValue | undefined): readonly string[] {
  const own = claimsIn(kept);
  return claimsIn(sent).filter((name) => !own.includes(name));
}

function withRecord(state: JsonObject, record: JsonValue | undefined): JsonObject {
  return record === undefined ? state : { ...state, [SUSPENSION_SLOT]: record };
}

/** Settles a question (see `endSuspension`) but keeps the fields of the record as the agent wrote them. */
export function keepSubmitted(
  asked: JsonValue | undefined,
  record: SettledRecord,
  { intent, events }: IntentChange,
): IntentChange {
  const submitted = isObject(asked) ? withoutClaims(asked) : {};
  const _suspension = { ...submitted, ...settlementOf(record) } as JsonObject;
  return { intent: { ...intent, state: { ...intent.state, _suspension } }, events };
}

export interface WrittenWithdrawal {
  readonly suspension_id: string;
  readonly reason?: string;
}

/**
 * Returns the withdrawal of the open question if a state write is one. It may change nothing else, because state and
 * question cannot change in one step.
 */
function writtenWithdrawal(
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
