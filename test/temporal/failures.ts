import {
  CancelledFailure,
  defaultFailureConverter,
  defaultPayloadConverter,
  ensureApplicationFailure,
} from '@temporalio/common';
import proto from '@temporalio/proto';

export type Failure = proto.temporal.api.failure.v1.IFailure;

const { RetryState, TimeoutType } = proto.temporal.api.enums.v1;

/** Codes of gRPC. */
export const CODES = {
  invalidArgument: 3,
  notFound: 5,
  alreadyExists: 6,
  failedPrecondition: 9,
  aborted: 10,
} as const;

/** An error as a server of Temporal answers it. */
export function serverError(code: keyof typeof CODES, details: string): Error {
  const number = CODES[code];
  const name = code.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const metadata = { get: () => [], getMap: () => ({}) };
  return Object.assign(new Error(`${number} ${name}: ${details}`), {
    code: number,
    details,
    metadata,
  });
}

/** What an activity threw, as Temporal passes it on. */
export function failureOf(error: unknown): Failure {
  const kept = error instanceof CancelledFailure ? error : ensureApplicationFailure(error);
  return defaultFailureConverter.errorToFailure(kept, defaultPayloadConverter);
}

export const TIMED_OUT: Failure = {
  message: 'activity StartToClose timeout',
  source: 'Server',
  timeoutFailureInfo: { timeoutType: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE },
};

export const CANCELLED: Failure = {
  message: 'Activity cancelled',
  canceledFailureInfo: {},
};

/** Where an activity failed. */
export interface FailedActivity {
  readonly scheduledEventId: number;
  readonly startedEventId: number;
  readonly activityId: string;
  readonly activityType: string;
  readonly retryState?: proto.temporal.api.enums.v1.RetryState;
}

/** What a workflow is told of an activity that failed, or was cancelled. */
export function ofActivity(message: string, cause: Failure, at: FailedActivity): Failure {
  return {
    message,
    cause,
    activityFailureInfo: {
      scheduledEventId: long(at.scheduledEventId),
      startedEventId: long(at.startedEventId),
      identity: '',
      activityType: { name: at.activityType },
      activityId: at.activityId,
      retryState: at.retryState ?? RetryState.RETRY_STATE_UNSPECIFIED,
    },
  };
}

function long(value: number) {
  return proto.temporal.api.failure.v1.ActivityFailureInfo.fromObject({ scheduledEventId: value })
    .scheduledEventId;
}
