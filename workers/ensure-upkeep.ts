import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Client, IntervalSpec } from '@temporalio/client';
import type { Channel } from '../activities/channels/channel.js';
import { RECONCILIATION, TASK_QUEUE, UPKEEP } from '../contracts/constants/names.js';
import type { UpkeepInput } from '../workflows/upkeep/messages.js';
import type { Log } from './log.js';
import { retryUntilDone } from './retry-until-done.js';
import type { RetryOptions } from './retry-until-done.js';

type Schedules = Pick<Client, 'schedule' | 'withDeadline'>;

/**
 * Creates the schedule that has a checkpoint signed every hour, unless it is there; every worker calls this when it
 * starts. Without a key there is nothing to sign with. A server that is away is tried again.
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
  const { schedule, type, checkpoint } = UPKEEP;
  const action = startOf(type, checkpoint, { work: 'checkpoint' });
  const work = () => create(client, schedule, action, HOURLY);
  await retryUntilDone(client, log, 'the schedule of checkpoints', work, retries);
}

/**
 * Creates the schedule that removes what is over for long enough, or deletes it where the setting is gone; every worker
 * calls this when it starts. How many days are meant is read by the worker that does the work, so a changed number needs
 * no other schedule. A server that is away is tried again.
 */
export async function ensureRetention(
  client: Schedules,
  settledDays: number | undefined,
  log: Log,
  retries?: RetryOptions,
): Promise<void> {
  const { retentionSchedule: id, type, retention } = UPKEEP;
  // Half an hour away from the checkpoints.
  const when = { ...HOURLY, offset: '30 minutes' } as const;
  const work = () =>
    settledDays === undefined
      ? remove(client, id)
      : create(client, id, startOf(type, retention, { work: 'retention' }), when);
  await retryUntilDone(client, log, 'the schedule of retention', work, retries);
}

/**
 * Creates the schedule that tells messages how their questions ended, or deletes it where no channel can tell; every worker
 * calls this when it starts. A server that is away is tried again.
 */
export async function ensureFollowUps(
  client: Schedules,
  channels: readonly Pick<Channel, 'update'>[],
  log: Log,
  retries?: RetryOptions,
): Promise<void> {
  const { followUpsSchedule: id, type, followUps } = UPKEEP;
  const canTell = channels.some(({ update }) => update !== undefined);
  const action = startOf(type, followUps, { work: 'follow_ups' });
  const work = () =>
    canTell ? create(client, id, action, { every: '1 minute' }) : remove(client, id);
  await retryUntilDone(client, log, 'the schedule of follow-ups', work, retries);
}

/**
 * Creates the schedule that writes, every minute, what nobody wrote, unless it is there; every worker calls this when it
 * starts. A server that is away is tried again.
 */
export async function ensureReconciliation(
  client: Schedules,
  log: Log,
  retries?: RetryOptions,
): Promise<void> {
  const { schedule, type, id } = RECONCILIATION;
  const work = () => create(client, schedule, startOf(type, id), { every: '1 minute' });
  await retryUntilDone(client, log, 'the schedule of reconciliation', work, retries);
}

const HOURLY = { every: '1 hour' } as const satisfies IntervalSpec;

/** What a schedule starts. */
function startOf(workflowType: string, workflowId: string, ...args: readonly UpkeepInput[]) {
  return {
    type: 'startWorkflow',
    workflowType,
    workflowId,
    taskQueue: TASK_QUEUE,
    args: [...args],
  } as const;
}

/** Creates a schedule, unless it is there. */
async function create(
  client: Schedules,
  scheduleId: string,
  action: ReturnType<typeof startOf>,
  when: IntervalSpec,
): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId,
      spec: { intervals: [when] },
      action,
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

async function remove(client: Schedules, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
