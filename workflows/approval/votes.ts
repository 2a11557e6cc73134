import { patched } from '@temporalio/workflow';
import type { SettledRecord } from '../../contracts/suspension.js';
import type { KeyedEvent } from '../../domain/approval/events.js';
import { approversIn, versionEdited } from '../../domain/approval/state.js';
import type { ApprovalState, OpenTier } from '../../domain/approval/state.js';
import { logVotes } from '../../domain/approval/votes.js';
import type { LoggedVote, VotesCast } from '../../domain/approval/votes.js';

/**
 * Votes are logged when they are cast, and so is that an edit has cancelled them. Without this patch a run has logged them at the
 * end of their question.
 */
const VOTES_AT_ONCE = 'holdpoint-votes-at-once';

/**
 * A version that people have edited is that of the approval at once. Without this patch a run has taken it in at the end of its
 * question.
 */
const EDITS_AT_ONCE = 'holdpoint-edits-at-once';

/** Which votes the log of an approval has. */
export class VoteLog {
  private logged: readonly LoggedVote[];

  constructor(carried: readonly LoggedVote[] = []) {
    this.logged = carried;
  }

  get carried(): { readonly logged?: readonly LoggedVote[] } {
    return this.logged.length === 0 ? {} : { logged: this.logged };
  }

  /** What to log of votes on a question that still waits for others. */
  cast(state: ApprovalState, open: OpenTier, cast: VotesCast): readonly KeyedEvent[] {
    return patched(VOTES_AT_ONCE) ? this.add(state, open, cast) : [];
  }

  /** The approval with the version that was edited with these votes; undefined if it has that already. */
  edited(state: ApprovalState, { proposal, proposal_hash }: VotesCast): ApprovalState | undefined {
    const next = proposal && versionEdited(state, { proposal, proposal_hash });
    return next && patched(EDITS_AT_ONCE) ? next : undefined;
  }

  /** What to log of the votes with which a question has ended: those that are not in the log yet. */
  settled(state: ApprovalState, open: OpenTier, record: SettledRecord): readonly KeyedEvent[] {
    const { proposal, proposal_hash } = state;
    const votes = approversIn(record);
    const events = this.add(state, open, { version: proposal.version, proposal_hash, votes });
    // Nobody is asked any more, so no later vote can cancel them.
    if (state.end !== undefined) this.logged = [];
    return events;
  }

  private add(state: ApprovalState, open: OpenTier, cast: VotesCast): readonly KeyedEvent[] {
    const { cancelled, cast: votes, logged } = logVotes(state, open, cast, this.logged);
    this.logged = logged;
    return cancelled.length > 0 && patched(VOTES_AT_ONCE) ? [...cancelled, ...votes] : votes;
  }
}
