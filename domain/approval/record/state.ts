import type { ApprovalPlan } from '../../../contracts/approval/judging.js';
import type {
  ApprovalResolution,
  ApprovalView,
  Approver,
  Proposal,
  WithdrawnPart,
} from '../../../contracts/approval/approval.js';
import type { DecidedIn } from '../../../contracts/approval/log.js';
import { AUTO_APPROVER } from '../../../contracts/constants/approvals.js';
import type { Vote } from '../../../contracts/suspension/decision.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { votesOf } from '../../suspension/answering/decision.js';
import { notesIn } from '../../suspension/answering/response.js';
import { hashOf } from '../proposal/proposal.js';
import {
  nextStage,
  withoutAllowing,
  type ApprovalStep,
  type TierOutcome,
} from '../asking/route.js';
import { defined } from '../../../contracts/constants/defined.js';

export interface StageRound {
  readonly hash: string;
  /** The outcomes of its tiers, in the order in which they were asked. */
  readonly outcomes: readonly TierOutcome[];
  readonly approvers: readonly Approver[];
}

export interface OpenTier {
  readonly suspension_id: string;
  readonly stage: number;
  readonly tier: number;
  /** Set until its workflow has started: nobody can answer it yet, so nobody is shown its id. */
  readonly starting?: true;
}

/** How an approval is to end, once its proposal is checked. */
export type ApprovalEnd = Omit<
  ApprovalResolution,
  'resolved_at' | 'proposal_hash' | 'approvers' | 'code'
>;

export interface ApprovalState {
  readonly proposal: Proposal;
  readonly proposal_hash: string;
  /** The hash of the first version. */
  readonly proposed_hash: string;
  /** Outcomes by the position of the stage, only for stages that were asked. */
  readonly rounds: readonly StageRound[];
  readonly open?: OpenTier;
  /** The questions that have ended. */
  readonly decided_in: readonly DecidedIn[];
  readonly end?: ApprovalEnd;
  readonly resolution?: ApprovalResolution;
  /** Set once its intent has ended; the approval then approves nothing any more. */
  readonly withdrawn?: WithdrawnPart;
  /** When its personal data was erased (ISO-8601). */
  readonly erased_at?: string;
}

export function newApproval(proposal: Proposal): ApprovalState {
  const hash = hashOf(proposal);
  return { proposal, proposal_hash: hash, proposed_hash: hash, rounds: [], decided_in: [] };
}

/**
 * Returns the next step: the first tier of the first stage that has not judged the latest version, or the end. An
 * edit in a later stage therefore asks earlier stages again, until all approve the same version.
 */
export function stepOf(state: ApprovalState, plan: ApprovalPlan): ApprovalStep {
  const stages = bindingStages(state, plan);
  const outcomes: TierOutcome[] = [];
  for (const [index] of stages.stages.entries()) {
    const round = roundAt(state, index);
    outcomes.push(...round.outcomes);
    const step = nextStage(stages, outcomes);
    if (step.kind === 'end' || step.stage === index) return step;
  }
  return nextStage(stages, outcomes);
}

/** A timeout allows only what is of low risk in its latest version (A54-27). */
function bindingStages({ proposal }: ApprovalState, plan: ApprovalPlan): ApprovalPlan {
  return proposal.risk_class === 'low' ? plan : withoutAllowing(plan);
}

function roundAt({ rounds, proposal_hash }: ApprovalState, stage: number): StageRound {
  const round = rounds[stage];
  if (round?.hash === proposal_hash) return round;
  return { hash: proposal_hash, outcomes: [], approvers: [] };
}

export function tierAsked(state: ApprovalState, open: OpenTier): ApprovalState {
  return { ...state, open: { ...open, starting: true } };
}

/** The workflow of the open question has started. Undefined if that was known, or if the question has ended. */
export function tierStarted(state: ApprovalState): ApprovalState | undefined {
  if (!state.open?.starting) return undefined;
  const { starting: _starting, ...open } = state.open;
  return { ...state, open };
}

