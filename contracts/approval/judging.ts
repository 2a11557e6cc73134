import { z } from 'zod';
import {
  RISK_CLASSES,
  type ApprovalRoute,
  type ApprovalVerdict,
  type RiskClass,
} from '../constants/approvals.js';
import type { DecisionRule } from '../suspension/decision.js';
import { jsonObjectSchema, nameSchema } from '../kernel/primitives.js';
import type { Refusal } from '../kernel/problem.js';
import type { PartialRetryPolicy } from '../suspension/retry-policy.js';

const MOST_CALLS = 100;

/** An agent's statements about its own call. They can only make the verdict stricter. */
export const approvalClaimSchema = z.object({
  requires_approval: z.boolean().optional(),
  risk_class: z.enum(RISK_CLASSES).optional(),
  route: z
    .enum(['auto', 'human_required', 'dual_approval'])
    .optional()
    .describe('Which pack decides, only the configuration says.'),
});
export type ApprovalClaim = Readonly<z.output<typeof approvalClaimSchema>>;

/** The tool calls of one turn of an agent, to be judged by the configured rules. */
export const judgeCallsRequestSchema = z.object({
  agent: nameSchema.describe('The name under which the agent asks.'),
  on_behalf_of: nameSchema.optional().describe('The user for whom it acts, who does not decide.'),
  decider: nameSchema.optional().describe('The user for whom it acts, and who alone decides.'),
  calls: z
    .array(
      z.object({
        id: nameSchema,
        tool: nameSchema,
        arguments: jsonObjectSchema,
        claimed: approvalClaimSchema.optional(),
        unmarked: z
          .literal(true)
          .optional()
          .describe('A tool that the agent does not gate: it runs if no rule matches it.'),
      }),
    )
    .max(MOST_CALLS),
});
export type JudgeCallsRequest = Readonly<z.input<typeof judgeCallsRequestSchema>>;

/** Whether a call runs, never runs, or waits for people (A54-09, A54-10). */
export interface Judgement {
  readonly verdict: ApprovalVerdict;
  readonly risk_class: RiskClass;
  /** `auto` if nobody is asked: the call is allowed or denied. */
  readonly route: ApprovalRoute;
  /** The name of the policy pack; only for the route `policy_pack`. */
  readonly pack?: string;
  readonly reason?: string;
  /** The position of the rule that matched, from 0; absent if none did. */
  readonly rule?: number;
}

/** The part of an agent's question that comes from its tier; the rest is about the call. */
export interface TierQuestion {
  readonly decision_rule: DecisionRule;
  readonly timeout_seconds: number;
  readonly retry_policy?: PartialRetryPolicy;
  readonly fallback_policy: 'fail';
  readonly inherit_retry_policy: false;
}

export interface PlannedTier {
  readonly question: TierQuestion;
  readonly on_timeout: 'next_tier' | 'deny' | 'allow';
  /** Warnings about unknown names, for readers of its question. */
  readonly warnings?: readonly string[];
}

/** A stage of an approval. Its tiers are asked one after another, until people decide or a timeout ends it. */
export interface PlannedStage {
  readonly name?: string;
  readonly sla_seconds?: number;
  readonly tiers: readonly PlannedTier[];
}

/** The stages that are asked, in order. Every stage must approve. */
export interface ApprovalPlan {
  readonly stages: readonly PlannedStage[];
  /** Warnings about the users that the agent names, for its author alone. */
  readonly warnings?: readonly string[];
}

/** A judged call, with the people to ask if the verdict is `escalate`. */
export interface JudgedCall extends Judgement {
  readonly id: string;
  readonly plan?: ApprovalPlan;
  /** Why nobody is asked about the call: it seems to contain a credential. */
  readonly refused?: Refusal;
}
