import type { DecidedIn, StoredProposal } from '../../../contracts/approval/log.js';
import { hashOf } from './proposal.js';
import type { ApprovalState } from '../record/state.js';

/**
 * Whether the store has the approval's proposal unchanged, in every version and question that is still there. All are
 * hashed again (A54-19, A54-20, A54-24).
 */
export function isStoredUnchanged(
  { proposal, proposal_hash, proposed_hash, decided_in }: ApprovalState,
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

/**
 * Whether the store lags behind: it shows a decided question as open, in another version, because it writes its end
 * later.
 */
export function isBehind({ asked = [] }: StoredProposal, decidedIn: readonly DecidedIn[]): boolean {
  return decidedIn.some(({ suspension_id, proposal_hash }) =>
    asked.some(
      (copy) =>
        copy.suspension_id === suspension_id &&
        copy.is_open &&
        copy.proposal_hash !== proposal_hash,
    ),
  );
}
