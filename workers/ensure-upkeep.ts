import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Client, IntervalSpec } from '@temporalio/client';
import { RECONCILIATION, TASK_QUEUE, UPKEEP } from '../contracts/constants/names.js';
import type { UpkeepInput } from '../workflows/upkeep/messages.js';
import type { Log } from './log.js';
import { retryUntilDone } from './retry-until-done.js';
import type { RetryOptions } from './retry-until-done.js';

type Schedules = Pick<Client, 'schedule' | 'withDeadline'>;

/**
 * Creates the schedule that has a checkpoint signed every hour. Without a key there is nothing to sign with. Every worker calls
 * this and the other functions of this file when it starts; a server that is away is tried again.
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
 * Creates the schedule that removes what ended long enough ago, or deletes it if the setting is gone. The worker that does the
 * work reads how many days are meant, so a changed number needs no other schedule.
 */
export async function ensureRetention(
  client: Schedules,
  settledDays: number | undefined,
  log: Log,
  retries?: RetryOptions,
): Promise<void> {
  const { retentionSchedule: id, type, retention } = UPKEEP;
  const action = startOf(type, retention, { work: 'retention' });
  // Half an hour away from the checkpoints.
  const when = { ...HOURLY, offset: '30 minutes' } as const;
  const isWanted = settledDays !== undefined;
  await ensure(client, { what: 'retention', id, action, when, isWanted }, log, retries);
}

/** Creates the schedule of the reconciler. In between, `watchUnwritten` lets it run where there is something to do. */
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

/** The workflow that a schedule starts. */
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
 * Creates a schedule, or makes one that is there what this release wants; deletes it if it is not wanted. Whether somebody has
 * paused it stays, and where its last run came to.
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
