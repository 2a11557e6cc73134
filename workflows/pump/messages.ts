import { defineSignal } from '@temporalio/workflow';

/** What starts the pump. */
export interface PumpInput {
  /** Continues as new after this many events; only tests set it. */
  readonly history_limit?: number;
}

/** There is an active subscription in the store: the pump goes on, or looks again before it ends. */
export const keepPumpingSignal = defineSignal('keepPumping');
