import type { SettledRecord } from '../../contracts/suspension/suspension.js';
import type { KeyedEvent } from '../../domain/approval/record/events.js';
import { approversIn, versionEdited } from '../../domain/approval/record/state.js';
import type { ApprovalState, OpenTier } from '../../domain/approval/record/state.js';
import { logVotes } from '../../domain/approval/deciding/votes.js';
import type { LoggedVote, VotesCast } from '../../domain/approval/deciding/votes.js';

/** Knows which votes the log has. A vote is logged when it is cast, and again if an edit cancels it. */
export class VoteLog {
  private logged: readonly LoggedVote[];

  constructor(carried: readonly LoggedVote[] = []) {
    this.logged = carried;
  }

  get carried(): { readonly logged: readonly LoggedVote[] } {
    return { logged: this.logged };
  }

  /** Returns the events for votes on a question that waits for more. */
  cast(state: ApprovalState, open: OpenTier, cast: VotesCast): readonly KeyedEvent[] {
    return this.add(state, open, cast);
  }

  /** Returns the approval with the version that these votes have edited; undefined if it has that already. */
  edited(state: ApprovalState, { proposal, proposal_hash }: VotesCast): ApprovalState | undefined {
    return proposal && versionEdited(state, { proposal, proposal_hash });
  }

  /** Returns the events for the votes that ended a question and are not in the log yet. */
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
    return [...cancelled, ...votes];
  }
}
