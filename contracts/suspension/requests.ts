import { z } from 'zod';
import {
  answerMetadataSchema,
  answerNotes,
  decisionRuleRequestSchema,
  denialsSchema,
  despiteClaimSchema,
} from './decision.js';
import { decidedHashSchema, editedCallSchema } from '../approval/approval.js';
import { LIMITS } from '../constants/limits.js';
import { engagementDecisionSchema } from './engagement.js';
import type { FieldCodes } from '../kernel/parse-fields.js';
import {
  boundedText,
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  unitSchema,
  writtenSchema,
  type JsonObject,
} from '../kernel/primitives.js';
import { fallbackPolicySchema, partialRetryPolicySchema } from './retry-policy.js';
import {
  responseSchemaSchema,
  responseTypeSchema,
  sentChoiceSchema,
  textFormatSchema,
  type QuestionFindings,
  type SuspensionDraft,
  type SuspensionRecord,
} from './suspension.js';
import type { RespondResult } from './view.js';

/**
 * Body of `POST /v1/intents/{id}/suspend`, which `request_input()` sends (R25-87). `agent_retry_policy` is the
 * agent's default, the middle level of the cascade (R26-71); `inherit_retry_policy: false` uses only the call's own
 * level. A repeated `request_key` returns the question that was asked before.
 */
export const suspendRequestSchema = z
  .object({
    reason: z.literal('human_input').optional(),
    question: writtenSchema(LIMITS.questionCharacters),
    text_format: textFormatSchema.optional(),
    response_type: responseTypeSchema.default('choice'),
    choices: z
      .array(sentChoiceSchema)
      .max(LIMITS.choices)
      .optional()
      .describe('Each a text, which is its value and its label, or an object.'),
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
    response_schema: responseSchemaSchema.optional(),
    decision_rule: decisionRuleRequestSchema
      .optional()
      .describe('Who decides; by default one operator or admin.'),
    denials: denialsSchema
      .optional()
      .describe('The answers that deny; empty if none does. The same as in `decision_rule`.'),
    on_behalf_of: nameSchema
      .optional()
      .describe('For whom the agent asks; see `suspension.separation_of_duties`.'),
    request_key: z.string().min(1).max(LIMITS.nameCharacters).optional(),
  })
  .meta({ id: 'SuspendRequest' });
export type SuspendRequest = z.output<typeof suspendRequestSchema>;
export type SuspendBody = z.input<typeof suspendRequestSchema>;

export const SUSPEND_CODES: FieldCodes = {
  choices: 'invalid_choices',
  confidence: 'invalid_signals',
  retry_policy: 'invalid_retry_policy',
  agent_retry_policy: 'invalid_retry_policy',
  decision_rule: 'invalid_decision_rule',
  denials: 'invalid_decision_rule',
  response_schema: 'invalid_response_schema',
};

/** Body of `POST /v1/intents/{id}/suspend/respond` (R25-72). */
export const respondRequestSchema = z
  .object({
    suspension_id: boundedText(LIMITS.nameCharacters).min(1),
    value: jsonValueSchema,
    responded_by: nameSchema.optional(),
    question_version: z.int().min(1).optional(),
    proposal_hash: decidedHashSchema,
    edits: z
      .array(editedCallSchema)
      .max(LIMITS.proposedCalls)
      .optional()
      .describe('With the value `approved`: other arguments for calls of the proposal.'),
    despite_claim: despiteClaimSchema,
    ...answerNotes,
    metadata: answerMetadataSchema,
  })
  .meta({ id: 'RespondRequest' });
export type RespondRequest = z.infer<typeof respondRequestSchema>;
export type RespondBody = z.input<typeof respondRequestSchema>;

/** Body of `PATCH /v1/suspensions/{id}`: what replaces the original question. */
export const amendRequestSchema = suspendRequestSchema
  .pick({
    question: true,
    text_format: true,
    choices: true,
    context: true,
    response_schema: true,
  })
  .partial()
  .extend({
    question_version: z.int().min(1).describe('The version that is corrected.'),
    reason: writtenSchema(LIMITS.questionCharacters).optional(),
  });
export type AmendRequest = z.output<typeof amendRequestSchema>;
export type AmendBody = Readonly<z.input<typeof amendRequestSchema>>;

/** Body of `POST /v1/suspensions/respond`: one answer to many questions that accept the same answers. */
export const bulkAnswerRequestSchema = z.object({
  answers: z
    .array(
      respondRequestSchema.pick({
        suspension_id: true,
        question_version: true,
        proposal_hash: true,
      }),
    )
    .min(1)
    .max(LIMITS.bulkAnswers),
  ...respondRequestSchema.pick({
    value: true,
    comment: true,
    data: true,
    metadata: true,
    despite_claim: true,
  }).shape,
});
export type BulkAnswerRequest = z.infer<typeof bulkAnswerRequestSchema>;
export type BulkAnswerBody = Readonly<z.input<typeof bulkAnswerRequestSchema>>;

/** Body of `POST /v1/intents/{id}/suspend/cancel`; the specification does not define this request. */
export const cancelRequestSchema = z
  .object({
    suspension_id: boundedText(LIMITS.nameCharacters).min(1).optional(),
    reason: writtenSchema(LIMITS.questionCharacters).optional(),
  })
  .meta({ id: 'CancelRequest' });
export type CancelRequest = z.infer<typeof cancelRequestSchema>;

/** The question of an agent's workflow: the same as over HTTP, with the name under which it asks. */
export const inputRequestSchema = suspendRequestSchema
  .omit({ request_key: true })
  .extend({ asked_by: nameSchema.optional() });
export type InputBody = z.input<typeof inputRequestSchema>;

export interface PreparedInput {
  /** The instant (ISO-8601) of the check, which counts as the instant of the question. */
  readonly asked_at: string;
  readonly draft: SuspensionDraft;
  readonly warnings: readonly string[];
  readonly findings?: QuestionFindings;
}

export interface StoredInput {
  readonly record: SuspensionRecord;
  readonly attempt: number;
}

/** An operator's answer, as hooks receive it (R25-97). */
export type InputResponse = Omit<
  RespondResult,
  'intent_id' | 'resolution' | 'approvals' | 'required'
>;

/** A record for hooks, with the `channel_hint` and `notify_to` of the attempt (R26-62), and its number (R26-61). */
export type AskedSuspension = Omit<SuspensionRecord, 'context'> & {
  readonly intent_id: string | null;
  readonly notify_to: string | null;
  readonly context: JsonObject & { readonly _attempt: number; readonly _max_attempts: number };
};

export interface InputHookEvent {
  /** `<suspension_id>:<attempt>:<hook>`. A hook that runs again gets the same key. */
  readonly idempotency_key: string;
  readonly suspension: AskedSuspension;
  /** Only for `onInputReceived`. */
  readonly response?: InputResponse;
}
