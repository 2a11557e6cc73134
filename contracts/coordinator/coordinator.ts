import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import {
  instantSchema,
  isoInstantSchema,
  jsonObjectSchema,
  nameSchema,
  secondsSchema,
} from '../kernel/primitives.js';

/** What a coordinator does about a suspension in its scope (R26-31). */
const suspensionPolicySchema = z.enum(['isolate', 'block_dependents', 'escalate']);
export type SuspensionPolicy = z.infer<typeof suspensionPolicySchema>;

/** Statuses of a coordinator (RFC-0013 §5.1). */
const coordinatorStatusSchema = z.enum([
  'registering',
  'active',
  'paused',
  'unresponsive',
  'failed_over',
  'completing',
  'completed',
]);
export type CoordinatorStatus = z.infer<typeof coordinatorStatusSchema>;

const coordinatorTypeSchema = z.enum(['llm', 'human', 'composite', 'system']);
const scopeSchema = z.enum(['intent', 'portfolio']);

/** A coordinator's lease on its scope (RFC-0013 §1.1). Either `intent_id` or `portfolio_id` is set. */
export const coordinatorSchema = z
  .object({
    id: z.uuid(),
    intent_id: z.uuid().nullable(),
    portfolio_id: z.uuid().nullable(),
    agent_id: z.string(),
    holder: z
      .string()
      .describe('The principal that holds the lease: whose key made it, or whom an admin named.'),
    role: z.string(),
    supervisor_id: z.string().nullable(),
    coordinator_type: coordinatorTypeSchema,
    scope: scopeSchema,
    status: coordinatorStatusSchema,
    guardrails: jsonObjectSchema,
    suspension_policy: suspensionPolicySchema,
    own_intent_id: z.uuid().nullable(),
    heartbeat_interval_seconds: secondsSchema,
    last_heartbeat: instantSchema,
    granted_at: instantSchema,
    expires_at: instantSchema.nullable(),
    version: z.int().min(1),
    metadata: jsonObjectSchema,
  })
  .meta({ id: 'Coordinator' });
export type Coordinator = z.infer<typeof coordinatorSchema>;

/** Body of `POST /v1/coordinators`. */
export const createCoordinatorRequestSchema = z
  .object({
    agent_id: nameSchema.optional(),
    intent_id: z.guid().optional(),
    portfolio_id: z.guid().optional(),
    role: nameSchema.default('coordinator'),
    supervisor_id: nameSchema.optional(),
    coordinator_type: coordinatorTypeSchema.default('llm'),
    guardrails: jsonObjectSchema.default({}),
    suspension_policy: suspensionPolicySchema.default('isolate'),
    own_intent_id: z
      .guid()
      .optional()
      .describe(
        'The intent of the coordinator itself: `escalate` suspends it, with a question of its own.',
      ),
    heartbeat_interval_seconds: z.int().min(1).max(LIMITS.heartbeatSeconds).default(60),
    expires_at: isoInstantSchema.optional(),
    metadata: jsonObjectSchema.default({}),
  })
  .meta({ id: 'CreateCoordinatorRequest' });
export type CreateCoordinatorRequest = z.output<typeof createCoordinatorRequestSchema>;

/** Reply of `POST /v1/coordinators/{id}/heartbeat`. */
export const heartbeatReplySchema = z.object({
  status: z.literal('ok'),
  next_heartbeat_at: instantSchema,
});
export type HeartbeatReply = z.infer<typeof heartbeatReplySchema>;

/** Kinds of decisions (RFC-0013 §4.2). */
const decisionTypeSchema = z.enum([
  'plan_created',
  'plan_modified',
  'task_assigned',
  'task_delegated',
  'escalation_initiated',
  'escalation_resolved',
  'checkpoint_evaluated',
  'failure_handled',
  'guardrail_approached',
  'coordinator_handoff',
]);

const rationale = z.string().max(LIMITS.questionCharacters);

/** Body of `POST /v1/decisions`: what a coordinator decided about an intent in its scope, and why. */
export const coordinatorDecisionRequestSchema = z
  .object({
    coordinator_id: z.guid(),
    intent_id: z.guid(),
    decision_type: decisionTypeSchema,
    summary: nameSchema,
    rationale,
    alternatives_considered: z.array(jsonObjectSchema).max(LIMITS.listedNames).default([]),
    confidence: z.number().min(0).max(1).nullish(),
  })
  .meta({ id: 'CoordinatorDecisionRequest' });
export type CoordinatorDecisionRequest = z.output<typeof coordinatorDecisionRequestSchema>;

/** The record of a decision (RFC-0013 §4.1). Its id is that of its event in the log of the intent. */
export const coordinatorDecisionSchema = z
  .object({
    ...coordinatorDecisionRequestSchema.shape,
    id: z.uuid(),
    alternatives_considered: z.array(jsonObjectSchema),
    confidence: z.number().nullable(),
    timestamp: instantSchema,
  })
  .meta({ id: 'CoordinatorDecision' });
export type CoordinatorDecision = z.infer<typeof coordinatorDecisionSchema>;
