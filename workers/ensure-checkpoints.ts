import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TASK_QUEUE, UPKEEP } from '../contracts/constants/names.js';
import type { UpkeepInput } from '../workflows/upkeep/messages.js';

/** Where it logs; pino's loggers fit. */
interface Log {
  warn(fields: object, message: string): void;
}

/**
 * Creates the schedule that has a checkpoint signed every hour, unless it is there; every worker calls this when it
 * starts. Without a key there is nothing to sign with. A server that is away does not keep the worker from starting.
 */
export async function ensureCheckpoints(
  client: Pick<Client, 'schedule'>,
  key: object | undefined,
  log: Log,
): Promise<void> {
  if (key === undefined) {
    log.warn({}, 'HOLDPOINT_CHECKPOINT_KEY is not set: this worker signs no checkpoints');
    return;
  }
  const input: UpkeepInput = { work: 'checkpoint' };
  try {
    await client.schedule.create({
      scheduleId: UPKEEP.schedule,
      spec: { intervals: [{ every: '1 hour' }] },
      action: {
        type: 'startWorkflow',
        workflowType: UPKEEP.type,
        workflowId: UPKEEP.checkpoint,
        taskQueue: TASK_QUEUE,
        args: [input],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
    });
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return;
    log.warn({ err: error }, 'the schedule of checkpoints could not be looked after');
  }
}
