import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Coordinator } from '../../contracts/coordinator.js';
import type { IntentNote } from '../../contracts/intent.js';
import type { JournalRow } from '../../contracts/journal.js';
import type { CarriedWishes } from '../engine/observing.js';
import type { CarriedCancellation } from '../engine/run.js';
import type { CarriedMembership } from './membership.js';
import type { CarriedHolds, CarriedLastHeard } from './scope.js';

/** What starts a coordinator: its first record, made by `domain/coordinator.ts`. */
export interface CoordinatorInput {
  readonly coordinator: Coordinator;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
  readonly carried?: CarriedCoordinator;
}

/** State that outlives a run. */
export interface CarriedCoordinator extends CarriedCancellation {
  /** Questions that were escalated, newest last. */
  readonly escalated: readonly string[];
  readonly holds?: CarriedHolds;
  readonly places?: CarriedLastHeard;
  readonly notes: readonly IntentNote[];
  readonly wishes: CarriedWishes;
  /** Of a portfolio. */
  readonly membership?: CarriedMembership;
  readonly unwritten: readonly JournalRow[];
}

export interface HeartbeatInput {
  /** The principal that holds the lease. */
  readonly actor: string;
}
export const heartbeatUpdate = defineUpdate<Coordinator, [HeartbeatInput]>('heartbeat');
export const coordinatorQuery = defineQuery<Coordinator>('coordinator');
