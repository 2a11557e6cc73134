import { z } from 'zod';
import { boundedText, nameSchema } from './primitives.js';

const MOST_CHARACTERS = 500;
const VARIABLE = /^\$[A-Za-z_]\w*$/;

/** The form of the token of a Slack bot, and how error messages describe it. */
export const SLACK_TOKEN = {
  pattern: /^xoxb-[\w-]+$/,
  form: 'a bot token that begins with "xoxb-"',
} as const;

/** The token of a bot, or `$NAME` for the environment variable that contains it. */
const tokenSourceSchema = boundedText(MOST_CHARACTERS).refine(
  (text) => VARIABLE.test(text) || SLACK_TOKEN.pattern.test(text),
  { params: { accepted: `$NAME of an environment variable, or ${SLACK_TOKEN.form}` } },
);

function isApiUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash, pathname } = new URL(text);
  const isBare = [username, password, search, hash].every((part) => part === '');
  const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1');
  return isBare && isSafe && pathname.endsWith('/');
}

/**
 * A channel that posts to Slack: to each person of the directory, or to one conversation for all. The longest timeout still leaves the activity time to record the try.
 */
export const slackConfigSchema = z.strictObject({
  type: z.literal('slack'),
  bot_token: tokenSourceSchema,
  /** The id of the channel of Slack that has every message; without it each person gets a direct message. */
  conversation: boundedText(MOST_CHARACTERS)
    .regex(/^[CG][A-Z\d]+$/)
    .optional(),
  /** The person or group of the directory that gets what names nobody, or is mentioned. */
  to: nameSchema.optional(),
  /** Another one than that of Slack, such as that of GovSlack. */
  api_url: boundedText(MOST_CHARACTERS)
    .refine(isApiUrl, { params: { accepted: 'an https:// URL that ends with a slash' } })
    .default('https://slack.com/api/'),
  timeout_seconds: z.int().min(1).max(20).default(10),
  e2e_encrypted: z.literal(false).default(false),
});
export type SlackConfig = z.output<typeof slackConfigSchema>;
