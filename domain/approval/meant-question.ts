import type { ResumeRequest } from '../../contracts/approval-requests.js';
import type { ApprovalView, Approver } from '../../contracts/approval.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { refuse } from '../kernel/ruling.js';
import type { ApprovalState } from './state.js';

/** A stage that has approved the latest version of the proposal. */
export interface DecidedStage {
  /** Its position in the route, from 0. */
  readonly stage: number;
  /** Whose votes count. */
  readonly approvers: readonly Approver[];
}

/** An approval with the stages that have approved, if there are any. Workers of before do not tell that. */
export type AskedApproval = ApprovalView & { readonly decided?: readonly DecidedStage[] };

/** The stages that have approved the latest version, while others are still to be asked. */
export function decidedStages({
  rounds,
  proposal_hash,
  resolution,
}: Pick<ApprovalState, 'rounds' | 'proposal_hash' | 'resolution'>): readonly DecidedStage[] {
  if (resolution !== undefined) return [];
  return rounds.flatMap(({ hash, outcomes, approvers }, stage) =>
    hash === proposal_hash && outcomes.at(-1) === 'approved' ? [{ stage, approvers }] : [],
  );
}

type Meant = Pick<ResumeRequest, 'suspension_id'>;

/**
 * Whether a decision is about the question that is open: the one that it names. Where it names none, it is about the first stage,
 * so that a repetition never decides a later one. While nobody is asked, it is about no other question.
 */
export function isAboutOpen(
  { suspension_id: open, stage }: Pick<ApprovalView, 'suspension_id' | 'stage'>,
  { suspension_id: seen }: Meant,
): boolean {
  if (open === null) return true;
  return seen === undefined ? stage === 0 : seen === open;
}

/**
 * Refuses a decision that is about another question than the open one: `stage_mismatch`, with the stage and tier that are open
 * now, and with what whoever sent it has decided, if it counts, in the stage that it was probably about: the first one where
 * it names no question, else the last that is over.
 *
 * @param voter - the principal whose key sent it, which may be another than the one in whose name it decides
 */
export function aboutAnother(
  { status, stage, tier, decided = [] }: AskedApproval,
  { suspension_id: seen }: Meant,
  voter: string | undefined,
) {
  const meant = seen === undefined ? decided.filter((one) => one.stage === 0) : decided.slice(-1);
  const own = ownVote(meant, voter);
  const what =
    seen === undefined
      ? 'A decision without a suspension_id is about the first stage, which is over.'
      : 'The decision is about another question than the one that is open.';
  const counted = own ? ` Your earlier vote counts: ${own.decision} in stage ${own.stage}.` : '';
  const state: JsonObject = { status, stage, tier, ...(own && { own_vote: { ...own } }) };
  const open = tier === 0 ? `Stage ${stage}` : `Tier ${tier} of stage ${stage}`;
  return refuse('stage_mismatch', `${what}${counted} ${open} is open now, counted from 0.`, {
    field: 'suspension_id',
    accepted: 'the suspension_id that the approval has now, once whoever decides has seen it',
    state,
  });
}

/** The last vote of somebody in these stages. */
function ownVote(decided: readonly DecidedStage[], voter: string | undefined) {
  const votes = decided.flatMap(({ stage, approvers }) =>
    approvers
      .filter(({ principal }) => principal === voter)
      .map(({ decision, at }) => ({ stage, decision, at })),
  );
  return votes.at(-1);
}
