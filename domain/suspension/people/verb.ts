import type { Caller } from '../../../contracts/people/caller.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type {
  SuspensionRecord,
  TimelineEntry,
  TimelineKind,
} from '../../../contracts/suspension/suspension.js';
import type { EventDraft } from '../../intent/entity.js';
import { jsonBytes } from '../../kernel/json.js';
import { isCaller, isObject } from '../../kernel/message-form.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { versionOf } from '../answering/decision.js';
import { checkIsQuestion } from '../asking/pause.js';
import { checkOpen, type SuspensionState } from '../record/state.js';

/** The actions of people on an open question besides answers. Each is an entry of its timeline under this name. */
export const VERBS = [
  'claimed',
  'released',
  'commented',
  'delegated',
  'amended',
] as const satisfies readonly TimelineKind[];
export type Verb = (typeof VERBS)[number];

export interface Doing {
  readonly by: Caller;
  /** The name in its event; it gives no permissions. */
  readonly actor: string;
  readonly separation_of_duties?: boolean;
}

/** The parts of a question by which an action on it is judged. */
export interface Attended {
  /** The state after everything due was settled. */
  readonly state: SuspensionState;
  readonly timeline: readonly TimelineEntry[];
  /** Whether it may be corrected. Approvals and plans may not, because they know the facts that they ask about. */
  readonly isAmendable: boolean;
  readonly asker: string;
  /** The asker's principal, its other name, and the user on whose behalf it asks. */
  readonly askers: readonly string[];
}

export interface Deed {
  readonly state: SuspensionState;
  /** The entry for its timeline and its intent's log; absent if there is nothing to record. */
  readonly entry?: readonly [verb: Verb, detail: JsonObject];
}

/** Refuses `suspension_settled`, and `reason_mismatch` for a pause, which waits for no person. */
export function checkIsOpenQuestion(
  state: Pick<SuspensionState, 'intent_id' | 'record'>,
): Ruling<true> {
  const open = checkOpen(state);
  return open.ok ? checkIsQuestion(state.record) : open;
}

/** Refuses `question_version_mismatch` for a version of the question that is not the current one. */
export function checkIsVersion(record: SuspensionRecord, version?: number): Ruling<true> {
  const current = versionOf(record);
  if (version === undefined || version === current) return ok(true);
  return refuse('question_version_mismatch', `Version ${version} is not the current one.`, {
    field: 'question_version',
    accepted: String(current),
    state: { question_version: current },
  });
}

/** Refuses `already_voted` to somebody who has answered, because others rely on that answer. */
export function checkHasNotVoted({ votes }: SuspensionState, principal: string): Ruling<true> {
  const own = votes?.find(({ vote }) => vote.principal === principal);
  if (own === undefined) return ok(true);
  const { value, counted_at } = own.vote;
  return refuse('already_voted', 'This principal has answered already.', {
    accepted: 'somebody who has not answered yet',
    state: { value, counted_at },
  });
}

/** Refuses `too_many_changes` if the timeline has no room for one more entry like this. */
export function checkRoom(timeline: readonly TimelineEntry[], detail: JsonObject): Ruling<true> {
  const kept = timeline.filter(({ kind }) => VERBS.some((verb) => verb === kind));
  if (jsonBytes(kept) + jsonBytes(detail) <= LIMITS.verbsBytes) return ok(true);
  return refuse('too_many_changes', 'The timeline of the question has no room for more.', {
    accepted: `at most ${LIMITS.verbsBytes} bytes of JSON for all that is done to a question`,
  });
}

export function isDoing(message: unknown): message is Doing {
  if (!isObject(message) || !isCaller(message['by'])) return false;
  const { actor, separation_of_duties: separate } = message;
  return typeof actor === 'string' && (separate === undefined || typeof separate === 'boolean');
}

/** The types of the events about people's actions on an open question. */
export const VERB_EVENTS = VERBS.map((verb) => `intent.suspension_${verb}` as const);

/** An event about an action on an open question, with the principal of the action. */
export type VerbEvent = EventDraft & { readonly principal: string };

/** Returns `intent.suspension_claimed` and the like; the payload repeats the entry of the timeline. */
export function verbEvent(
  suspensionId: string,
  [verb, detail]: NonNullable<Deed['entry']>,
  { by, actor }: Doing,
): VerbEvent {
  return {
    event_type: `intent.suspension_${verb}`,
    actor,
    principal: by.principal,
    payload: { suspension_id: suspensionId, ...detail },
  };
}
