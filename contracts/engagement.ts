import { z } from 'zod';
import { jsonObjectSchema, unitSchema } from './primitives.js';

/** EngagementSignals with the defaults of RFC-0025 §7.1 (R25-60 … 63). */
export const engagementSignalsSchema = z.object({
  confidence: unitSchema.default(1),
  risk: unitSchema.default(0),
  reversibility: unitSchema.default(1),
  context: jsonObjectSchema.default({}),
});
export type EngagementSignals = z.output<typeof engagementSignalsSchema>;
export type EngagementBody = z.input<typeof engagementSignalsSchema>;

export const engagementModeSchema = z.enum([
  'autonomous',
  'request_input',
  'require_input',
  'defer',
]);
export type EngagementMode = z.infer<typeof engagementModeSchema>;

/** The decision of `should_request_input()` (AM-09); `may_act` is true only for autonomous (AM-08). */
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
