import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import { instantSchema, jsonObjectSchema, nameSchema } from './primitives.js';

/** The decisions of RFC-0013 §4.2. */
const decisionTypeSchema = z.enum([
  ...(['plan_created', 'plan_modified', 'task_assigned', 'task_delegated'] as const),
  ...(['escalation_initiated', 'escalation_resolved', 'checkpoint_evaluated'] as const),
  ...(['failure_handled', 'guardrail_approached', 'coordinator_handoff'] as const),
]);

const rationale = z.string().max(LIMITS.questionCharacters);

/** Body of `POST /v1/decisions`: what a coordinator decided for an intent in its scope, and why. */
export const coordinatorDecisionRequestSchema = z.object({
  coordinator_id: z.guid(),
  intent_id: z.guid(),
  decision_type: decisionTypeSchema,
  summary: nameSchema,
  rationale,
  alternatives_considered: z.array(jsonObjectSchema).max(LIMITS.listedNames).default([]),
  confidence: z.number().min(0).max(1).nullish(),
});
export type CoordinatorDecisionRequest = z.output<typeof coordinatorDecisionRequestSchema>;

/** A decision record (RFC-0013 §4.1); its id is that of its event in the log of the intent. */
export const coordinatorDecisionSchema = z.object({
  ...coordinatorDecisionRequestSchema.shape,
  id: z.uuid(),
  alternatives_considered: z.array(jsonObjectSchema),
  confidence: z.number().nullable(),
  timestamp: instantSchema,
});
export type CoordinatorDecision = z.infer<typeof coordinatorDecisionSchema>;
