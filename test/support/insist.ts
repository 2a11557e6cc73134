import assert from 'node:assert/strict';
import { isGrpcServiceError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';

/** gRPC codes of an Update that a closing run cut off: CANCELLED, FAILED_PRECONDITION, ABORTED. */
const CUT_OFF = new Set([1, 9, 10]);

/** Sends an Update again while the run it meets is handing over, as the gateway does. */
export async function insist(send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const error = await send().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) return;
    assert.ok(isPassing(error), error instanceof Error ? error.message : 'no error');
  }
}

/** Whether an Update may be sent again as it is. */
export function isPassing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof WorkflowUpdateFailedError) {
    return cause instanceof ApplicationFailure && cause.type === 'moving';
  }
  return [error, cause].some((each) => isGrpcServiceError(each) && CUT_OFF.has(each.code));
}
