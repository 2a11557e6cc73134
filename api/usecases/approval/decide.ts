import type { ResumeRequest } from '../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { demand } from '../../errors.js';
import { refused, writeUnavailable } from '../../parts/refusals.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { mayRepeat, repeated } from './repeats.js';
import { send, withVotes } from './vote.js';
import type { Sent } from './vote.js';
import { standingOf, standingOrRead } from './standing.js';

/**
 * Approves or rejects all calls of a request, by its id: a decision is an answer to the question that it names, or to that of
 * the first stage. A repetition under the same `Idempotency-Key` decides nothing, and gets the approval as it stands. Throws
 * `approval_not_found` and `forbidden` besides. After `workflow_unavailable` the decision may count all the same.
 */
export const resumeRequest = useCase({
  name: 'resumeRequest',
  resource: 'approval',
  refusals: [
    'not_eligible',
    'responded_by_mismatch',
    'approval_decided',
    'stage_mismatch',
    'already_voted',
    'claimed_by_other',
    'proposal_hash_mismatch',
    'invalid_value',
    'answer_too_large',
    ...WRITE,
  ],
  async run(
    call: Call,
    id: string,
    request: ResumeRequest,
    idempotencyKey?: string,
  ): Promise<ApprovalView> {
    const { caller, parts } = call;
    const { value: read } = await parts.readApproval(id);
    const initiator = read.proposal.on_behalf_of;
    demand(authorize(caller, 'resumeRequest', { initiator }));
    if (request.run_id !== undefined && request.run_id !== read.proposal.run_id) {
      throw refused('approval_not_found', 'The run has no such approval.', { field: 'run_id' });
    }
    // Between two tiers, and while its end is checked, nobody is asked.
    const isAnswerable = read.status !== 'pending' || read.suspension_id !== null;
    const asked = isAnswerable ? read : await standingOf(parts, id);
    const view = await withVotes(call, asked, request);
    try {
      const decided = await decidedBy(call, await send(call, view, request, idempotencyKey));
      if (decided.intent_id !== null) parts.consistency.touch(decided.intent_id);
      return decided;
    } catch (error) {
      if (idempotencyKey === undefined || !mayRepeat(error)) throw error;
      return repeated(call, id, request, idempotencyKey, error);
    }
  },
});

/**
 * Returns the approval after a decision. If no worker has judged the decision and the approval still waits, nobody can say that it
 * counts.
 */
async function decidedBy({ parts }: Call, { view, outcome }: Sent): Promise<ApprovalView> {
  if (outcome.accepted && outcome.approval) return outcome.approval;
  const { approval_id: id, suspension_id: past } = view;
  const isCounted = outcome.accepted && outcome.result.resolution === undefined;
  const until = { logged: true, ...(!isCounted && past !== null && { past }) } as const;
  const decided = await standingOrRead(parts, id, until);
  if (!outcome.accepted && decided.status === 'pending') throw writeUnavailable();
  return decided;
}
