import { ApplicationFailure, CancelledFailure, defaultPayloadConverter } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Runtime } from '@temporalio/worker';
import { CANCELLED, TIMED_OUT, failureOf, ofActivity, type Failure } from './failures.js';
import type { RunHistory } from './history.js';
import type { Run } from './run.js';
import { NORMAL_QUEUE, executionOf } from './execution.js';
import { PATIENCE } from '../support/patience.js';

type Command = proto.coresdk.workflow_commands.IScheduleActivity;
type Resolution = proto.coresdk.activity_result.IActivityResolution;
type RetryState = proto.temporal.api.enums.v1.RetryState;
const { RetryState: RETRY } = proto.temporal.api.enums.v1;

/** What Temporal takes where a policy says nothing. */
const POLICY = { initialMs: 1_000, coefficient: 2, mostTimes: 100 };

/** An activity that a run waits for: its tries, one after the other. */
export class ScheduledActivity {
  readonly run: Run;
  readonly command: Command;
  readonly scheduledEventId: number;
  attempt = 1;
  lastFailure: Failure | undefined;
  private readonly expiresAt: number;
  private cancelRequested = false;
  /** The code no longer waits for it. */
  private forgotten = false;
  private current: Attempt | undefined;
  private stopWaiting: (() => void) | undefined;

  constructor(
    run: Run,
    command: Command,
    completed: number,
    more: Parameters<RunHistory['add']>[3],
  ) {
    this.run = run;
    this.command = command;
    const { now } = run.server.clock;
    const most = command.scheduleToCloseTimeout ? tsToMs(command.scheduleToCloseTimeout) : 0;
    this.expiresAt = most > 0 ? now + most : Infinity;
    this.scheduledEventId = run.add(
      'activityTaskScheduled',
      {
        activityId: command.activityId ?? '',
        activityType: { name: command.activityType ?? '' },
        taskQueue: { name: this.taskQueue, kind: NORMAL_QUEUE },
        header: { fields: command.headers ?? {} },
        input: { payloads: command.arguments ?? [] },
        scheduleToCloseTimeout: command.scheduleToCloseTimeout ?? null,
        scheduleToStartTimeout: command.scheduleToStartTimeout ?? null,
        startToCloseTimeout: command.startToCloseTimeout ?? null,
        heartbeatTimeout: command.heartbeatTimeout ?? null,
        retryPolicy: command.retryPolicy ?? null,
        workflowTaskCompletedEventId: completed,
      },
      more,
    );
  }

  /** Has it carried out. */
  order(): void {
    this.run.activities.set(this.command.seq ?? 0, this);
    this.run.server.hasActivity(this);
  }

  get taskQueue(): string {
    return this.command.taskQueue || this.run.start.taskQueue;
  }

  get isUnderWay(): boolean {
    return this.current !== undefined;
  }

  /** Begins a try; a worker is there. */
  begin(fn: (...args: unknown[]) => Promise<unknown>): void {
    if (!this.run.isOpen || this.current || this.run.activities.get(this.command.seq ?? 0) !== this)
      return;
    const attempt = new Attempt(this);
    this.current = attempt;
    const { server } = this.run;
    const most = this.command.startToCloseTimeout ? tsToMs(this.command.startToCloseTimeout) : 0;
    // By the clock of the machine it depends on others how long a try takes.
    const limit = server.clock.stands ? most : PATIENCE * most;
    if (limit > 0) {
      this.stopWaiting = server.clock.at(server.clock.now + limit, () => {
        this.end(attempt, { failure: TIMED_OUT, isFinal: false, cancelled: false });
      });
    }
    const args = (this.command.arguments ?? []).map((each) =>
      defaultPayloadConverter.fromPayload(each),
    );
    const ended = attempt.env.run(fn, ...args).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    server.watch(attempt, ended, (end) => {
      if ('result' in end) this.end(attempt, { result: end.result });
      else {
        const { error } = end;
        const cancelled = this.cancelRequested && error instanceof CancelledFailure;
        const isFinal = error instanceof ApplicationFailure && error.nonRetryable === true;
        this.end(attempt, { failure: failureOf(error), isFinal, cancelled });
      }
    });
  }

  private end(attempt: Attempt, end: { result: unknown } | Failed): void {
    if (this.current !== attempt) return;
    this.current = undefined;
    this.stopWaiting?.();
    this.stopWaiting = undefined;
    if (!this.run.isOpen) return;
    if ('result' in end) {
      const payload = defaultPayloadConverter.toPayload(end.result);
      const startedEventId = this.started();
      this.run.add('activityTaskCompleted', {
        result: { payloads: [payload] },
        scheduledEventId: this.scheduledEventId,
        startedEventId,
        identity: 'local',
      });
      this.resolve({ completed: { result: payload } });
    } else if (end.cancelled) {
      this.cancelled(this.started());
    } else this.retryOrFail(end);
  }

  private retryOrFail({ failure, isFinal }: Failed): void {
    const { clock } = this.run.server;
    const wait = this.waitAfter(failure);
    const end = this.endAfter(failure, isFinal, clock.now + wait);
    if (end !== undefined) {
      this.fail(failure, end);
      return;
    }
    this.lastFailure = failure;
    this.attempt += 1;
    this.stopWaiting = clock.at(clock.now + wait, () => {
      this.stopWaiting = undefined;
      this.run.server.hasActivity(this);
    });
  }

