import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, proxyActivities, startChild, workflowInfo } from '@temporalio/workflow';
import type { Activities, Reconciled } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import type { Checkpoint } from '../../contracts/log/checkpoint.js';
import { FEED_TASK_QUEUE, UPKEEP } from '../../contracts/constants/names.js';
import type { UpkeepInput } from './messages.js';

/** For work on the whole store. */
const LONG_WORK = {
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} as const;

const { signCheckpoint } = proxyActivities<Pick<Activities, 'signCheckpoint'>>({
  ...LONG_WORK,
  summary: 'sign a checkpoint over all logs',
});

/** It runs for some minutes at most, and records its progress: a retry continues where the last try stopped. */
const { reconcile } = proxyActivities<Pick<Activities, 'reconcile'>>({
  ...LONG_WORK,
  startToCloseTimeout: '5 minutes',
  summary: 'write what nobody wrote',
});

/** It is retried until it succeeds: a place that is unavailable gets its checkpoints later, and loses none. */
const { deliverCheckpoints } = proxyActivities<Pick<Activities, 'deliverCheckpoints'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '60 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  summary: 'deliver checkpoints',
});

const { markSettled, removeMarked } = proxyActivities<
  Pick<Activities, 'markSettled' | 'removeMarked'>
>({
  ...LONG_WORK,
  summary: 'remove what is over for long enough',
});

const { tellOutcomes } = proxyActivities<Pick<Activities, 'tellOutcomes'>>({
  taskQueue: FEED_TASK_QUEUE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '60 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' },
  summary: 'tell messages how their questions ended',
});

const { sendPushes } = proxyActivities<Pick<Activities, 'sendPushes'>>({
  taskQueue: FEED_TASK_QUEUE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '60 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' },
  summary: 'tell browsers of questions',
});

/**
 * Writes the missing ends of questions (docs/adr/0046). It begins where the last look of its schedule ended, with
 * what failed there; the first one begins with all questions that are open in the store.
 */
export async function reconciliation(): Promise<Reconciled> {
  const last = workflowInfo().lastResult as Reconciled | undefined;
  const { looked_until: since = null, failed: again } = last ?? {};
  const request = { since, ...defined({ again }) };
  let look = await reconcile(request);
  while (look.next) look = await reconcile({ ...request, so_far: look });
  return look;
}

/**
 * Maintains all logs (docs/adr/0040) and messages about ended questions (docs/adr/0071). Deliveries are a separate
 * workflow, one at a time, so that a place that is unavailable delays no signature. Before retention removes
 * anything, a signed checkpoint names it (docs/adr/0042).
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
  if (work === 'pushes') {
    await sendPushes();
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
  const input: UpkeepInput = { work: 'delivery' };
  try {
    await startChild(UPKEEP.type, {
      workflowId: UPKEEP.delivery,
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: 'delivers checkpoints',
    });
  } catch (error) {
    // A delivery under way also delivers what was signed since it began, or the next one will.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return checkpoint;
}
