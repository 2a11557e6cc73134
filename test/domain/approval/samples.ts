import type {
  ApprovalResolution,
  ApprovalView,
  Proposal,
} from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { hashJson } from '../../../domain/kernel/hashing.js';
import { ID } from '../samples.js';

export const AT = '2026-03-24T10:00:00.000Z';

/** A proposal of one wire. `fields` replace or add. */
export function proposalWith(fields: Partial<Proposal> = {}): Proposal {
  return {
    approval_id: ID,
    version: 1,
    kind: 'tool_approval',
    run_id: 'run-7',
    turn_index: 0,
    agent: 'bot',
    on_behalf_of: 'ursula',
    calls: [{ id: 'call-1', tool: 'wire', arguments: { amount: 500 } }],
    prompt: 'Wire 500?',
    visible_context: {},
    route: 'human_required',
    risk_class: 'high',
    ...fields,
  };
}

/** What people decide on. */
export function hashOfProposal(proposal: Proposal): string {
  return hashJson(proposal as unknown as JsonObject);
}

/** How it ended. `fields` replace or add. */
export function resolutionOf(
  proposal: Proposal,
  fields: Partial<ApprovalResolution> = {},
): ApprovalResolution {
  return {
    status: 'approved',
    by: 'people',
    approvers: [{ principal: 'ursula', actor: 'ursula', decision: 'approved', at: AT }],
    resolved_at: AT,
    proposal_hash: hashOfProposal(proposal),
    respondent: 'ursula',
    ...fields,
  };
}

/** An approval as it is read; without a resolution it waits. */
export function approvalWith(
  proposal: Proposal = proposalWith(),
  resolution?: ApprovalResolution,
): ApprovalView {
  return {
    approval_id: proposal.approval_id,
    status: resolution?.status ?? 'pending',
    proposal,
    proposal_hash: hashOfProposal(proposal),
    proposed_hash: hashOfProposal(proposal),
    intent_id: null,
    asked_by: 'bot',
    created_at: AT,
    suspension_id: null,
    stage: 0,
    tier: 0,
    ...(resolution && { resolution }),
  };
}
