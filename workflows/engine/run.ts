import { CancellationScope, workflowInfo } from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';

/** Whether this run has grown so long that a new one should go on (design §4, sizes). */
export function isRunLong(limit: number = WORKFLOW_LIMITS.historyEvents): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength > limit;
}

/**
 * Whether a run has grown long, measured by what was taken in only: an Update that is refused leaves no trace
 * in the history, but a longer history than its replay sees. A condition must not turn on that.
 */
export class RunLength {
  private readonly limit: number | undefined;
  private long = false;

  constructor(limit: number | undefined) {
    this.limit = limit;
  }

  get isLong(): boolean {
    return this.long;
  }

  /** For handlers, and where a timer has fired. */
  measure(): void {
    this.long ||= isRunLong(this.limit);
  }
}

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
