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
import { checkOpen } from '../record/state.js';
import type { SuspensionState } from '../record/state.js';

/** The actions of people on an open question besides answers. Each is an entry of its timeline under this name. */
export const VERBS = [
  'claimed',
  'released',
  'commented',
  'delegated',
  'amended',
] as const satisfies readonly TimelineKind[];
export type Verb = (typeof VERBS)[number];

/** The principal that acts on a question. */
export interface Doing {
  readonly by: Caller;
  /** The name in its event; it permits nothing. */
  readonly actor: string;
  /** Whether the askers may not answer, by the configuration. */
  readonly separation_of_duties?: boolean;
}

/** A question as far as what is done to it is judged by it. */
export interface Attended {
  /** With everything due settled. */
  readonly state: SuspensionState;
  readonly timeline: readonly TimelineEntry[];
  /** Whether it may be corrected; approvals and plans ask about facts that they know. */
  readonly isAmendable: boolean;
  /** The principal that asked. */
  readonly asker: string;
  /** The asker with its other name and its user. */
  readonly askers: readonly string[];
}

/** An action on a question that stays open. */
export interface Deed {
  readonly state: SuspensionState;
  /** The entry for its timeline and its intent's log; absent if nothing is to be recorded. */
  readonly entry?: readonly [verb: Verb, detail: JsonObject];
}

/** Refuses `suspension_settled`, and `reason_mismatch` for what waits for no person. */
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

/** Refuses `already_voted` to somebody who has answered: others count on that answer. */
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

/** Whether a message says who does something to a question. */
export function isDoing(message: unknown): message is Doing {
  if (!isObject(message) || !isCaller(message['by'])) return false;
  const { actor, separation_of_duties: separate } = message;
  return typeof actor === 'string' && (separate === undefined || typeof separate === 'boolean');
}

/** The types of the events that say what people did to an open question. */
export const VERB_EVENTS = VERBS.map((verb) => `intent.suspension_${verb}` as const);

/** An event about what somebody did to an open question, with the principal that did it. */
export type VerbEvent = EventDraft & { readonly principal: string };

/** Returns `intent.suspension_claimed` and the like: the payload says what the entry of the timeline says. */
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
