import { CancellationScope } from '@temporalio/workflow';

/** Tells whether a cancellation of this workflow was requested; call it in the root scope. */
export function watchCancellation(): () => boolean {
  let requested = false;
  CancellationScope.current().cancelRequested.catch(() => {
    requested = true;
  });
  return () => requested;
}
