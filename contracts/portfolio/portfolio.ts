import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { aggregateStatusSchema } from '../graph/graph.js';
import { intentStatusSchema, intentSummarySchema } from '../intent/intent.js';
import {
  instantSchema,
  isoInstantSchema,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  textSchema,
} from '../kernel/primitives.js';

/** The portfolio's own status. Only a write changes it, never the status of a member (R26-06). */
export const portfolioStatusSchema = z.enum(['active', 'completed', 'abandoned']);
export type PortfolioStatus = z.infer<typeof portfolioStatusSchema>;

/** An intent's role in the portfolio (RFC-0007). It is only stored and has no effect. */
export const memberRoleSchema = z.enum(['primary', 'member', 'dependency']);

/** Shared governance. The server enforces the deadline (R26-27) and only stores all other fields. */
export const governancePolicySchema = z
  .object({ deadline: isoInstantSchema.nullish() })
  .catchall(jsonValueSchema);
export type GovernancePolicy = z.output<typeof governancePolicySchema>;

/** A portfolio. Its deadline is in UTC with `Z`. */
export const portfolioSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  status: portfolioStatusSchema,
  version: z.int().min(1),
  governance_policy: governancePolicySchema,
  metadata: jsonObjectSchema,
  created_by: z.string(),
  owner: z.exactOptional(z.string()).describe('The principal whose key created it.'),
  created_at: instantSchema,
  updated_at: instantSchema,
});
export type Portfolio = z.infer<typeof portfolioSchema>;

/** The aggregate of all members. The first rule that matches gives `status` (R26-20 to R26-23). */
export const portfolioAggregateSchema = aggregateStatusSchema.extend({
  by_status: z.partialRecord(intentStatusSchema, z.int().min(1)),
  status: z.enum(['completed', 'failed', 'in_progress']),
});
export type PortfolioAggregate = z.infer<typeof portfolioAggregateSchema>;

/** Body of `GET /v1/portfolios/{id}` (R26-19). */
export const portfolioViewSchema = portfolioSchema
  .extend({
    aggregate_status: portfolioAggregateSchema,
    has_suspended_members: z.boolean(),
    suspended_member_count: z.int().min(0),
  })
  .meta({ id: 'Portfolio' });
export type PortfolioView = z.infer<typeof portfolioViewSchema>;
/** The summary of the members that a view adds. */
export type PortfolioMembers = Omit<PortfolioView, keyof Portfolio>;

export const portfolioSummarySchema = portfolioViewSchema.omit({ metadata: true });
export type PortfolioSummary = z.infer<typeof portfolioSummarySchema>;

export const membershipSchema = z
  .object({
    id: z.uuid(),
    portfolio_id: z.uuid(),
    intent_id: z.uuid(),
    role: memberRoleSchema,
    priority: z.int(),
    added_at: instantSchema,
  })
  .meta({ id: 'Membership' });
export type Membership = z.infer<typeof membershipSchema>;

/** Body of `POST /v1/portfolios/{id}/intents`. */
const memberSchema = z.object({
  intent_id: z.guid(),
  role: memberRoleSchema.default('member'),
  priority: z.int32().default(0),
});
export const addMemberRequestSchema = memberSchema.meta({ id: 'AddMemberRequest' });
export type AddMemberRequest = z.output<typeof addMemberRequestSchema>;

/** Fields that can be set at creation and changed later. */
const portfolioFields = {
  name: textSchema(LIMITS.titleCharacters),
  description: z.string().max(LIMITS.textCharacters).nullish(),
  governance_policy: governancePolicySchema.optional(),
  metadata: jsonObjectSchema.optional(),
};

/** Body of `POST /v1/portfolios`. `intents` are the initial members. */
export const createPortfolioRequestSchema = z
  .object({
    ...portfolioFields,
    intents: z.array(memberSchema).max(LIMITS.membersAtCreation).default([]),
    created_by: nameSchema.optional(),
  })
  .meta({ id: 'CreatePortfolioRequest' });
export type CreatePortfolioRequest = z.output<typeof createPortfolioRequestSchema>;

/** Body of `PATCH /v1/portfolios/{id}`. Each field that is present replaces the old value as a whole. */
export const changePortfolioRequestSchema = z
  .object({ ...portfolioFields, name: portfolioFields.name.optional() })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    params: { accepted: 'at least one of: name, description, governance_policy, metadata' },
  })
  .meta({ id: 'ChangePortfolioRequest', minProperties: 1 });
export type ChangePortfolioRequest = z.output<typeof changePortfolioRequestSchema>;

/** Body of `PATCH /v1/portfolios/{id}/status`. */
export const portfolioStatusRequestSchema = z
  .object({ status: portfolioStatusSchema })
  .meta({ id: 'PortfolioStatusRequest' });

/** Body of `GET /v1/portfolios/{id}/intents`. */
export const memberListSchema = z
  .object({
    intents: z.array(intentSummarySchema).readonly(),
    aggregate_status: portfolioAggregateSchema,
  })
  .meta({ id: 'MemberList' });

export interface DueDeadline {
  readonly portfolio_id: string;
  /** ISO-8601. Questions expire at this instant. */
  readonly deadline: string;
}

/** The questions to expire, and the intents that are suspended but whose question is not recorded yet. */
export interface DeadlineBatch extends DueDeadline {
  readonly suspension_ids: readonly string[];
  readonly intent_ids?: readonly string[];
}
