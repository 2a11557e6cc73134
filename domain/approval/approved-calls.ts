import type { ApprovalResolution, Proposal, ProposedCall } from '../../contracts/approval.js';
import type { Ruling } from '../../contracts/problem.js';
import { jsonEqual } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { hashOf } from './proposal.js';

/** How people decided, and on what, in its latest version. */
export interface DecidedProposal {
  readonly resolution: Pick<ApprovalResolution, 'status' | 'proposal_hash'>;
  readonly proposal: Proposal;
  readonly proposed_hash: string;
}

/**
 * The calls that may run now, with the arguments that were approved (A54-20, A54-22). The hashes are computed from what is
 * about to run, at the time at which it is: what the agent holds must still be what it proposed, and what came back must be
 * what people decided on. It may differ from the agent's in what an edit changes, and in nothing else. Refuses
 * `proposal_mutation_detected`; then nothing runs (A54-31).
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
