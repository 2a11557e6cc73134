import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import { engagementDecisionSchema } from './engagement.js';
import type { FieldCodes } from './parse-fields.js';
import {
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  textSchema,
  unitSchema,
} from './primitives.js';
import type { JsonObject, JsonValue } from './primitives.js';
import { fallbackPolicySchema, partialRetryPolicySchema } from './retry-policy.js';
import { responseTypeSchema, suspensionChoiceSchema } from './suspension.js';
import type { SuspensionDraft, SuspensionRecord } from './suspension.js';

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

/** What the workflow of an agent asks: as over HTTP, with the name that it asks under. */
export const inputRequestSchema = suspendRequestSchema
  .omit({ request_key: true })
  .extend({ asked_by: nameSchema.optional() });
export type InputBody = z.input<typeof inputRequestSchema>;

/** The question as it will be kept, and what the agent should know about it. */
export interface PreparedInput {
  readonly draft: SuspensionDraft;
  readonly warnings: readonly string[];
}

/** A suspension as the store has it; pending where its workflow was ended from outside. */
export interface StoredInput {
  readonly record: SuspensionRecord;
  readonly attempt: number;
}

/** The operator's answer as a hook gets it (RFC-0025 §10, R25-97). */
export interface InputResponse {
  readonly suspension_id: string;
  readonly value: JsonValue;
  readonly choice_label?: string;
  readonly choice_description?: string;
  readonly responded_by: string;
  readonly responded_at: string;
  readonly metadata?: JsonObject;
}

/**
 * The record as hooks see it: `channel_hint` and `notify_to` are those in force for the attempt
 * (R26-62), and the context carries the attempt's number (R26-61); none of it is stored (AM-30).
 */
export type AskedSuspension = Omit<SuspensionRecord, 'context'> & {
  readonly intent_id: string | null;
  readonly notify_to: string | null;
  readonly context: JsonObject & { readonly _attempt: number; readonly _max_attempts: number };
};

/** What the hooks of an agent on Temporal are called with. */
export interface InputHookEvent {
  /** `<suspension_id>:<attempt>:<hook>`: the same where the hook is called again (TM-09). */
  readonly idempotency_key: string;
  readonly suspension: AskedSuspension;
  /** The answer; for `onInputReceived` only. */
  readonly response?: InputResponse;
}
