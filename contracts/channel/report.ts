import { z } from 'zod';
import { instantSchema } from '../kernel/primitives.js';

const trySchema = z.object({
  at: instantSchema.describe('When it began.'),
  status_code: z.int().nullable().describe('Of the reply over HTTP or SMTP, if there was one.'),
});

const typeSchema = z.enum(['console', 'webhook', 'email', 'slack']);

/** The types of channels whose service a worker asks whether it takes the credentials, without a message to anybody. */
export const ASKED_CHANNELS: readonly z.infer<typeof typeSchema>[] = ['email', 'slack'];

/** How many minutes an answer of a service counts. */
export const CHECK_COUNTS_MINUTES = 15;

/** The result of a worker's last check of a channel's service. */
export const channelCheckSchema = z.object({
  state: z
    .enum(['ok', 'failed', 'unknown'])
    .describe(
      `Whether the service answered and took the credentials, if there are any. \`unknown\` if no worker that runs has asked in the last ${CHECK_COUNTS_MINUTES} minutes.`,
    ),
  at: instantSchema.nullable().describe('When it was asked; null if no answer is kept.'),
  outcome: z.string().nullable().describe('Why it failed then, such as `slack_login_refused`.'),
  reason: z.string().nullable().describe('The same in words, without address or secret.'),
});
export type ChannelCheck = Readonly<z.infer<typeof channelCheckSchema>>;

/** How a channel has fared: its newest delivery, the newest try that failed, and whether its service takes the credentials. */
export const channelReportSchema = z.object({
  name: z.string(),
  type: typeSchema,
  last_delivered: trySchema.nullable(),
  last_failed: trySchema
    .extend({ outcome: z.string().describe('Why, such as `slack_login_refused`.') })
    .nullable(),
  check: channelCheckSchema
    .nullable()
    .describe(
      'What its service said when a worker last asked; null where there is nothing to ask, as of `console` and `webhook`.',
    ),
});
export type ChannelReport = Readonly<z.infer<typeof channelReportSchema>>;

/** Body of `GET /v1/server/channels`. */
export const channelReportsSchema = z.object({
  channels: z.array(channelReportSchema).readonly(),
  unknown_approvers: z
    .exactOptional(z.array(z.string()).readonly())
    .describe('Whom the configuration lets approve and nobody of this space can be, in sentences.'),
});
export type ChannelReports = Readonly<z.infer<typeof channelReportsSchema>>;