  /** Milliseconds until the next try. */
  private waitAfter({ applicationFailureInfo }: Failure): number {
    if (applicationFailureInfo?.nextRetryDelay)
      return tsToMs(applicationFailureInfo.nextRetryDelay);
    const policy = this.command.retryPolicy ?? {};
    const initial = policy.initialInterval ? tsToMs(policy.initialInterval) : POLICY.initialMs;
    const most = policy.maximumInterval
      ? tsToMs(policy.maximumInterval)
      : initial * POLICY.mostTimes;
    const coefficient = policy.backoffCoefficient || POLICY.coefficient;
    return Math.min(initial * coefficient ** (this.attempt - 1), most);
  }

  /** Why there is no next try, unless there is one. */
  private endAfter(failure: Failure, isFinal: boolean, next: number): RetryState | undefined {
    const { maximumAttempts, nonRetryableErrorTypes } = this.command.retryPolicy ?? {};
    const type = failure.applicationFailureInfo?.type ?? '';
    if (isFinal || nonRetryableErrorTypes?.includes(type))
      return RETRY.RETRY_STATE_NON_RETRYABLE_FAILURE;
    if (this.cancelRequested) return RETRY.RETRY_STATE_CANCEL_REQUESTED;
    if (maximumAttempts && this.attempt >= maximumAttempts)
      return RETRY.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED;
    return next > this.expiresAt ? RETRY.RETRY_STATE_TIMEOUT : undefined;
  }

  private fail(failure: Failure, retryState: RetryState): void {
    const startedEventId = this.started();
    const kind = failure.timeoutFailureInfo ? 'activityTaskTimedOut' : 'activityTaskFailed';
    this.run.add(kind, {
      failure,
      scheduledEventId: this.scheduledEventId,
      startedEventId,
      retryState,
    });
    const at = this.place(startedEventId, retryState);
    const message = failure.timeoutFailureInfo ? 'Activity task timed out' : 'Activity task failed';
    this.resolve({ failed: { failure: ofActivity(message, failure, at) } });
  }

  private started(): number {
    return this.run.add('activityTaskStarted', {
      scheduledEventId: this.scheduledEventId,
      identity: 'local',
      attempt: this.attempt,
      ...(this.lastFailure && { lastFailure: this.lastFailure }),
    });
  }

  private place(startedEventId: number, retryState?: RetryState) {
    return {
      scheduledEventId: this.scheduledEventId,
      startedEventId,
      activityId: this.command.activityId ?? '',
      activityType: this.command.activityType ?? '',
      ...(retryState !== undefined && { retryState }),
    };
  }

  private resolve(result: Resolution): void {
    const seq = this.command.seq ?? 0;
    this.run.activities.delete(seq);
    this.run.wake(...(this.forgotten ? [] : [{ resolveActivity: { seq, result } }]));
  }

  /** The code has been told that it is cancelled. */
  forget(): void {
    this.forgotten = true;
  }

  /** The run asks it to stop: at once where no try is under way, by its heartbeats otherwise. */
  requestCancel(completed: number): void {
    const eventId = this.run.add('activityTaskCancelRequested', {
      scheduledEventId: this.scheduledEventId,
      workflowTaskCompletedEventId: completed,
    });
    this.cancelRequested = true;
    if (this.current) {
      this.current.env.cancel();
      return;
    }
    this.stopWaiting?.();
    this.run.server.order(() => {
      if (this.run.isOpen && !this.current) this.cancelled(0, eventId);
    });
  }

  private cancelled(startedEventId: number, latestCancelRequestedEventId = 0): void {
    this.run.add('activityTaskCanceled', {
      scheduledEventId: this.scheduledEventId,
      startedEventId,
      latestCancelRequestedEventId,
      identity: 'local',
    });
    const failure = ofActivity('Activity cancelled', CANCELLED, this.place(startedEventId));
    this.resolve({ cancelled: { failure } });
  }

  /** Its run is over: a try that is under way comes to nothing. */
  abandon(): void {
    this.stopWaiting?.();
    this.stopWaiting = undefined;
    this.current?.env.cancel('NOT_FOUND');
    this.current = undefined;
  }

  /** What a try is told of itself. */
  get info() {
    return {
      attempt: this.attempt,
      taskQueue: this.taskQueue,
      activityId: this.command.activityId ?? '',
      activityType: this.command.activityType ?? '',
      workflowType: this.run.start.type,
      workflowExecution: executionOf(this.run),
    };
  }
}

interface Failed {
  readonly failure: Failure;
  readonly isFinal: boolean;
  readonly cancelled: boolean;
}

/** One try of an activity. */
export class Attempt {
  readonly env: MockActivityEnvironment;
  /** It has been given time to end, and did not: it waits for something that only a test brings about. */
  waits = false;

  constructor(activity: ScheduledActivity) {
    const { run } = activity;
    this.env = new MockActivityEnvironment(activity.info, {
      client: run.server.activityClient,
      logger: Runtime.instance().logger,
    });
  }
}
