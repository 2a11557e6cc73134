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

/** How presses of buttons come back; without it, messages have none, and lead to the inbox. */
const slackAnswersSchema = z
  .strictObject({
    /** Slack posts them to the API, signed with this. */
    signing_secret: secretSource(SLACK_SIGNING_SECRET).optional(),
    /** The API fetches them over a connection that it opens with this. */
    app_token: secretSource(SLACK_APP_TOKEN).optional(),
    /** Whether a button suffices to decide an approval; else that takes a sign-in. */
    approvals: z.boolean().default(true),
  })
  .refine(({ signing_secret, app_token }) => (signing_secret ?? app_token) !== undefined, {
    params: { accepted: 'signing_secret, app_token, or both' },
  });

/** A channel that posts to Slack. After the longest timeout, the activity can still record the try. */
export const slackConfigSchema = z.strictObject({
  type: z.literal('slack'),
  bot_token: secretSource(SLACK_TOKEN),
  /** The id of the workspace of the bot; Slack is asked for it if it is left out. */
  team: boundedText(MOST_CHARACTERS)
    .regex(/^T[A-Z\d]+$/)
    .optional(),
  /** The id of the channel of Slack that has every message; without it each person gets a direct message. */
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
