import { CancellationScope } from '@temporalio/workflow';

/** What a run takes along of a cancellation that came while it handed over: Temporal does not. */
export interface CarriedCancellation {
  readonly cancel_requested?: true;
}

/** Tells whether a cancellation of this workflow was requested; call it in the root scope. */
export function watchCancellation({ cancel_requested }: CarriedCancellation = {}): () => boolean {
  let requested = cancel_requested ?? false;
  CancellationScope.current().cancelRequested.catch(() => {
    requested = true;
  });
  return () => requested;
}

/** Look directly before continuing as new, when all that takes time is done. */
export function carriedCancellation(requested: () => boolean): CarriedCancellation {
  return requested() ? { cancel_requested: true } : {};
}
