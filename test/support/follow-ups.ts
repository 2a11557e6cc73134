import type { Client } from '@temporalio/client';
import { TASK_QUEUE, UPKEEP } from '../../contracts/constants/names.js';
import { lookUntil } from './looks.js';

/**
 * Lets messages be told what has become of their questions, until they are: the store may hear of an outcome only
 * after whoever decided has the reply.
 */
export async function tellOutcomes(
  { workflow }: Pick<Client, 'workflow'>,
  areTold: () => boolean,
): Promise<void> {
  await lookUntil(async () => {
    await workflow.execute(UPKEEP.type, {
      workflowId: UPKEEP.followUps,
      taskQueue: TASK_QUEUE,
      args: [{ work: 'follow_ups' }],
    });
    return areTold();
  }, 'the messages are not told');
}
