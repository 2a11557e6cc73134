import { z } from 'zod';
import { boundedText, nameSchema, variableOr } from '../kernel/primitives.js';

const MOST_CHARACTERS = 1_000;

/** Describes the form of the URL of a mail server in error messages. */
export const SMTP_FORM = 'smtp://user:password@host:587 or smtps://user:password@host:465';

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

/** A channel that mails people of the directory. After the longest timeout, the activity can still record the try. */
export const emailConfigSchema = z.strictObject({
  type: z.literal('email'),
  smtp: variableOr(isSmtpUrl, SMTP_FORM, MOST_CHARACTERS),
  from: senderSchema,
  /** The person or group that gets messages without a recipient. */
  to: nameSchema.optional(),
  /** Whether an `smtp://` server may take the mail without TLS, as one on the same machine does. */
  allow_plain: z.boolean().default(false),
  timeout_seconds: z.int().min(1).max(20).default(10),
  /** Whether the people who were asked get a second mail with the outcome. */
  tell_outcome: z.boolean().default(false),
  e2e_encrypted: z.boolean().default(false),
});
export type EmailConfig = z.output<typeof emailConfigSchema>;
