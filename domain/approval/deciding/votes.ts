import type { ApprovalPart, Approver, Proposal } from '../../../contracts/approval/approval.js';
import { isInstant, isObject } from '../../kernel/message-form.js';
import type { Fields } from '../../kernel/message-form.js';
import { CLOCK_ACTOR } from '../../suspension/record/events.js';
import { keyed } from '../record/events.js';
import type { KeyedEvent } from '../record/events.js';
import type { ApprovalState, OpenTier } from '../record/state.js';

/** The votes that count on the open question of an approval, and the version that they are for. */
export interface VotesCast {
  readonly version: number;
  readonly proposal_hash: string;
  /** Oldest first. */
  readonly votes: readonly Approver[];
  /** The edited version of the proposal, if there is one. */
  readonly proposal?: Proposal;
}

/** The votes that count on a question, as its approval receives them. */
export function votesCast(
  { proposal, proposal_hash }: ApprovalPart,
  votes: readonly Approver[],
  isEdited: boolean,
): VotesCast {
  const { version } = proposal;
  return { version, proposal_hash, votes, ...(isEdited && { proposal }) };
}

/** A vote that is in the log, and that no edit has cancelled. */
export interface LoggedVote {
  readonly suspension_id: string;
  readonly principal: string;
  readonly version: number;
  readonly proposal_hash: string;
}

/** The events that votes add to the log, and the votes that are in it then. */
interface VoteLog {
  /** The end of votes for an older version, before the votes that came after it. */
  readonly cancelled: readonly KeyedEvent[];
  readonly cast: readonly KeyedEvent[];
  readonly logged: readonly LoggedVote[];
}

/** Logs each vote once, at once. Votes for an older version stay, with the note that the edit cancelled them. */
export function logVotes(
  state: Pick<ApprovalState, 'proposal'>,
  open: OpenTier,
  { version, proposal_hash, votes }: VotesCast,
  known: readonly LoggedVote[],
): VoteLog {
  const { suspension_id, stage, tier } = open;
  const standing = known.filter((one) => one.version >= version);
  const isKnown = ({ principal }: Approver) =>
    standing.some((one) => one.suspension_id === suspension_id && one.principal === principal);
  const fresh = votes.filter((vote) => !isKnown(vote));
  // The editor casts the first vote for the new version.
  const [editor] = votes;
  const by = editor?.actor ?? CLOCK_ACTOR;
  const cancelled = known
    .filter((one) => one.version < version)
    .map((one) =>
      keyed(state, `cancelled:${keyOf(one)}`, 'approval_vote_cancelled', by, {
        ...one,
        ...(editor && { edited_by: editor.principal }),
        edited_version: version,
        edited_hash: proposal_hash,
      }),
    );
  const about = { version, proposal_hash };
  const voted = fresh.map(({ principal }) => ({ suspension_id, principal, ...about }));
  const cast = fresh.map(({ principal, actor, decision, at }) =>
    keyed(state, keyOf({ suspension_id, principal, version }), 'approval_vote', actor, {
      suspension_id,
      stage,
      tier,
      principal,
      decision,
      voted_at: at,
      proposal_hash,
      version,
    }),
  );
  return { cancelled, cast, logged: [...standing, ...voted] };
}

function keyOf(vote: Omit<LoggedVote, 'proposal_hash'>): string {
  return `vote:${vote.suspension_id}:${vote.version}:${vote.principal}`;
}

/** Whether a message has the form of votes that were cast. */
export function isVotesCast({ version, proposal_hash, votes, proposal = {} }: Fields): boolean {
  return (
    isObject(proposal) &&
    Number.isInteger(version) &&
    typeof proposal_hash === 'string' &&
    Array.isArray(votes) &&
    votes.every(isVote)
  );
}

function isVote(vote: unknown): boolean {
  if (!isObject(vote) || !isInstant(vote['at'])) return false;
  const { principal, actor, decision } = vote;
  const isDecision = decision === 'approved' || decision === 'rejected';
  return typeof principal === 'string' && typeof actor === 'string' && isDecision;
}
