import type { ApprovalNote } from '../../contracts/approval-log.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { NotificationRequest } from '../../contracts/notification.js';
import type { Desk } from '../../domain/approval/desk.js';
import type { ApprovalState } from '../../domain/approval/state.js';
import type { LoggedVote } from '../../domain/approval/votes.js';
import { plusSeconds } from '../../domain/kernel/time.js';
import type { CarriedBase } from '../engine/run.js';
import type { ApprovalInput } from './messages.js';

/** The patch that has an approval remember its questions, to look whether their copies of the proposal are unchanged. */
export const CHECKS_QUESTIONS = 'holdpoint-checks-questions';

/** What starts a run of an approval. */
export type ApprovalRun = ApprovalInput & { readonly carried?: CarriedApproval };

/** A withdrawal that was asked for. */
export interface WantedEnd {
  /** Whose key withdraws it. */
  readonly principal: string;
  readonly reason?: string;
}

/** When a stage should have been decided, and the stage. */
export interface StageLimit {
  readonly stage: number;
  readonly sla_seconds: number;
  readonly due_at: string;
  readonly breached: boolean;
}

/** The limit of a stage that is asked at an instant (ISO-8601), if it has one. */
export function limitOf(
  stage: number,
  sla_seconds: number | undefined,
  at: string,
): StageLimit | undefined {
  if (sla_seconds === undefined) return undefined;
  return { stage, sla_seconds, due_at: plusSeconds(at, sla_seconds), breached: false };
}

/** State that outlives a run; instants only, no durations. */
export interface CarriedApproval extends CarriedBase {
  readonly state: ApprovalState;
  readonly revision: number;
  readonly withdrawal?: WantedEnd;
  readonly limit?: StageLimit;
  readonly desk?: Desk;
  /** Absent where the run before kept none. */
  readonly logged?: readonly LoggedVote[];
  /** Alerts that may not have been delivered. Absent where the run before raised none. */
  readonly alerts?: readonly NotificationRequest[];
  readonly unnoted: readonly ApprovalNote[];
  readonly unwritten: readonly JournalRow[];
}
