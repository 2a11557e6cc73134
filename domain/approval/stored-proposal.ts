import type { StoredProposal } from '../../contracts/approval-log.js';
import { hashOf } from './proposal.js';
import type { ApprovalState } from './state.js';

/**
 * Whether the store has a proposal as its approval has it: the first and the latest version, and the copy in each question that
 * people have decided on. All of them are hashed again (A54-19, A54-20, A54-24). A question that has no copy any more, for it
 * was erased or removed, shows nobody anything else.
 */
export function isStoredUnchanged(
  { proposal, proposal_hash, proposed_hash, decided_in = [] }: ApprovalState,
  stored: StoredProposal,
): boolean {
  const asked = stored.asked ?? [];
  return (
    hashOf(stored.proposed) === proposed_hash &&
    hashOf(stored.proposal) === proposal_hash &&
    hashOf(proposal) === proposal_hash &&
    decided_in.every(({ suspension_id, proposal_hash: decided }) =>
      asked
        .filter((copy) => copy.suspension_id === suspension_id)
        .every((copy) => copy.proposal_hash === decided && hashOf(copy.proposal) === decided),
    )
  );
}
