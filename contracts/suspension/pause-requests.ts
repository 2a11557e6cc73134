import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { PAUSE_REASONS } from '../constants/statuses.js';
import { resumersSchema } from './suspension.js';
import {
  jsonObjectSchema,
  jsonValueSchema,
  nameSchema,
  secondsSchema,
  type JsonValue,
} from '../kernel/primitives.js';
import { respondRequestSchema, suspendRequestSchema, type SuspendRequest } from './requests.js';

/** Body of `POST /v1/suspensions` for another reason than `human_input` (JC-47, JC-48). */
export const pauseRequestSchema = z
  .object({
    reason: z.enum(PAUSE_REASONS),
    resume_signal: nameSchema.describe('What resumes it, such as `rate_limit_cleared`.'),
    resumable_by: resumersSchema.default([]),
    timeout_seconds: secondsSchema.optional(),
    timeout_outcome: nameSchema
      .default('timeout')
      .describe('The outcome where nothing resumes it in time.'),
    metadata: jsonObjectSchema.default({}),
    request_key: z.string().min(1).max(LIMITS.nameCharacters).optional(),
  })
  .meta({ id: 'PauseRequest' });
export type PauseRequest = z.output<typeof pauseRequestSchema>;
export type PauseBody = z.input<typeof pauseRequestSchema>;

/** The request that opens a suspension: a question to people, or a pause for another reason. */
export const openSuspensionRequestSchema = z.union([suspendRequestSchema, pauseRequestSchema]);
export type OpenSuspensionRequest = SuspendRequest | PauseRequest;

/** The same pause from a workflow's code, with the opener's name. */
export const pauseInputSchema = pauseRequestSchema
  .omit({ request_key: true })
  .extend({ asked_by: nameSchema.optional() });
export type PauseInputBody = z.input<typeof pauseInputSchema>;

/**
 * Body of `POST /v1/suspensions/{id}/resume` (JC-51): `resume_signal` resumes a pause, `value` answers a question.
 */
export const resumeRequestSchema = z
  .object({
    resume_signal: nameSchema.optional().describe('Resumes a pause; the one it was opened with.'),
    ...respondRequestSchema.omit({ suspension_id: true }).partial().shape,
    data: jsonValueSchema
      .optional()
      .describe(
        'What the pause resumes with; with a `value`, the object that the question wants besides.',
      ),
  })
  .meta({ id: 'ResumeRequest' });
export type ResumeRequest = z.output<typeof resumeRequestSchema>;
export type ResumeBody = z.input<typeof resumeRequestSchema>;

/** How a pause ended: `resumed`, with the data that came with the signal; or its `timeout_outcome`, with null. */
export interface PauseEnd {
  readonly outcome: string;
  readonly data: JsonValue;
}

/** Whether an unchecked input is a pause: its reason is another than the usual one. */
export function saysPause(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || !('reason' in input)) return false;
  return ![undefined, null, 'human_input'].includes(input.reason as string | null | undefined);
}
