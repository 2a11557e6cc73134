import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { boundedText, nameSchema } from '../kernel/primitives.js';

/** What the questions of a report are counted by. A question with several tools, groups or channels counts under each of them. */
export const ENGAGEMENT_GROUPINGS = ['day', 'agent', 'tool', 'group', 'channel'] as const;
export type EngagementGrouping = (typeof ENGAGEMENT_GROUPINGS)[number];

/** Narrows a report to some questions. All fields that are present have to match. */
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

/** Body of `GET /v1/metrics/engagement`: how the questions that were asked on some days went. */
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
