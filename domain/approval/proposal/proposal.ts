import type {
  ApprovalPart,
  ApprovalView,
  EditedCall,
  Proposal,
} from '../../../contracts/approval/approval.js';
import { RISK_CLASSES, type RiskClass } from '../../../contracts/constants/approvals.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { hashJson } from '../../kernel/hashing.js';
import { jsonEqual } from '../../kernel/json.js';
import { checkFieldSizes, ok, refuse } from '../../kernel/ruling.js';

/** Returns the hash of a whole proposal, which an answer names and which is computed again before a run. */
export function hashOf(proposal: Proposal): string {
  return hashJson(proposal as unknown as JsonObject);
}

/** An approval with the proposal of its open question, if that is a later version. */
export function latestOf(
  view: ApprovalView,
  asked: Pick<ApprovalPart, 'proposal' | 'proposal_hash'> | undefined,
): ApprovalView {
  if (asked === undefined || asked.proposal.version <= view.proposal.version) return view;
  return { ...view, proposal: asked.proposal, proposal_hash: asked.proposal_hash };
}

/** Refuses a proposal that is too large to store, show and send with `invalid_request`. */
export function checkProposal(proposal: Proposal): Ruling<true> {
  return checkFieldSizes({ proposal }, LIMITS.proposalBytes);
}

export function higherRisk(one: RiskClass, other: RiskClass): RiskClass {
  return RISK_CLASSES.indexOf(one) >= RISK_CLASSES.indexOf(other) ? one : other;
}

/**
 * Returns the next version of a proposal, with other arguments and no lower risk; the same if no argument changes.
 *
 * @param risk_class - that of the edited calls, by the rules
 */
export function editedProposal(
  proposal: Proposal,
  edits: readonly EditedCall[],
  risk_class: RiskClass,
): Proposal {
  if (!changesArguments(proposal, edits)) return proposal;
  return {
    ...proposal,
    version: proposal.version + 1,
    calls: proposal.calls.map((call) => {
      const edit = edits.find(({ call_id }) => call_id === call.id);
      return edit ? { ...call, arguments: edit.arguments } : call;
    }),
    risk_class: higherRisk(proposal.risk_class, risk_class),
  };
}

export function changesArguments({ calls }: Proposal, edits: readonly EditedCall[]): boolean {
  return edits.some(({ call_id, arguments: edited }) =>
    calls.some((call) => call.id === call_id && !jsonEqual(call.arguments, edited)),
  );
}

/**
 * Refuses `missing_proposal_hash`, and `proposal_hash_mismatch` for an answer about something else (A54-20).
 *
 * @param named - the hash in the answer
 */
export function checkHash(part: ApprovalPart | undefined, named: string | undefined): Ruling<true> {
  const current = part?.proposal_hash;
  if (named === current) return ok(true);
  const accepted = current ?? 'no hash: the question has no proposal';
  const state = part ? { proposal_hash: part.proposal_hash, version: part.proposal.version } : {};
  const extra = { field: 'proposal_hash', accepted, state };
  return named === undefined
    ? refuse('missing_proposal_hash', 'The answer does not name what it decides on.', extra)
    : refuse('proposal_hash_mismatch', 'The answer is for another proposal.', extra);
}
