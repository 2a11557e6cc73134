import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { FALLBACK_POLICIES } from '../constants/statuses.js';
import { eligibleSchema } from './decision.js';
import { instantSchema, nameSchema, secondsSchema } from '../kernel/primitives.js';

/** What happens if nobody answers (R25-55). */
export const fallbackPolicySchema = z.enum(FALLBACK_POLICIES);
export type FallbackPolicy = z.infer<typeof fallbackPolicySchema>;

/** One entry of the escalation ladder (R26-40). */
export const ladderEntrySchema = z.object({
  attempt: z.int().min(1),
  channel_hint: nameSchema,
  notify_to: nameSchema.nullish(),
  eligible: eligibleSchema
    .optional()
    .describe('Who may answer from this attempt on, in place of who might before.'),
});
export type LadderEntry = z.infer<typeof ladderEntrySchema>;

/** A stored entry. Its channel may be empty, because OpenIntent agents write their records themselves. */
export const keptLadderEntrySchema = ladderEntrySchema.extend({
  channel_hint: z.string().describe('Empty for the default channel.'),
});

/** A retry policy in which any field may be absent or null, as on each level of the cascade (R26-65). */
export const partialRetryPolicySchema = z.object({
  max_attempts: z.int().min(1).max(LIMITS.attempts).nullish(),
  interval_seconds: secondsSchema.nullish(),
  strategy: z.literal('fixed').nullish(),
  escalation_ladder: z.array(ladderEntrySchema).max(LIMITS.ladderEntries).nullish(),
  final_fallback_policy: fallbackPolicySchema.nullish(),
});
export type PartialRetryPolicy = z.infer<typeof partialRetryPolicySchema>;

/** A complete policy, as the record stores it after the cascade (R26-72). */
export const retryPolicySchema = z
  .object({
    max_attempts: z.int().min(1).max(LIMITS.attempts),
    interval_seconds: secondsSchema.optional(),
    strategy: z.literal('fixed'),
    escalation_ladder: z.array(keptLadderEntrySchema),
    final_fallback_policy: fallbackPolicySchema,
  })
  .meta({ id: 'RetryPolicy' });
export type HumanRetryPolicy = z.infer<typeof retryPolicySchema>;

/** One attempt, with its ladder entries (R26-45), of which there may be several. */
export const scheduledAttemptSchema = z.object({
  attempt: z.int().min(1),
  at: instantSchema.describe('When the attempt is due.'),
  next_attempt_at: instantSchema
    .nullable()
    .describe('When the next attempt is due; null on the last.'),
  channel_hint: z.string().nullable().describe('Of the last ladder entry that names a channel.'),
  notify_to: z.string().nullable().describe('Of the last ladder entry that names a recipient.'),
  ladder: z.array(keptLadderEntrySchema).readonly(),
});
export type ScheduledAttempt = Readonly<z.infer<typeof scheduledAttemptSchema>>;

/** All instants of a suspension. They are computed once, when it opens (R26-49). */
export const scheduleSchema = z
  .object({
    attempts: z.array(scheduledAttemptSchema).readonly(),
    expires_at: z
      .exactOptional(instantSchema)
      .describe('The deadline over all attempts; absent if the question never expires.'),
  })
  .meta({ id: 'Schedule' });
export type Schedule = Readonly<z.infer<typeof scheduleSchema>>;