/**
 * Applies a later version that people edit while they decide (A54-11). Finished tiers stay finished, but earlier
 * votes no longer count. Undefined for any other version.
 */
export function versionEdited(
  state: ApprovalState,
  { proposal, proposal_hash }: Pick<ApprovalState, 'proposal' | 'proposal_hash'>,
): ApprovalState | undefined {
  const { open, rounds } = state;
  const { approval_id, version } = state.proposal;
  const isLater = proposal.approval_id === approval_id && proposal.version > version;
  if (open === undefined || !isLater || hashOf(proposal) !== proposal_hash) return undefined;
  const { outcomes } = roundAt(state, open.stage);
  const round = { hash: proposal_hash, outcomes, approvers: [] };
  const before = rounds.slice(0, open.stage);
  const after = rounds.slice(open.stage + 1);
  return { ...state, proposal, proposal_hash, rounds: [...before, round, ...after] };
}

/** Whether a record decides on this approval's proposal: the version that was asked about, or an edited one. */
export function isAbout(
  { proposal, proposal_hash }: ApprovalState,
  record: SettledRecord,
): boolean {
  const { approval } = record;
  if (approval === undefined) return true;
  if (hashOf(approval.proposal) !== approval.proposal_hash) return false;
  return approval.proposal_hash === proposal_hash || approval.proposal.version > proposal.version;
}

/**
 * Applies the end of the question to a tier, with the version that people edited. A rejection, or a timeout that
 * denies, ends the approval whatever other stages decided.
 */
export function tierSettled(
  state: ApprovalState,
  plan: ApprovalPlan,
  record: SettledRecord,
): ApprovalState {
  const { open, ...rest } = state;
  if (open === undefined) return state;
  const before = roundAt(rest, open.stage);
  const after = { ...rest, ...versionIn(rest, record), ...decidedIn(rest, record) };
  if (record.resolution === 'cancelled') return { ...after, end: withdrawn(record) };
  const outcome = outcomeOf(record);
  const round = {
    hash: after.proposal_hash,
    outcomes: [...before.outcomes, outcome],
    approvers: approversIn(record),
  };
  const rounds = [...rest.rounds.slice(0, open.stage), round, ...rest.rounds.slice(open.stage + 1)];
  const next = { ...after, rounds };
  const ended = endIn(next, plan, open.stage);
  return ended ? { ...next, end: { ...ended, ...answerIn(record, outcome) } } : next;
}

/** Returns the end after a stage: one denial ends the approval, an approval only together with all other stages. */
function endIn(
  state: ApprovalState,
  plan: ApprovalPlan,
  stage: number,
): Pick<ApprovalEnd, 'status' | 'by'> | undefined {
  const { outcomes } = roundAt(state, stage);
  const { stages } = bindingStages(state, plan);
  const own = nextStage({ stages: stages.slice(stage, stage + 1) }, outcomes);
  if (own.kind === 'end' && own.verdict === 'denied') {
    return { status: own.by === 'timeout' ? 'expired' : 'rejected', by: own.by };
  }
  const step = stepOf(state, plan);
  return step.kind === 'end' ? { status: 'approved', by: step.by } : undefined;
}

function versionIn(
  { proposal, proposal_hash }: ApprovalState,
  { approval }: SettledRecord,
): Pick<ApprovalState, 'proposal' | 'proposal_hash'> {
  if (approval === undefined) return { proposal, proposal_hash };
  return { proposal: approval.proposal, proposal_hash: approval.proposal_hash };
}

function decidedIn(
  { decided_in }: ApprovalState,
  { id, approval }: SettledRecord,
): Pick<ApprovalState, 'decided_in'> {
  if (approval === undefined) return { decided_in };
  const { proposal_hash } = approval;
  return { decided_in: [...decided_in, { suspension_id: id, proposal_hash }] };
}

