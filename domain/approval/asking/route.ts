import type {
  ApprovalPlan,
  Judgement,
  PlannedStage,
  PlannedTier,
  TierQuestion,
} from '../../../contracts/approval/judging.js';
import type {
  ApprovalStageConfig,
  ApprovalTier,
  ApprovalsConfig,
} from '../../../contracts/approval/rules.js';
import type { ApprovalAnswer } from '../../../contracts/constants/approvals.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { checkDataOfOne } from '../../suspension/answering/decision.js';
import { defined } from '../../../contracts/constants/defined.js';

/** One rejection ends an approval, whatever its quorum. */
const REJECTED = 'rejected';

/** The proposers of a call: the agent, and the user for whom it acts. Neither may approve. */
export interface Proposer {
  readonly agent: string;
  readonly on_behalf_of?: string | undefined;
}

/** How the question to a tier ended. At a timeout, approvals below the quorum do not count. */
export type TierOutcome = ApprovalAnswer | 'timeout';

/** The tier to ask next, or the end of the approval. `by` says whether people ended it or a timeout. */
export type ApprovalStep =
  | {
      readonly kind: 'ask';
      /** Positions, from 0. */
      readonly stage: number;
      readonly tier: number;
      readonly name?: string;
      /** Counted from the first tier of the stage. */
      readonly sla_seconds?: number;
      readonly ask: PlannedTier;
    }
  | {
      readonly kind: 'end';
      readonly verdict: 'approved' | 'denied';
      readonly by: 'people' | 'timeout';
    };

/**
 * Plans whom to ask about an escalated call: one person, two, or the stages of its policy pack (A54-05 … 08).
 * Undefined if nobody is asked. A timeout allows the call only if its risk is low, also after claims (A54-27). Throws
 * a RangeError for an unknown pack, which the configuration rules out.
 */
export function planOf(
  judged: Judgement,
  { routes, packs }: Pick<ApprovalsConfig, 'routes' | 'packs'>,
  proposer: Proposer,
): ApprovalPlan | undefined {
  if (judged.verdict !== 'escalate') return undefined;
  const plan = (stages: readonly ApprovalStageConfig[]): ApprovalPlan => ({
    stages: stages.map((stage) => plannedStage(stage, judged, proposer)),
  });
  if (judged.route === 'dual_approval') return plan([{ ...routes.dual_approval, quorum: 2 }]);
  if (judged.route !== 'policy_pack') return plan([{ ...routes.human_required, quorum: 1 }]);
  const { pack = '' } = judged;
  const found = Object.hasOwn(packs, pack) ? packs[pack] : undefined;
  if (found === undefined) throw new RangeError(`There is no policy pack ${pack}.`);
  return plan(found.stages);
}

function plannedStage(
  stage: ApprovalStageConfig,
  judged: Judgement,
  proposer: Proposer,
): PlannedStage {
  const { name, sla_seconds, tiers } = stage;
  return {
    ...defined({ name, sla_seconds }),
    tiers: tiers.map((tier, index) => {
      const ends = tier.on_timeout ?? (index < tiers.length - 1 ? 'next_tier' : 'deny');
      const on_timeout = ends === 'allow' && judged.risk_class !== 'low' ? 'deny' : ends;
      return { question: questionOf(stage, tier, proposer), on_timeout };
    }),
  };
}

/** The question has no approving fallback and no platform policy, because the tier determines what a timeout does. */
function questionOf(
  { approvers, quorum }: ApprovalStageConfig,
  { approvers: own, timeout_seconds, attempts }: ApprovalTier,
  { agent, on_behalf_of }: Proposer,
): TierQuestion {
  const interval_seconds = timeout_seconds / attempts;
  return {
    decision_rule: {
      eligible: own ?? approvers,
      excluded: [...new Set([agent, on_behalf_of ?? agent])],
      quorum,
      denials: [REJECTED],
      veto: true,
    },
    timeout_seconds,
    ...(attempts > 1 && { retry_policy: { max_attempts: attempts, interval_seconds } }),
    fallback_policy: 'fail',
    inherit_retry_policy: false,
  };
}

/** Returns a plan in which every timeout denies. */
export function withoutAllowing({ stages }: ApprovalPlan): ApprovalPlan {
  return {
    stages: stages.map((stage) => ({
      ...stage,
      tiers: stage.tiers.map((tier) =>
        tier.on_timeout === 'allow' ? { ...tier, on_timeout: 'deny' } : tier,
      ),
    })),
  };
}

/** Judges whether a decision may require data: only if a single person has to approve. */
export function checkOneApproves(
  { stages }: ApprovalPlan,
  response_schema: JsonObject | undefined,
): Ruling<true> {
  const tiers = stages.flatMap((stage) => stage.tiers);
  const isByOne =
    stages.length <= 1 && tiers.every(({ question }) => question.decision_rule.quorum === 1);
  return checkDataOfOne(isByOne, response_schema);
}

/**
 * Returns the step that follows the outcomes of all tiers asked so far, in order. Each tier has its own timeout
 * (A54-28). A stage that a timeout allows counts as approved, and later stages are still asked. Throws a RangeError
 * for an outcome after the end.
 */
export function nextStage(plan: ApprovalPlan, outcomes: readonly TierOutcome[]): ApprovalStep {
  let step: ApprovalStep = askAt(plan, 0, 0, 'people');
  for (const outcome of outcomes) {
    if (step.kind === 'end') throw new RangeError('The approval has ended before this outcome.');
    step = after(plan, step, outcome);
  }
  return step;
}

function after(
  plan: ApprovalPlan,
  { stage, tier, ask }: Extract<ApprovalStep, { kind: 'ask' }>,
  outcome: TierOutcome,
): ApprovalStep {
  if (outcome === 'approved') return askAt(plan, stage + 1, 0, 'people');
  if (outcome === 'rejected') return { kind: 'end', verdict: 'denied', by: 'people' };
  if (ask.on_timeout === 'next_tier') return askAt(plan, stage, tier + 1, 'timeout');
  if (ask.on_timeout === 'allow') return askAt(plan, stage + 1, 0, 'timeout');
  return { kind: 'end', verdict: 'denied', by: 'timeout' };
}

/** After the last stage everything is approved; a stage without further tiers is denied. */
function askAt(
  { stages }: ApprovalPlan,
  stage: number,
  tier: number,
  by: 'people' | 'timeout',
): ApprovalStep {
  const found = stages[stage];
  if (found === undefined) return { kind: 'end', verdict: 'approved', by };
  const ask = found.tiers[tier];
  if (ask === undefined) return { kind: 'end', verdict: 'denied', by };
  const { name, sla_seconds } = found;
  return { kind: 'ask', stage, tier, ...defined({ name, sla_seconds }), ask };
}
