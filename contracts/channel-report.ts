import { z } from 'zod';
import { instantSchema } from './primitives.js';

const trySchema = z.object({
  at: instantSchema.describe('When it began.'),
  status_code: z.int().nullable().describe('Of the reply over HTTP or SMTP, if there was one.'),
});

/** How a channel has fared: its newest delivery, and the newest try that failed. */
export const channelReportSchema = z.object({
  name: z.string(),
  type: z.enum(['console', 'webhook', 'email', 'slack']),
  last_delivered: trySchema.nullable(),
  last_failed: trySchema
    .extend({ outcome: z.string().describe('Why, such as `slack_login_refused`.') })
    .nullable(),
});
export type ChannelReport = Readonly<z.infer<typeof channelReportSchema>>;

/** Body of `GET /v1/server/channels`. */
export const channelReportsSchema = z.object({ channels: z.array(channelReportSchema).readonly() });
export type ChannelReports = Readonly<z.infer<typeof channelReportsSchema>>;
