import type { Client } from '@temporalio/client';
import { TASK_QUEUE, UPKEEP } from '../../contracts/constants/names.js';
import type { UpkeepInput } from '../../workflows/upkeep/messages.js';
import { lookUntil } from './looks.js';

/**
 * Lets messages be told what has become of their questions, until they are: the store may hear of an outcome only
 * after whoever decided has the reply.
 */
export async function tellOutcomes(
  client: Pick<Client, 'workflow'>,
  areTold: () => boolean,
): Promise<void> {
  await upkeepUntil(client, UPKEEP.followUps, { work: 'follow_ups' }, areTold);
}

/** Lets browsers be told of questions, until they are. */
export async function sendPushes(
  client: Pick<Client, 'workflow'>,
  areSent: () => boolean,
): Promise<void> {
  await upkeepUntil(client, UPKEEP.pushes, { work: 'pushes' }, areSent);
}

async function upkeepUntil(
  { workflow }: Pick<Client, 'workflow'>,
  workflowId: string,
  input: UpkeepInput,
  isDone: () => boolean,
): Promise<void> {
  await lookUntil(async () => {
    await workflow.execute(UPKEEP.type, { workflowId, taskQueue: TASK_QUEUE, args: [input] });
    return isDone();
  }, `upkeep "${input.work}" does nothing`);
}
