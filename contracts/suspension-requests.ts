import { z } from 'zod';
import type { FieldCodes } from './parse-fields.js';
import { LIMITS } from './constants/limits.js';
import { engagementDecisionSchema } from './engagement.js';
import {
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  textSchema,
  unitSchema,
} from './primitives.js';
import { fallbackPolicySchema, partialRetryPolicySchema } from './retry-policy.js';
import { responseTypeSchema, suspensionChoiceSchema } from './suspension.js';

/**
 * Body of `POST /v1/intents/{id}/suspend`, the wire form of `request_input()` (R25-87, AM-33).
 * `agent_retry_policy` is the agent's own default (the middle level of the cascade, R26-71), `inherit_retry_policy: false`
 * leaves the cascade out (AM-22), and `request_key` makes the call re-attachable.
 */
export const suspendRequestSchema = z.object({
  question: textSchema(LIMITS.questionCharacters),
  response_type: responseTypeSchema.default('choice'),
  choices: z.array(suspensionChoiceSchema).max(LIMITS.choices).optional(),
  context: jsonObjectSchema.optional(),
  channel_hint: nameSchema.optional(),
  timeout_seconds: secondsSchema.optional(),
  fallback_policy: fallbackPolicySchema.optional(),
  fallback_value: jsonValueSchema.optional(),
  retry_policy: partialRetryPolicySchema.nullish(),
  agent_retry_policy: partialRetryPolicySchema.nullish(),
  inherit_retry_policy: z.boolean().default(true),
  confidence: unitSchema.optional(),
  decision: engagementDecisionSchema.optional(),
  request_key: z.string().min(1).max(LIMITS.nameCharacters).optional(),
});
export type SuspendRequest = z.output<typeof suspendRequestSchema>;
export type SuspendBody = z.input<typeof suspendRequestSchema>;

/** Fields of a question whose refusal has a code of its own. */
export const SUSPEND_CODES: FieldCodes = {
  choices: 'invalid_choices',
  confidence: 'invalid_signals',
  retry_policy: 'invalid_retry_policy',
  agent_retry_policy: 'invalid_retry_policy',
};

/** Body of `POST /v1/intents/{id}/suspend/respond` (R25-72). */
export const respondRequestSchema = z.object({
  suspension_id: z.string().min(1),
  value: jsonValueSchema,
  responded_by: nameSchema.optional(),
  metadata: jsonObjectSchema.optional(),
});
export type RespondRequest = z.infer<typeof respondRequestSchema>;
export type RespondBody = z.input<typeof respondRequestSchema>;

/** Body of `POST /v1/intents/{id}/suspend/cancel` (AM-34). */
export const cancelRequestSchema = z.object({
  suspension_id: z.string().min(1).optional(),
  reason: textSchema(LIMITS.questionCharacters).optional(),
});
export type CancelRequest = z.infer<typeof cancelRequestSchema>;
