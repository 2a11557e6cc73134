import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import { FALLBACK_POLICIES } from './constants/statuses.js';
import { instantSchema, nameSchema, secondsSchema } from './primitives.js';

/** Fallback policies of RFC-0025 §6 (R25-55). */
export const fallbackPolicySchema = z.enum(FALLBACK_POLICIES);
export type FallbackPolicy = z.infer<typeof fallbackPolicySchema>;

/** One rung of the escalation ladder (R26-40). */
export const ladderEntrySchema = z.object({
  attempt: z.int().min(1),
  channel_hint: nameSchema,
  notify_to: nameSchema.nullish(),
});
export type LadderEntry = z.infer<typeof ladderEntrySchema>;

/** One as it is kept: an agent that writes its record itself may leave the channel open. */
export const keptLadderEntrySchema = ladderEntrySchema.extend({
  channel_hint: z.string().describe('Empty for the default channel.'),
});

/**
 * A HumanRetryPolicy of which any field may be missing (legal at every level of the cascade,
 * R26-65); null means the same as missing (AM-24).
 */
export const partialRetryPolicySchema = z.object({
  max_attempts: z.int().min(1).max(LIMITS.attempts).nullish(),
  interval_seconds: secondsSchema.nullish(),
  strategy: z.literal('fixed').nullish(),
  escalation_ladder: z.array(ladderEntrySchema).max(LIMITS.ladderEntries).nullish(),
  final_fallback_policy: fallbackPolicySchema.nullish(),
});
export type PartialRetryPolicy = z.infer<typeof partialRetryPolicySchema>;

/** A policy after the cascade, as stored in the record (R26-72). */
export const retryPolicySchema = z.object({
  max_attempts: z.int().min(1).max(LIMITS.attempts),
  interval_seconds: secondsSchema.optional(),
  strategy: z.literal('fixed'),
  escalation_ladder: z.array(keptLadderEntrySchema),
  final_fallback_policy: fallbackPolicySchema,
});
export type HumanRetryPolicy = z.infer<typeof retryPolicySchema>;

/** One notification attempt with the ladder entries in force (R26-45, AM-27). */
export const scheduledAttemptSchema = z.object({
  attempt: z.int().min(1),
  at: instantSchema.describe('When the attempt is due.'),
  next_attempt_at: instantSchema.nullable().describe('When the next one is; null on the last.'),
  channel_hint: z.string().nullable().describe('The last ladder entry that names one wins.'),
  notify_to: z.string().nullable().describe('The last ladder entry that names one wins.'),
  ladder: z.array(keptLadderEntrySchema).readonly(),
});
export type ScheduledAttempt = Readonly<z.infer<typeof scheduledAttemptSchema>>;

/** Every instant of a suspension, computed once when it opens (R26-49, AM-29, R25-43). */
export const scheduleSchema = z.object({
  attempts: z.array(scheduledAttemptSchema).readonly(),
  expires_at: z
    .exactOptional(instantSchema)
    .describe('The total deadline; absent where the question never expires.'),
});
export type Schedule = Readonly<z.infer<typeof scheduleSchema>>;
