import type { ActivityOptions } from '@temporalio/workflow';

/** For what has to arrive at some time, and is given up only to be handed to the next run. */
export const UNTIL_TAKEN = {
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '5 seconds',
  },
  cancellationType: 'TRY_CANCEL',
} as const satisfies ActivityOptions;
