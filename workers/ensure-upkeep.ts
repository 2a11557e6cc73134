import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from './log.js';
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type IntervalSpec,
} from '@temporalio/client';
import { PUMP, RECONCILIATION, TASK_QUEUE, UPKEEP } from '../contracts/constants/names.js';
import type { UpkeepInput } from '../workflows/upkeep/messages.js';
import { activeSubscriptions } from '../store/queries/people/subscription.js';
import type { Store } from '../store/schema.js';

/** How long one try may take, in milliseconds. */
const TRY_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 300_000;
const NEVER = new AbortController().signal;

/** How long, and with which pauses, work is retried. */
interface RetryOptions {
  /** Aborted when the worker stops. */
  readonly signal?: AbortSignal;
  /** In milliseconds; it doubles with each try. */
  readonly firstPauseMs?: number;
}

/**
 * Retries what a worker needs, such as a schedule, until it is done or the worker stops, and logs each failure with
 * the time of the next try. Never rejects, so that every worker can start.
 *
 * @param what - the subject of the line that is logged
 */
export async function retryUntilDone(
  client: Pick<Client, 'withDeadline'>,
  log: Log,
  what: string,
  work: () => Promise<void>,
  { signal = NEVER, firstPauseMs = FIRST_PAUSE_MS }: RetryOptions = {},
): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  for (let waitMs = firstPauseMs; !isOver(); waitMs = Math.min(waitMs * 2, MAX_PAUSE_MS)) {
    try {
      await client.withDeadline(Date.now() + TRY_MS, work);
      return;
    } catch (error) {
      // An interruption by the end of the worker is no failure.
      if (isOver()) return;
      const next = `trying again in ${waitMs / 1_000} s`;
      log.warn({ err: error }, `${what} could not be ensured; ${next}`);
    }
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

type Schedules = Pick<Client, 'schedule' | 'withDeadline'>;

/**
 * Creates the schedule that has a checkpoint signed every hour, if there is a key. Every worker calls the functions
 * of this file when it starts; a server that is away is tried again.
 */
export async function ensureCheckpoints(
  client: Schedules,
  key: object | undefined,
  log: Log,
  retries?: RetryOptions,
): Promise<void> {
  if (key === undefined) {
    log.warn({}, 'HOLDPOINT_CHECKPOINT_KEY is not set: this worker signs no checkpoints');
    return;
  }
  const { schedule: id, type, checkpoint } = UPKEEP;
  const action = startOf(type, checkpoint, { work: 'checkpoint' });
  await ensure(client, { what: 'checkpoints', id, action, when: HOURLY }, log, retries);
}

/**
 * Creates the schedule of retention, or deletes it if the setting is gone. The worker that does the work reads the
 * number of days, so a changed number needs no other schedule.
 */
export async function ensureRetention(
  client: Schedules,
  settledDays: number | undefined,
  log: Log,
  retries?: RetryOptions,
): Promise<void> {
  const { retentionSchedule: id, type, retention } = UPKEEP;
  const action = startOf(type, retention, { work: 'retention' });
  // Half an hour after the checkpoints.
  const when = { ...HOURLY, offset: '30 minutes' } as const;
  const isWanted = settledDays !== undefined;
  await ensure(client, { what: 'retention', id, action, when, isWanted }, log, retries);
}

/** Creates the schedule of the reconciler. In between, `watchUnwritten` starts it when there is work. */
export async function ensureReconciliation(
  client: Schedules,
  log: Log,
  retries?: RetryOptions,
): Promise<void> {
  const { schedule: id, type, id: workflowId } = RECONCILIATION;
  const action = startOf(type, workflowId);
  await ensure(client, { what: 'reconciliation', id, action, when: RECONCILED }, log, retries);
}

const HOURLY = { every: '1 hour' } as const satisfies IntervalSpec;
const RECONCILED = { every: '10 minutes' } as const satisfies IntervalSpec;

function startOf(workflowType: string, workflowId: string, ...args: readonly UpkeepInput[]) {
  return {
    type: 'startWorkflow',
    workflowType,
    workflowId,
    taskQueue: TASK_QUEUE,
    args: [...args],
  } as const;
}

interface Wanted {
  readonly what: string;
  readonly id: string;
  readonly action: ReturnType<typeof startOf>;
  readonly when: IntervalSpec;
  readonly isWanted?: boolean;
}

/**
 * Creates a schedule, or updates it for this release; deletes it if it is not wanted. A pause that somebody set
 * stays, and the progress of its last run.
 */
async function ensure(
  client: Schedules,
  { what, id: scheduleId, action, when, isWanted = true }: Wanted,
  log: Log,
  retries: RetryOptions | undefined,
): Promise<void> {
  const spec = { intervals: [when] };
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' } as const;
  const work = async (): Promise<void> => {
    const handle = client.schedule.getHandle(scheduleId);
    try {
      if (isWanted) await client.schedule.create({ scheduleId, spec, action, policies });
      else await handle.delete();
    } catch (error) {
      if (isWanted && error instanceof ScheduleAlreadyRunning) {
        await handle.update(({ state }) => ({ spec, action, policies, state }));
      } else if (isWanted || !(error instanceof ScheduleNotFoundError)) throw error;
    }
  };
  await retryUntilDone(client, log, `the schedule of ${what}`, work, retries);
}

/**
 * Starts the pump if there are subscriptions and it does not run, and retries until it is done; every worker calls
 * this at its start.
 */
export async function ensurePump(
  client: Pick<Client, 'workflow' | 'withDeadline'>,
  db: Store,
  log: Log,
  retries?: RetryOptions,
): Promise<void> {
  const start = async (): Promise<void> => {
    if ((await activeSubscriptions(db)).length === 0) return;
    try {
      await client.workflow.start(PUMP.type, {
        workflowId: PUMP.id,
        taskQueue: TASK_QUEUE,
        args: [{}],
        staticSummary: 'wakes subscriptions',
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  };
  await retryUntilDone(client, log, 'the pump of subscriptions', start, retries);
}
