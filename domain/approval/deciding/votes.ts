import type { ApprovalPart, Approver, Proposal } from '../../../contracts/approval/approval.js';
import { isInstant, isObject, type Fields } from '../../kernel/message-form.js';
import { CLOCK_ACTOR } from '../../suspension/record/events.js';
import { keyed, type KeyedEvent, type SlaBreach } from '../record/events.js';
import type { ApprovalState, OpenTier } from '../record/state.js';
import type { NotificationRequest } from '../../../contracts/channel/notification.js';

/** The valid votes on the open question of an approval, and the version that they are for. */
export interface VotesCast {
  readonly version: number;
  readonly proposal_hash: string;
  /** Oldest first. */
  readonly votes: readonly Approver[];
  readonly proposal?: Proposal;
}

export function votesCast(
  { proposal, proposal_hash }: ApprovalPart,
  votes: readonly Approver[],
  isEdited: boolean,
): VotesCast {
  const { version } = proposal;
  return { version, proposal_hash, votes, ...(isEdited && { proposal }) };
}

/** A vote in the log that no edit has cancelled. */
export interface LoggedVote {
  readonly suspension_id: string;
  readonly principal: string;
  readonly version: number;
  readonly proposal_hash: string;
}

/** The events that votes add to the log, and the votes in the log afterwards. */
interface VoteLog {
  /** Notes that votes for an older version are cancelled; they precede the votes that came later. */
  readonly cancelled: readonly KeyedEvent[];
  readonly cast: readonly KeyedEvent[];
  readonly logged: readonly LoggedVote[];
}

/** Logs each vote once, immediately. Votes for an older version stay, with a note that the edit cancelled them. */
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

/**
 * Returns the alert that a stage takes too long, or undefined if no question is open. It changes no outcome.
 *
 * @param channel_hint - the channel of the question; the default one without it
 */
export function breachAlert(
  { proposal, open }: ApprovalState,
  { stage, sla_seconds, due_at }: SlaBreach,
  { intent_id, channel_hint }: Asked,
): NotificationRequest | undefined {
  if (open === undefined) return undefined;
  const { suspension_id } = open;
  const { approval_id, run_id, prompt } = proposal;
  return {
    delivery_id: `${suspension_id}:sla:${stage}`,
    suspension_id,
    intent_id,
    attempt: 1,
    max_attempts: 1,
    due_at,
    channel_hint: channel_hint ?? null,
    notify_to: null,
    question: prompt,
    response_type: 'choice',
    next_attempt_at: null,
    alert: { kind: 'sla_breached', approval_id, run_id, stage, sla_seconds },
  };
}

interface Asked {
  readonly intent_id: string | null;
  readonly channel_hint?: string | undefined;
}