function outcomeOf({ resolution, response }: SettledRecord): TierOutcome {
  if (resolution !== 'responded') return 'timeout';
  return response === 'approved' ? 'approved' : 'rejected';
}

/** Whoever withdrew the question has withdrawn the approval. */
function withdrawn({ settled_by, reason }: SettledRecord): ApprovalEnd {
  const by = settled_by === 'system' || settled_by === 'intent' ? 'system' : 'requester';
  return { status: 'cancelled', by, ...defined({ reason }) };
}

/** The principals whose votes count, in order. */
export function approversIn(record: SettledRecord): readonly Approver[] {
  return votesOf(record).map(approverOf);
}

export function approverOf(vote: Vote): Approver {
  const { principal, actor, value, counted_at, comment } = vote;
  const decision = value === 'approved' ? 'approved' : 'rejected';
  return { principal, actor, decision, at: counted_at, ...defined({ comment }) };
}

/** Returns the notes of the deciding vote. A timeout has no respondent. */
function answerIn(
  record: SettledRecord,
  outcome: TierOutcome,
): Pick<ApprovalEnd, 'respondent' | 'comment' | 'data'> {
  if (outcome === 'timeout') return {};
  const { responded_by } = record;
  return { ...defined({ respondent: responded_by }), ...notesIn(record) };
}

/**
 * Ends the approval at `at` (ISO-8601). Only votes on the decided version count. After the end of its intent, an
 * approval is recorded as cancelled.
 */
export function resolved(state: ApprovalState, wanted: ApprovalEnd, at: string): ApprovalState {
  const { open: _open, end: _end, ...rest } = state;
  const end: ApprovalEnd =
    rest.withdrawn && wanted.status === 'approved'
      ? { status: 'cancelled', by: 'system', reason: rest.withdrawn.reason }
      : wanted;
  const approvers = rest.rounds.flatMap((round) =>
    round.hash === rest.proposal_hash ? round.approvers : [],
  );
  const resolution = { ...end, approvers, resolved_at: at, proposal_hash: rest.proposal_hash };
  return { ...rest, resolution };
}

/** A rule decided before anybody was asked (A54-04); the approver is then `policy:auto`. */
export function resolvedByRule(
  state: ApprovalState,
  verdict: 'allow' | 'deny',
  at: string,
  reason?: string,
): ApprovalState {
  const decision = verdict === 'allow' ? ('approved' as const) : ('rejected' as const);
  const approver = { principal: AUTO_APPROVER, actor: AUTO_APPROVER, decision, at };
  const round = { hash: state.proposal_hash, outcomes: [], approvers: [approver] };
  const end = { status: decision, by: 'policy' as const };
  return resolved({ ...state, rounds: [round] }, { ...end, ...(reason && { reason }) }, at);
}

/** The call that was about to run differs from what people decided on, so nothing runs. */
export function mutated(state: ApprovalState, at: string): ApprovalState {
  const code = 'proposal_mutation_detected';
  const failed = resolved(state, { status: 'failed', by: 'system', reason: code }, at);
  return failed.resolution ? { ...failed, resolution: { ...failed.resolution, code } } : failed;
}

type Opened = Pick<
  ApprovalView,
  'intent_id' | 'asked_by' | 'created_at' | 'response_schema' | 'action'
>;

export function viewOfApproval(state: ApprovalState, opened: Opened): ApprovalView {
  const { proposal, proposal_hash, proposed_hash, open, resolution, withdrawn, erased_at } = state;
  return {
    approval_id: proposal.approval_id,
    status: resolution?.status ?? 'pending',
    proposal,
    proposal_hash,
    proposed_hash,
    ...opened,
    suspension_id: open === undefined || open.starting ? null : open.suspension_id,
    stage: open?.stage ?? Math.max(0, state.rounds.length - 1),
    tier: open?.tier ?? 0,
    ...defined({ resolution, withdrawn, erased_at }),
  };
}
