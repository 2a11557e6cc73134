import type { ApprovalPart, Proposal } from '../../../contracts/approval/approval.js';
import { hashOf } from '../../../domain/approval/proposal/proposal.js';
import { proposalWith } from './samples.js';

/** A wire that waits for two people. `fields` replace or add. */
export function wireWith(fields: Partial<Proposal> = {}): Proposal {
  return proposalWith({
    calls: [{ id: 'call-1', tool: 'wire', arguments: { amount: 900, to: 'DE1' } }],
    prompt: 'Wire 900 to DE1?',
    visible_context: { invoice: 'R-17' },
    route: 'dual_approval',
    risk_class: 'medium',
    ...fields,
  });
}

/** The same as part of the record of a question. */
export function partWith(
  fields: Partial<Proposal> = {},
  rest: Partial<ApprovalPart> = {},
): ApprovalPart {
  const proposal = wireWith(fields);
  return { proposal, proposal_hash: hashOf(proposal), stage: 0, tier: 0, ...rest };
}
