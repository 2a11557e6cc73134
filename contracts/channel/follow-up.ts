import type { OutgoingMessage, ProposalToShow } from './notification.js';
import { z } from 'zod';
import { instantSchema, type JsonObject } from '../kernel/primitives.js';

/** A sent message that its channel can update when its question ends or changes. */
export interface SentMessage {
  readonly delivery_id: string;
  readonly suspension_id: string;
  readonly channel: string;
  readonly reference: string | null;
  /** The principal of the recipient, if the channel reaches people. */
  readonly person: string | null;
  /** The version of the question that it shows. */
  readonly shows: number;
}

/** The note with an answer, if it may leave the service. */
export interface NoteToTell {
  readonly by: string;
  /** Absent if only the inbox shows it. */
  readonly text?: string;
}

/** An edit by people of what was asked about. */
export interface EditToShow {
  readonly version: number;
  /** The edited calls, if they are known and may leave the service. */
  readonly calls?: readonly EditedCallToShow[];
}

export interface EditedCallToShow {
  readonly tool: string;
  /** Which of several calls it is, from 1; absent if it is the only one. */
  readonly position?: number;
  /** The arguments before the edit, if they are known and may leave the service. */
  readonly before?: JsonObject;
}

/** How a question ended, for a channel: the choice that was answered, and the notes. */
export interface OutgoingOutcome {
  readonly kind: 'settled';
  readonly outcome: 'answered' | 'expired' | 'withdrawn';
  readonly question: string;
  readonly at: string;
  readonly by?: string;
  readonly choice_label?: string;
  /** The decided calls of an answered approval, if they may leave the service. */
  readonly approval?: ProposalToShow;
  readonly edited?: EditToShow;
  readonly notes?: readonly NoteToTell[];
}

/** The state of a message's question: it is over, or it has changed and is shown again. */
export type OutgoingChange =
  OutgoingOutcome | { readonly kind: 'changed'; readonly message: OutgoingMessage };

const trySchema = z.object({
  at: instantSchema.describe('When it began.'),
  status_code: z.int().nullable().describe('Of the reply over HTTP or SMTP, if there was one.'),
});

const typeSchema = z.enum(['console', 'none', 'webhook', 'email', 'slack']);

/** The types of channels whose credentials a worker checks with their service, without sending a message. */
export const ASKED_CHANNELS: readonly z.infer<typeof typeSchema>[] = ['email', 'slack'];

/** How long a check of a service is valid, in minutes. */
export const CHECK_COUNTS_MINUTES = 15;

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

/**
 * The state of a channel: its newest delivery, its newest failed try, and whether its service accepts the
 * credentials.
 */
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
