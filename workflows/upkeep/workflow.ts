import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, proxyActivities, startChild } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { Checkpoint } from '../../contracts/checkpoint.js';
import { FEED_TASK_QUEUE, UPKEEP } from '../../contracts/constants/names.js';
import type { UpkeepInput } from './messages.js';

const { signCheckpoint } = proxyActivities<Pick<Activities, 'signCheckpoint'>>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  summary: 'sign a checkpoint over all logs',
});

/** It is tried until it succeeds: a place that is away delays what it gets, and loses nothing. */
const { deliverCheckpoints } = proxyActivities<Pick<Activities, 'deliverCheckpoints'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '60 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  summary: 'deliver checkpoints',
});

const { markSettled, removeMarked } = proxyActivities<
  Pick<Activities, 'markSettled' | 'removeMarked'>
>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  summary: 'remove what is over for long enough',
});

const { tellOutcomes } = proxyActivities<Pick<Activities, 'tellOutcomes'>>({
  taskQueue: FEED_TASK_QUEUE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '60 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' },
  summary: 'tell messages how their questions ended',
});

/**
 * Looks after all logs (docs/adr/0040): signs a checkpoint and returns it, or delivers what was signed. A delivery is a
 * workflow of its own, of which there is one at a time, so that a place that is away delays no signature. Retention has
 * a checkpoint signed that says what goes, before it goes (docs/adr/0042). Messages are told how their questions ended
 * (docs/adr/0071).
 */
export async function upkeep({ work }: UpkeepInput): Promise<Checkpoint | null> {
  if (work === 'delivery') {
    await deliverCheckpoints();
    return null;
  }
  if (work === 'follow_ups') {
    await tellOutcomes();
    return null;
  }
  if (work === 'checkpoint') return signAndDeliver();
  const { signs } = await markSettled();
  const checkpoint = signs ? await signAndDeliver() : null;
  await removeMarked();
  return checkpoint;
}

async function signAndDeliver(): Promise<Checkpoint> {
  const checkpoint = await signCheckpoint();
  await startDelivery();
  return checkpoint;
}

/** A delivery that is under way also takes what was signed since it began, or the next one will. */
async function startDelivery(): Promise<void> {
  const input: UpkeepInput = { work: 'delivery' };
  try {
    await startChild(UPKEEP.type, {
      workflowId: UPKEEP.delivery,
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: 'delivers checkpoints',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
