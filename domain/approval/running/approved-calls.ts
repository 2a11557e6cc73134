import type {
  ApprovalResolution,
  Proposal,
  ProposedCall,
} from '../../../contracts/approval/approval.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { jsonEqual } from '../../kernel/json.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { hashOf } from '../proposal/proposal.js';

/** How people decided, and the latest version of the proposal. */
export interface DecidedProposal {
  readonly resolution: Pick<ApprovalResolution, 'status' | 'proposal_hash'>;
  readonly proposal: Proposal;
  readonly proposed_hash: string;
}

/**
 * Returns the calls that may run now, with the approved arguments (A54-20, A54-22). The agent must still hold what it
 * proposed, and the result must be what people decided on; both are hashed now. They may differ only by an edit.
 * Refuses `proposal_mutation_detected`; then nothing runs (A54-31).
 *
 * @param live - the proposal made anew from the calls that the agent holds
 */
export function approvedCalls(
  live: Proposal,
  { resolution, proposal, proposed_hash }: DecidedProposal,
): Ruling<readonly ProposedCall[]> {
  const isSame =
    resolution.status === 'approved' &&
    hashOf(live) === proposed_hash &&
    hashOf(proposal) === resolution.proposal_hash &&
    (proposal.version === live.version ? jsonEqual(proposal, live) : isEdit(live, proposal));
  if (isSame) return ok(proposal.calls);
  const detail = 'What was to run is no longer what was approved.';
  return refuse('proposal_mutation_detected', detail);
}

/** Whether a later version has other arguments, the risk class that goes with them, and nothing else that is new. */
function isEdit(live: Proposal, edited: Proposal): boolean {
  return edited.version > live.version && jsonEqual(unedited(live), unedited(edited));
}

function unedited({ version: _version, risk_class: _risk, calls, ...rest }: Proposal) {
  return { ...rest, calls: calls.map(({ id, tool }) => ({ id, tool })) };
}

/** The key under which a tool may act once for a call (P3-23). A call that is approved anew has another one. */
export function idempotencyKeyOf(
  call_id: string,
  asked:
    { readonly approval_id: string } | { readonly run_id: string; readonly turn_index: number },
): string {
  if ('approval_id' in asked) return `${asked.approval_id}:${call_id}`;
  return `${asked.run_id}:${asked.turn_index}:${call_id}`;
}
