import {
  QueryNotRegisteredError,
  QueryRejectedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  isGrpcServiceError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import { refusalOf } from '../../errors.js';

const RESOURCE_EXHAUSTED = 8;
/**
 * gRPC status codes after which the same call may succeed: CANCELLED (also a Query's passed deadline),
 * DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION (workflow not ready, no poller), ABORTED (an Update cut
 * off by a run that closes), UNAVAILABLE.
 */
const PASSING = new Set<number | undefined>([1, 4, RESOURCE_EXHAUSTED, 9, 10, 14]);

/** The server's own failure for an accepted Update whose run ended before the Update did. */
const RUN_ENDED = 'AcceptedUpdateCompletedWorkflow';

export type CallFailure =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The workflow is closed or never existed. One that was ended from outside answers no Query either. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'passing' }
  | { readonly kind: 'unknown' };

function statusOf(error: unknown): number | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].find((each) => isGrpcServiceError(each))?.code;
}

/** Whether the server refused a call only because it has too many of its kind at the moment. */
function isBusy(error: unknown): boolean {
  return statusOf(error) === RESOURCE_EXHAUSTED;
}

/**
 * Whether a Query may be answered in a moment: the server is busy, or the worker first has to process what has
 * happened (`workflows/engine/query-guard.ts`). The SDK calls each failed Query not registered.
 */
export function mayAnswerSoon(error: unknown): boolean {
  return isBusy(error) || error instanceof QueryNotRegisteredError;
}

/** Temporal refuses a Signal with this code if the run has taken as many as a run may; the next run takes it. */
const INVALID_ARGUMENT = 3;

export function mayTakeSignalSoon(error: unknown): boolean {
  return statusOf(error) === INVALID_ARGUMENT || isPassing(error);
}

export function isPassing(error: unknown): boolean {
  return classify(error).kind === 'passing';
}

/** Classifies what a call to a workflow threw, by error class and code, never by text. */
export function classify(error: unknown): CallFailure {
  const refusal = refusalOf(error);
  if (refusal?.code === 'moving') return { kind: 'passing' };
  if (refusal) return { kind: 'refused', refusal };
  if (error instanceof WorkflowNotFoundError || error instanceof QueryRejectedError) {
    return { kind: 'gone' };
  }
  if (error instanceof WorkflowUpdateFailedError) {
    const { cause } = error;
    const ended = cause instanceof ApplicationFailure && cause.type === RUN_ENDED;
    return { kind: ended ? 'gone' : 'unknown' };
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'passing' };
  if (error instanceof QueryNotRegisteredError) return { kind: 'passing' };
  return { kind: PASSING.has(statusOf(error)) ? 'passing' : 'unknown' };
}

/**
 * Remembers when the latest call began that no worker took in time (ms since the epoch). A worker that lives has
 * polled again since then.
 */
export class WorkerSilence {
  private latest = 0;

  get since(): number {
    return this.latest;
  }

  /** Notes a call that nobody took, by the instant at which it began. */
  note(began: number): void {
    this.latest = Math.max(this.latest, began);
  }
}
