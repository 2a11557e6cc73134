import { z } from 'zod';
import { approvalClaimSchema } from './approval-judging.js';
import type { ApprovalPlan } from './approval-judging.js';
import type { Proposal } from './approval.js';
import { APPROVAL_KINDS } from './constants/approvals.js';
import type { ApprovalVerdict } from './constants/approvals.js';
import { LIMITS } from './constants/limits.js';
import { jsonObjectSchema, nameSchema, textSchema } from './primitives.js';
import type { JsonObject } from './primitives.js';
import { responseSchemaSchema } from './suspension.js';

/** A call to be approved, with what its agent says of it. */
const askedCallSchema = z.object({
  id: nameSchema,
  tool: nameSchema,
  arguments: jsonObjectSchema,
  claimed: approvalClaimSchema.optional(),
  /** The schema of the arguments; edited ones are judged by it. */
  input_schema: jsonObjectSchema.optional(),
});

/** What is to be approved, before the rules have judged it. */
export const prepareApprovalRequestSchema = z.object({
  approval_id: z.uuid(),
  kind: z.enum(APPROVAL_KINDS).default('tool_approval'),
  run_id: nameSchema,
  turn_index: z.int().min(0).default(0),
  agent: nameSchema,
  on_behalf_of: nameSchema.optional(),
  calls: z.array(askedCallSchema).max(LIMITS.proposedCalls).default([]),
  prompt: textSchema(LIMITS.questionCharacters).optional(),
  visible_context: jsonObjectSchema.default({}),
  /** Why the agent itself gates the calls. */
  reason: textSchema(LIMITS.questionCharacters).optional(),
  response_schema: responseSchemaSchema.optional(),
  /** What people and channels are shown besides (JC-36, JC-37). It is no part of the proposal. */
  context: jsonObjectSchema.optional(),
  channel_hint: nameSchema.optional(),
});
export type ApprovalAsk = Readonly<z.output<typeof prepareApprovalRequestSchema>>;
export type PrepareApprovalRequest = Readonly<z.input<typeof prepareApprovalRequestSchema>>;

/** What the rules make of it: the proposal, and who is asked, resolved once and never again. */
export interface ApprovalOpening {
  readonly proposal: Proposal;
  readonly verdict: ApprovalVerdict;
  /** Who is asked, in which order; there if the verdict is `escalate`. */
  readonly plan?: ApprovalPlan;
  /** Why the calls are gated, or denied. */
  readonly reason?: string;
  /** By tool; edited arguments are judged by them. */
  readonly input_schemas?: Readonly<Record<string, JsonObject>>;
  /** What has to come with a decision (JC-36, JC-42). */
  readonly response_schema?: JsonObject;
  readonly context?: JsonObject;
  readonly channel_hint?: string;
}

/** The same with what a workflow cannot make for itself. */
export interface PreparedApproval extends ApprovalOpening {
  /** When it was judged (ISO-8601); it counts as asked then. */
  readonly asked_at: string;
  /** The key of the salts of its logs: random, and made outside the workflow. */
  readonly log_key: string;
}
