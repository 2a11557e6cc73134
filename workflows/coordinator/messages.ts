import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Coordinator } from '../../contracts/coordinator.js';

/** What starts a coordinator: its first record, made by `domain/coordinator.ts`. */
export interface CoordinatorInput {
  readonly coordinator: Coordinator;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

export interface HeartbeatInput {
  /** The principal that holds the lease. */
  readonly actor: string;
}
export const heartbeatUpdate = defineUpdate<Coordinator, [HeartbeatInput]>('heartbeat');
export const coordinatorQuery = defineQuery<Coordinator>('coordinator');
