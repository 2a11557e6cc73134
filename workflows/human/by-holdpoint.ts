import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { TASK_QUEUE } from '../../contracts/constants/names.js';

/** For activities of Holdpoint's worker, retried as long as necessary: without that worker nobody could answer either. */
export const BY_HOLDPOINT = {
  taskQueue: TASK_QUEUE,
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
} as const;

/**
 * Waits for an activity. If it was refused, throws the refusal itself, so that the agent sees it and not the failure
 * of the activity.
 */
export async function refusalOrResult<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : undefined;
    throw cause instanceof ApplicationFailure && cause.nonRetryable ? cause : error;
  }
}
