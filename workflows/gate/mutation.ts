import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { Proposal } from '../../contracts/approval.js';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import { hashOf } from '../../domain/approval/proposal.js';
import type { ApprovalResult } from '../approval/messages.js';
import type { Group } from './asking.js';
import type { Turn } from './options.js';

const { noteMutation } = proxyActivities<Pick<Activities, 'noteMutation'>>({
  taskQueue: TASK_QUEUE,
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'note that the calls have changed',
});

/**
 * Writes into the log of the run that the agent holds other calls than people have approved, before the model reads that nothing
 * ran (A54-32). Without it, the log would end with the approval.
 *
 * @param live - what the agent holds; undefined where that is no proposal any more
 */
export async function noteFound(
  { agent, run_id, space }: Turn,
  { calls, proposal: { approval_id } }: Group,
  live: Proposal | undefined,
  { resolution: { proposal_hash }, proposed_hash }: ApprovalResult,
): Promise<void> {
  const found = {
    approval_id,
    run_id,
    agent,
    calls: calls.map(({ id }) => id),
    ...(live && { held_hash: hashOf(live) }),
    proposal_hash,
    proposed_hash,
  };
  await CancellationScope.nonCancellable(() => noteMutation(found, space));
}
