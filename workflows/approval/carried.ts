import type { ApprovalNote } from '../../contracts/approval/log.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { NotificationRequest } from '../../contracts/channel/notification.js';
import type { Desk } from '../../domain/approval/running/desk.js';
import type { ApprovalState } from '../../domain/approval/record/state.js';
import type { LoggedVote } from '../../domain/approval/deciding/votes.js';
import { plusSeconds } from '../../domain/kernel/time.js';
import type { CarriedBase } from '../engine/run.js';
import type { ApprovalInput } from './messages.js';

export type ApprovalRun = ApprovalInput & { readonly carried?: CarriedApproval };

export interface WantedEnd {
  readonly principal: string;
  readonly reason?: string;
  /** Set if it ends because its intent has ended. */
  readonly by_intent?: true;
}

/** The SLA of the stage being asked. */
export interface StageLimit {
  readonly stage: number;
  readonly sla_seconds: number;
  readonly due_at: string;
  readonly breached: boolean;
}

/** Returns the limit of a stage that is asked at an instant (ISO-8601), if it has an SLA. */
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
  readonly tells?: string;
  readonly logged: readonly LoggedVote[];
  /** Alerts that may not have been delivered. */
  readonly alerts: readonly NotificationRequest[];
  readonly unnoted: readonly ApprovalNote[];
  readonly unwritten: readonly JournalRow[];
}
