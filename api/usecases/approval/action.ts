import type { Refusal } from '../../../contracts/kernel/problem.js';
import {
  actionOf,
  requestOf,
  type ActionApproval,
  type ActionStatus,
  type AskedAction,
} from '../../../domain/openintent/action-approval.js';
import { RefusalError, refusalOf } from '../../errors.js';
import { refused } from '../../parts/refusals.js';
import { FIRST, READ, START, WRITE, refuseSecrets, useCase, type Call } from '../usecase.js';
import { resumeRequest } from './decide.js';
import { opened } from './open.js';

/*
 * The OpenIntent API's approvals of actions. They are the approvals of /v1 with the route `human_required` or a
 * stricter one; to approve or deny one is to vote.
 */

const ACTIONS = { approve: 'approve', deny: 'reject' } as const;
type Verb = keyof typeof ACTIONS;

export const requestApproval = useCase({
  name: 'requestApproval',
  resource: 'intent',
  refusals: ['intent_closed', 'secret_refused', ...START],
  intentIn: FIRST,
  async run(call: Call, intentId: string, asked: AskedAction): Promise<ActionApproval> {
    const { action, reason, context, requested_by } = asked;
    await refuseSecrets(call, { action, reason, context, requested_by });
    const request = requestOf(intentId, call.caller.principal, asked);
    return actionOf(await opened(call, request, { action, reason }), intentId);
  },
});

export const getApproval = useCase({
  name: 'getApproval',
  resource: 'intent',
  refusals: ['not_found', ...READ],
  intentIn: FIRST,
  async run({ parts }: Call, intentId: string, approvalId: string): Promise<ActionApproval> {
    const read = await parts.readApproval(approvalId).catch((error: unknown) => {
      if (refusalOf(error)?.code !== 'approval_not_found') throw error;
    });
    if (read?.value.intent_id === intentId) return actionOf(read.value, intentId);
    // A missing intent is refused first, before a missing approval.
    await parts.reads.getIntent(intentId);
    throw refused('not_found', 'Approval not found');
  },
});

export const decideApproval = useCase({
  name: 'decideApproval',
  resource: 'intent',
  refusals: [
    'not_found',
    'invalid_transition',
    'not_eligible',
    'stage_mismatch',
    'already_voted',
    'proposal_hash_mismatch',
    'intent_closed',
    ...WRITE,
  ],
  async run(call: Call, intentId: string, approvalId: string, verb: Verb): Promise<ActionApproval> {
    const { status } = await getApproval.run(call, intentId, approvalId);
    if (status !== 'pending') throw alreadyDecided(status, verb);
    return vote(call, intentId, approvalId, verb);
  },
});

/** Votes in the first stage, on the calls as first proposed: requests of this API name no version. */
async function vote(call: Call, intentId: string, id: string, verb: Verb): Promise<ActionApproval> {
  const decision = { action: ACTIONS[verb], despite_claim: true } as const;
  try {
    return actionOf(await resumeRequest.run(call, id, decision), intentId);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.code === 'stage_mismatch') throw laterStage(refusal, verb);
    if (refusal?.code !== 'approval_decided') throw error;
    const { status } = await getApproval.run(call, intentId, id);
    throw alreadyDecided(status, verb);
  }
}

/** Replaces the accepted form by words, as in all refusals of this API. */
function laterStage(refusal: Refusal, verb: Verb): RefusalError {
  const elsewhere = `This API votes in the first stage alone: ${verb} in /v1, with the suspension_id that GET /v1/approvals/{id} shows.`;
  return new RefusalError({ ...refusal, detail: `${refusal.detail} ${elsewhere}` });
}

function alreadyDecided(status: ActionStatus, verb: Verb): RefusalError {
  return refused('invalid_transition', `Approval is already '${status}', cannot ${verb}`);
}
