import { z } from 'zod';
import { boundedText, jsonObjectSchema, nameSchema, unitSchema } from '../kernel/primitives.js';
import { LIMITS } from '../constants/limits.js';

/** The signals that decide whether an agent asks, with their defaults (R25-60 to R25-63). */
export const engagementSignalsSchema = z
  .object({
    confidence: unitSchema.default(1),
    risk: unitSchema.default(0),
    reversibility: unitSchema.default(1),
    context: jsonObjectSchema.default({}),
  })
  .meta({ id: 'EngagementSignals' });
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
 * The result of `should_request_input()`, whose fields the specification does not define. `may_act` is true only for
 * `autonomous`, because an agent that defers may not act either.
 */
export const engagementDecisionSchema = z
  .object({
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
  })
  .meta({ id: 'EngagementDecision' });
export type EngagementDecision = z.infer<typeof engagementDecisionSchema>;

/** How a report groups questions. A question with several tools, groups or channels counts in each of them. */
export const ENGAGEMENT_GROUPINGS = ['day', 'agent', 'tool', 'group', 'channel'] as const;
export type EngagementGrouping = (typeof ENGAGEMENT_GROUPINGS)[number];

/** Limits a report to some questions. All given fields have to match. */
export const engagementFilterSchema = z.object({
  agent: nameSchema.optional().describe('The principal that asked.'),
  tool: nameSchema.optional().describe('A tool of the proposed calls.'),
  group: nameSchema.optional().describe('A group that the rule in force names.'),
  channel: nameSchema.optional().describe('A channel of one of the attempts so far.'),
});
export type EngagementFilter = Readonly<z.output<typeof engagementFilterSchema>>;

/** A day, as in 2026-11-28. */
export const daySchema = boundedText(10).check(z.iso.date({ abort: true }));

const count = z.int().min(0);
const seconds = z.number().min(0).nullable();

const durationSchema = z.object({
  count: count.describe('The questions to which it has happened.'),
  p50_seconds: seconds.describe('So long or less for half of them; null if there are none.'),
  p90_seconds: seconds.describe('So long or less for nine of ten.'),
});
export type EngagementDuration = Readonly<z.infer<typeof durationSchema>>;

const figuresSchema = z.object({
  asked: count,
  open: count,
  answered: count,
  denied: count.describe('The answers that say no.'),
  edited: count.describe('Questions for an approval of which a person has changed arguments.'),
  expired: count,
  cancelled: count,
  as_expected: count.describe(
    'The answers that were the fallback, or that approved every call unchanged: these need not have been asked.',
  ),
  until_viewed: durationSchema.describe(
    'Until somebody who may answer first opened, claimed or answered it.',
  ),
  until_claimed: durationSchema.describe('Until somebody first claimed it.'),
  until_answered: durationSchema.describe(
    'Until it was answered; with several votes, by the last.',
  ),
});
export type EngagementFigures = Readonly<z.infer<typeof figuresSchema>>;

const groupSchema = figuresSchema.extend({
  key: z
    .string()
    .nullable()
    .describe('The day, or the name; null for questions that have no tool, or name no group.'),
});
export type EngagementGroup = Readonly<z.infer<typeof groupSchema>>;

/** Body of `GET /v1/metrics/engagement`: the outcome of the questions that were asked on some days. */
export const engagementReportSchema = z.object({
  from: daySchema,
  to: daySchema.describe('The last day, which is included.'),
  time_zone: z.string(),
  group_by: z.enum(ENGAGEMENT_GROUPINGS),
  total: figuresSchema.describe('Each question once.'),
  groups: z
    .array(groupSchema)
    .max(LIMITS.reportDays)
    .readonly()
    .describe('By day, every day; else those with the most questions first.'),
  left_out: count.describe('The groups with the fewest questions, for which there is no room.'),
});
export type EngagementReport = Readonly<z.infer<typeof engagementReportSchema>>;
