import { z } from 'zod';

const SECRET =
  /^whsec_(?:(?:[a-z\d+/]{4}){8,21}(?:[a-z\d+/]{2}==)?|(?:[a-z\d+/]{4}){8,20}[a-z\d+/]{3}=)$/i;
const VARIABLE = /^\$[A-Za-z_]\w*$/;
/** How a secret is written, in the words of an error. */
export const SECRET_FORM = '"whsec_" and 24 to 64 random bytes in base64';

/** A signing secret in the form of Standard Webhooks. */
export const webhookSecretSchema = z
  .string()
  .refine((text) => SECRET.test(text), { params: { accepted: SECRET_FORM } });

/** A secret, or `$NAME` of the environment variable that holds one. */
const secretSourceSchema = z.string().refine((text) => VARIABLE.test(text) || SECRET.test(text), {
  params: { accepted: `$NAME of an environment variable, or ${SECRET_FORM}` },
});

const secretsSchema = z.array(secretSourceSchema).min(1).max(5);
const POSTING = {
  allow_private_network: z.boolean().default(false),
  timeout_seconds: z.int().min(1).max(20).default(10),
};

/** How events are posted to the webhooks of subscriptions; without secrets there are none. */
export const subscriptionsConfigSchema = z.strictObject({
  secrets: secretsSchema.optional(),
  ...POSTING,
});

/**
 * A webhook channel. All of `secrets` sign, so that a receiver may know any of them while one takes
 * the place of another. The longest timeout leaves the notify activity time to record the try.
 */
export const webhookConfigSchema = z
  .strictObject({
    type: z.literal('webhook'),
    url: z.string(),
    secrets: secretsSchema,
    e2e_encrypted: z.boolean().default(false),
    ...POSTING,
  })
  .refine(({ url, allow_private_network }) => isTarget(url, allow_private_network), {
    path: ['url'],
    params: { accepted: 'an https:// URL, or an http:// one with allow_private_network' },
  });
export type WebhookConfig = z.output<typeof webhookConfigSchema>;

function isTarget(text: string, allowsPrivate: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && allowsPrivate);
}
