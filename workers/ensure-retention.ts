import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Client, ScheduleOptions } from '@temporalio/client';
import { TASK_QUEUE, UPKEEP } from '../contracts/constants/names.js';
import type { UpkeepInput } from '../workflows/upkeep/messages.js';

/** Where it logs; pino's loggers fit. */
interface Log {
  warn(fields: object, message: string): void;
}

const input: UpkeepInput = { work: 'retention' };
const SCHEDULE = {
  scheduleId: UPKEEP.retentionSchedule,
  spec: { intervals: [{ every: '1 hour', offset: '30 minutes' }] },
  action: {
    type: 'startWorkflow',
    workflowType: UPKEEP.type,
    workflowId: UPKEEP.retention,
    taskQueue: TASK_QUEUE,
    args: [input],
  },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
} satisfies ScheduleOptions;

/**
 * Creates the schedule that removes what is over for long enough, or deletes it where the setting is gone; every worker
 * calls this when it starts. How many days are meant is read by the worker that does the work, so a changed number needs
 * no other schedule. A server that is away does not keep the worker from starting.
 */
export async function ensureRetention(
  client: Pick<Client, 'schedule'>,
  settledDays: number | undefined,
  log: Log,
): Promise<void> {
  try {
    if (settledDays === undefined) {
      await client.schedule.getHandle(UPKEEP.retentionSchedule).delete();
    } else await client.schedule.create(SCHEDULE);
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning || error instanceof ScheduleNotFoundError) return;
    log.warn({ err: error }, 'the schedule of retention could not be looked after');
  }
}
