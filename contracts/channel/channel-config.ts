import { z } from 'zod';
import { boundedText, nameSchema, variableOr } from '../kernel/primitives.js';

const MOST_CHARACTERS = 500;

/** The form of the token of a Slack bot, and how error messages describe it. */
export const SLACK_TOKEN = {
  pattern: /^xoxb-[\w-]+$/,
  form: 'a bot token that begins with "xoxb-"',
} as const;

/** Where to find the secret with which Slack signs what it posts. */
export const SLACK_SIGNING_SECRET = {
  pattern: /^[\da-f]{32}$/,
  form: 'a signing secret of 32 hexadecimal digits',
} as const;

/** Where to find the token with which an app opens its connection to Slack. */
export const SLACK_APP_TOKEN = {
  pattern: /^xapp-[\w-]+$/,
  form: 'an app-level token that begins with "xapp-"',
} as const;

function secretSource({ pattern, form }: { readonly pattern: RegExp; readonly form: string }) {
  return variableOr((text) => pattern.test(text), form, MOST_CHARACTERS);
}

function isApiUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash, pathname } = new URL(text);
  const isBare = [username, password, search, hash].every((part) => part === '');
  const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1');
  return isBare && isSafe && pathname.endsWith('/');
}

/** How button presses reach the API; without it, messages have no buttons and link to the inbox. */
const slackAnswersSchema = z
  .strictObject({
    /** For presses that Slack posts to the API: the secret that it signs them with. */
    signing_secret: secretSource(SLACK_SIGNING_SECRET).optional(),
    /** For presses that the API receives over a connection of its own: the token that opens it. */
    app_token: secretSource(SLACK_APP_TOKEN).optional(),
    /** Whether a button suffices to decide an approval; otherwise a sign-in is required. */
    approvals: z.boolean().default(true),
  })
  .refine(({ signing_secret, app_token }) => (signing_secret ?? app_token) !== undefined, {
    params: { accepted: 'signing_secret, app_token, or both' },
  });

/** A channel that posts to Slack. Even after the longest timeout, the activity has time to record the try. */
export const slackConfigSchema = z.strictObject({
  type: z.literal('slack'),
  bot_token: secretSource(SLACK_TOKEN),
  /** The id of the bot's workspace; if absent, Slack is asked for it. */
  team: boundedText(MOST_CHARACTERS)
    .regex(/^T[A-Z\d]+$/)
    .optional(),
  /** The id of the Slack channel that gets every message; if absent, each person gets a direct message. */
  conversation: boundedText(MOST_CHARACTERS)
    .regex(/^[CG][A-Z\d]+$/)
    .optional(),
  /** The person or group that gets messages without a recipient, or is mentioned. */
  to: nameSchema.optional(),
  answers: slackAnswersSchema.optional(),
  /** A base URL other than Slack's, such as GovSlack's. */
  api_url: boundedText(MOST_CHARACTERS)
    .refine(isApiUrl, { params: { accepted: 'an https:// URL that ends with a slash' } })
    .default('https://slack.com/api/'),
  timeout_seconds: z.int().min(1).max(20).default(10),
  e2e_encrypted: z.literal(false).default(false),
});
export type SlackConfig = z.output<typeof slackConfigSchema>;

const MOST_ADDRESS_CHARACTERS = 1_000;

export const SMTP_FORM = 'smtp://user:password@host:587 or smtps://user:password@host:465';

export function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  const isBare = (pathname === '' || pathname === '/') && search === '' && hash === '';
  return ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && isBare;
}

const ADDRESS = /^[^\s<>"@]+@[^\s<>"@]+$/;
const NAMED_ADDRESS = /^[^<>"@]+ <[^\s<>"@]+@[^\s<>"@]+>$/;
/** `name@example.com`, or `Name <name@example.com>`. */
const senderSchema = boundedText(MOST_ADDRESS_CHARACTERS)
  .regex(/^\P{Cc}*$/u)
  .refine((text) => ADDRESS.test(text) || NAMED_ADDRESS.test(text), {
    params: { accepted: 'name@example.com or Name <name@example.com>' },
  });

/**
 * A channel that mails people of the directory. Even after the longest timeout, the activity has time to record the
 * try.
 */
export const emailConfigSchema = z.strictObject({
  type: z.literal('email'),
  smtp: variableOr(isSmtpUrl, SMTP_FORM, MOST_ADDRESS_CHARACTERS),
  from: senderSchema,
  /** The person or group that gets messages without a recipient. */
  to: nameSchema.optional(),
  /** Whether mail may go to an `smtp://` server without TLS, for example on the same machine. */
  allow_plain: z.boolean().default(false),
  timeout_seconds: z.int().min(1).max(20).default(10),
  /** Whether the people who were asked get a second mail with the outcome. */
  tell_outcome: z.boolean().default(false),
  e2e_encrypted: z.boolean().default(false),
});
export type EmailConfig = z.output<typeof emailConfigSchema>;
