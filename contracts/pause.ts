import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import { PAUSE_REASONS } from './constants/pauses.js';
import { jsonObjectSchema, nameSchema } from './primitives.js';

/** Principals that may resume a pause, besides whoever asked. */
export const resumersSchema = z
  .array(nameSchema)
  .max(LIMITS.listedNames)
  .describe('Principals that may resume it too, besides who opened it and admins.');

/**
 * What makes a suspension a pause (JC-48): nobody is asked, and whoever knows the signal resumes it. A suspension
 * without it is a question to people, whose reason is `human_input`.
 */
export const pausePartSchema = z.object({
  reason: z.enum(PAUSE_REASONS),
  resume_signal: z.string().describe('What resumes it; any other signal is refused.'),
  resumable_by: resumersSchema,
  timeout_outcome: z.string().describe('The outcome where nothing resumes it in time.'),
  metadata: jsonObjectSchema,
});
export type PausePart = z.infer<typeof pausePartSchema>;
