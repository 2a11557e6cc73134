import { z } from 'zod';
import { jsonObjectSchema, unitSchema } from '../kernel/primitives.js';

/** The signals that decide whether an agent asks, with their defaults (R25-60 to R25-63). */
export const engagementSignalsSchema = z.object({
  confidence: unitSchema.default(1),
  risk: unitSchema.default(0),
  reversibility: unitSchema.default(1),
  context: jsonObjectSchema.default({}),
});
export type EngagementSignals = z.output<typeof engagementSignalsSchema>;
export type EngagementBody = z.input<typeof engagementSignalsSchema>;

/** What an agent should do: act, ask, ask in any case, or neither act nor ask (R25-64). */
export const engagementModeSchema = z.enum([
  'autonomous',
  'request_input',
  'require_input',
  'defer',
]);
export type EngagementMode = z.infer<typeof engagementModeSchema>;

/**
 * The result of `should_request_input()`, whose fields the specification leaves open. `may_act` is true for
 * `autonomous` only, because an agent that defers may not act either.
 */
export const engagementDecisionSchema = z.object({
  mode: engagementModeSchema,
  should_ask: z.boolean(),
  may_act: z.boolean(),
  rationale: z.string(),
  signals: z.object({
    confidence: unitSchema,
    risk: unitSchema,
    reversibility: unitSchema,
    context: jsonObjectSchema,
  }),
});
export type EngagementDecision = z.infer<typeof engagementDecisionSchema>;
