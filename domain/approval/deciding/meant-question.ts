import type { ResumeRequest } from '../../../contracts/approval/requests.js';
import type { ApprovalView, Approver } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { refuse } from '../../kernel/ruling.js';
import type { ApprovalState } from '../record/state.js';

export interface DecidedStage {
  /** Its position in the route, from 0. */
  readonly stage: number;
  readonly approvers: readonly Approver[];
}

export type AskedApproval = ApprovalView & { readonly decided?: readonly DecidedStage[] };

/** The stages that have approved the latest version, while others have not been asked yet. */
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
 * Whether a decision is about the open question. A decision that names no question is about the first stage, so that
 * a repetition never decides a later one. While nobody is asked, it is about no question.
 */
export function isAboutOpen(
  { suspension_id: open, stage }: Pick<ApprovalView, 'suspension_id' | 'stage'>,
  { suspension_id: seen }: Meant,
): boolean {
  if (open === null) return true;
  return seen === undefined ? stage === 0 : seen === open;
}

/**
 * Refuses a decision about another question with `stage_mismatch`. The state has the open stage and tier, and the
 * sender's earlier vote if it counts: in the first stage if the decision names no question, else in the last finished
 * one.
 *
 * @param voter - the principal whose key sent it, which may differ from the one on whose behalf it decides
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

function ownVote(decided: readonly DecidedStage[], voter: string | undefined) {
  const votes = decided.flatMap(({ stage, approvers }) =>
    approvers
      .filter(({ principal }) => principal === voter)
      .map(({ decision, at }) => ({ stage, decision, at })),
  );
  return votes.at(-1);
}
