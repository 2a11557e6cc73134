import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Caller } from '../../contracts/people/caller.js';
import type { Coordinator } from '../../contracts/coordinator/coordinator.js';
import type { Created } from '../engine/messages.js';

/** The input of a coordinator: its first record, made by `domain/coordinator/coordinator.ts`. */
export interface CoordinatorInput extends Created {
  readonly coordinator: Coordinator;
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

export interface HeartbeatInput {
  readonly by: Caller;
}
export const heartbeatUpdate = defineUpdate<Coordinator, [HeartbeatInput]>('heartbeat');
export const coordinatorQuery = defineQuery<Coordinator>('coordinator');
