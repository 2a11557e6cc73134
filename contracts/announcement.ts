import type { IntentStatus } from './intent.js';
import type { Resolution } from './suspension.js';

/** How far an intent had come when something was said of it; of two, the later is the newer. */
export interface IntentVersion {
  readonly intent_id: string;
  readonly version: number;
  /** Sequence of the newest event of its log. */
  readonly last_sequence: number;
}

/**
 * The open question of an intent, or the last one: a settled one stays here until the record of the next has
 * come, also while the intent is suspended to wait for it. Its id is half of what an answer needs.
 */
export interface AnnouncedSuspension {
  readonly suspension_id: string;
  /** Since when its intent was suspended for it; like `expires_at` by our clock, not by the agent's. */
  readonly suspended_at: string;
  readonly expires_at: string | null;
  /** The attempt that was current last. */
  readonly attempt: number;
  /** Null while it is open. */
  readonly resolution: Resolution | null;
  readonly settled_at: string | null;
}

/**
 * What an intent tells those that observe it: what it is, never what changed. An observer that gets one
 * twice, late, or only the last of several ends up knowing the same; a question that opened and settled in
 * between shows in `suspension`.
 */
export interface Announcement extends IntentVersion {
  readonly status: IntentStatus;
  /** Suspended, or blocked because an intent that it depends on is held (RFC-0026 Rule 2). */
  readonly held: boolean;
  /** How often it has become held so far: shows a time of it that fell between two announcements. */
  readonly holds: number;
  readonly suspension: AnnouncedSuspension | null;
  /** Since when it is suspended, also where the record of its question is still to come. */
  readonly suspended_since?: string;
  readonly abandonment_reason?: string;
  /** The coordinator that holds the phases wired to it until it completes (AM-40). */
  readonly dependents_held_by?: string;
}

/** What a portfolio tells those that observe it; who its members are is read from the store. */
export interface PortfolioAnnouncement {
  readonly portfolio_id: string;
  readonly version: number;
  /** Sequence of the newest event of its log. */
  readonly last_sequence: number;
}

/** What an observer may be told. */
export type Announced = Announcement | PortfolioAnnouncement;

/** Which members came and went after a version, as of a place in the portfolio's log. */
export interface MembershipRequest {
  readonly portfolio_id: string;
  readonly since: number;
  readonly last_sequence: number;
}

/** As far as one answer goes: up to the version `through`, in the order of their versions. */
export interface MembershipPage {
  readonly through: number;
  readonly more: boolean;
  readonly changes: readonly (readonly [intent_id: string, is_member: boolean])[];
}

/** That one intent depends on another, as of a revision of its dependent's edges. */
export interface DependencyEdge {
  readonly intent_id: string;
  readonly dependency_id: string;
  /** Counts what its dependent did to its edges; a lower one never overwrites a higher. */
  readonly revision: number;
}

/** Who wants to observe which intents. */
export interface ObservationRequest {
  /** Workflow id. */
  readonly observer: string;
  readonly intent_ids: readonly string[];
}

/** What to tell to whom. */
export interface AnnouncementBatch {
  /** Workflow ids. */
  readonly observers: readonly string[];
  readonly announcement: Announced;
}
