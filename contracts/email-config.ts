import { z } from 'zod';
import { boundedText, nameSchema } from './primitives.js';

const MOST_CHARACTERS = 1_000;
const VARIABLE = /^\$[A-Za-z_]\w*$/;

/** Describes the form of the URL of a mail server in error messages. */
export const SMTP_FORM = 'smtp://user:password@host:587 or smtps://user:password@host:465';

/** The URL of a mail server, or `$NAME` for the environment variable that contains it. */
const smtpSourceSchema = boundedText(MOST_CHARACTERS).refine(
  (text) => VARIABLE.test(text) || isSmtpUrl(text),
  { params: { accepted: `$NAME of an environment variable, or ${SMTP_FORM}` } },
);

/** Whether a text is the URL of a mail server. */
export function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  const isBare = (pathname === '' || pathname === '/') && search === '' && hash === '';
  return ['smtp:', 'smtps:'].includes(protocol) && hostname !== '' && isBare;
}

const ADDRESS = /^[^\s<>"@]+@[^\s<>"@]+$/;
const NAMED_ADDRESS = /^[^<>"@]+ <[^\s<>"@]+@[^\s<>"@]+>$/;
/** `name@example.com`, or `Name <name@example.com>`. */
const senderSchema = boundedText(MOST_CHARACTERS)
  .regex(/^\P{Cc}*$/u)
  .refine((text) => ADDRESS.test(text) || NAMED_ADDRESS.test(text), {
    params: { accepted: 'name@example.com or Name <name@example.com>' },
  });

/**
 * A channel that sends mail to the people of the directory. The longest timeout still leaves the activity time to record
 * the try.
 */
export const emailConfigSchema = z.strictObject({
  type: z.literal('email'),
  smtp: smtpSourceSchema,
  from: senderSchema,
  /** The person or group of the directory that gets what names nobody. */
  to: nameSchema.optional(),
  /** Whether an `smtp://` server may take the mail without TLS, as one on the same machine does. */
  allow_plain: z.boolean().default(false),
  timeout_seconds: z.int().min(1).max(20).default(10),
  /** Whether who was asked gets a second mail that says how the question ended. */
  tell_outcome: z.boolean().default(false),
  e2e_encrypted: z.boolean().default(false),
});
export type EmailConfig = z.output<typeof emailConfigSchema>;
