import type { Guarded } from '../intent/access.js';
import type { IntentStatus } from '../intent/intent.js';
import type { Resolution } from '../suspension/suspension.js';

/** Identifies a state of an intent. The higher version is newer; at equal versions, the higher sequence. */
export interface IntentVersion {
  readonly intent_id: string;
  readonly version: number;
  /** Sequence of the newest event in the intent's log. */
  readonly last_sequence: number;
}

/**
 * The open question of an intent, or else its last one, even if the intent is suspended again and its next question
 * is not recorded yet. An answer needs the id and an API key.
 */
export interface AnnouncedSuspension {
  readonly suspension_id: string;
  /** When the intent was suspended. Like `expires_at`, this is server time, not the agent's. */
  readonly suspended_at: string;
  readonly expires_at: string | null;
  readonly attempt: number;
  /** Null while the question is open. */
  readonly resolution: Resolution | null;
  readonly settled_at: string | null;
}

/**
 * The state of an intent for its observers. It is a state, not a change, so repeated, late or reordered announcements
 * lead to the same result. `suspension` also shows a question that opened and was settled in between.
 */
export interface Announcement extends IntentVersion {
  readonly status: IntentStatus;
  /** Whether the intent blocks its dependents: it is suspended, or blocked by a dependency that is held. */
  readonly held: boolean;
  /** How often the intent has become held; also counts holds between two announcements. */
  readonly holds: number;
  readonly suspension: AnnouncedSuspension | null;
  /** Since when the intent is suspended. Set even if its question is not recorded yet. */
  readonly suspended_since?: string;
  readonly abandonment_reason?: string;
  /** The coordinator that holds the phases wired to this intent until the intent completes (R26-33). */
  readonly dependents_held_by?: string;
  /** The principals that may write to the intent, if it has an access list. Only tasks and plans get this. */
  readonly guard?: Guarded;
}

/** The state of a portfolio for its observers. They read the members from the store. */
export interface PortfolioAnnouncement {
  readonly portfolio_id: string;
  readonly version: number;
  readonly last_sequence: number;
}

export type Announced = Announcement | PortfolioAnnouncement;

/** Asks which members joined or left a portfolio after the version `since`. */
export interface MembershipRequest {
  readonly portfolio_id: string;
  readonly since: number;
  readonly last_sequence: number;
}

/** One page of membership changes in the order of versions. It covers all versions up to `through`. */
export interface MembershipPage {
  readonly through: number;
  readonly more: boolean;
  readonly changes: readonly (readonly [intent_id: string, is_member: boolean])[];
}

export interface DependencyEdge {
  readonly intent_id: string;
  readonly dependency_id: string;
  /** Counts the changes of the dependent's dependencies. A lower revision never overwrites a higher one. */
  readonly revision: number;
}

export interface ObservationRequest {
  readonly observer: string;
  readonly intent_ids: readonly string[];
}

/** The announcements of closed intents, and the ids of intents that accept no message for now. */
export interface Observation {
  readonly ended: readonly Announcement[];
  readonly full: readonly string[];
}

/** The workflows that did not accept a message: they are closed or missing, or accept no more for now. */
export interface Unreached {
  readonly gone: readonly string[];
  readonly full: readonly string[];
}

export interface AnnouncementBatch {
  readonly observers: readonly string[];
  readonly announcement: Announced;
}
