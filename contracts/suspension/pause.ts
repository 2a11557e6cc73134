import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { PAUSE_REASONS } from '../constants/pauses.js';
import { jsonObjectSchema, nameSchema } from '../kernel/primitives.js';

/** Principals that may resume a pause, besides its asker. */
export const resumersSchema = z
  .array(nameSchema)
  .max(LIMITS.listedNames)
  .describe('Principals that may resume it too, besides who opened it and admins.');

/** Makes a suspension a pause (JC-48), which whoever knows the signal resumes. Without it, it is a `human_input`. */
export const pausePartSchema = z.object({
  reason: z.enum(PAUSE_REASONS),
  resume_signal: z.string().describe('What resumes it; any other signal is refused.'),
  resumable_by: resumersSchema,
  timeout_outcome: z.string().describe('The outcome where nothing resumes it in time.'),
  metadata: jsonObjectSchema,
});
export type PausePart = z.infer<typeof pausePartSchema>;
