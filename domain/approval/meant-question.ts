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
 * Refuses a decision that is about another question than the open one: `stage_mismatch`, with the stage that is open now, and with
 * the vote of whoever sent it that has counted before.
 *
 * @param voter - the principal that decides
 */
export function aboutAnother(
  { status, stage, tier, decided = [] }: AskedApproval,
  { suspension_id: seen }: Meant,
  voter: string | undefined,
) {
  const own = ownVote(
    decided.filter((one) => seen !== undefined || one.stage === 0),
    voter,
  );
  const what =
    seen === undefined
      ? 'A decision without a suspension_id is about the first stage, which is over.'
      : 'The decision is about another question than the one that is open.';
  const counted = own ? ` Your earlier vote counts: ${own.decision} in stage ${own.stage}.` : '';
  const state: JsonObject = { status, stage, tier, ...(own && { own_vote: { ...own } }) };
  return refuse('stage_mismatch', `${what}${counted} Stage ${stage} is open now, counted from 0.`, {
    field: 'suspension_id',
    accepted: 'the suspension_id that the approval has now, once whoever decides has seen it',
    state,
  });
}

/** The last vote of somebody that has counted. */
function ownVote(decided: readonly DecidedStage[], voter: string | undefined) {
  const votes = decided.flatMap(({ stage, approvers }) =>
    approvers
      .filter(({ principal }) => principal === voter)
      .map(({ decision, at }) => ({ stage, decision, at })),
  );
  return votes.at(-1);
}
