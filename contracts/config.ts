import { z } from 'zod';
import { nameSchema } from './primitives.js';
import { partialRetryPolicySchema } from './retry-policy.js';

export const roleSchema = z.enum(['agent', 'operator', 'admin']);
export type Role = z.infer<typeof roleSchema>;

/** `HOLDPOINT_API_KEYS`: keys with the principal they stand for and its roles. */
export const apiKeysSchema = z
  .array(
    z.strictObject({
      key: z.string().min(16),
      principal: nameSchema,
      roles: z.array(roleSchema).min(1),
    }),
  )
  .min(1);
export type ApiKey = z.infer<typeof apiKeysSchema>[number];

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
const subscriptionsConfigSchema = z.strictObject({
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

/** A channel under the name that `channel_hint` uses for it. */
const channelConfigSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('console'), e2e_encrypted: z.boolean().default(false) }),
  webhookConfigSchema,
]);
export type ChannelConfig = z.output<typeof channelConfigSchema>;

/** The configuration file `openintent.yaml` (R26-69, AM-25). */
export const serverConfigSchema = z.strictObject({
  suspension: z
    .strictObject({
      default_retry_policy: partialRetryPolicySchema.nullable().default(null),
      /** Whether a question that holds what looks like a credential is refused (R25-101). */
      refuse_secrets: z.boolean().default(true),
    })
    .prefault({}),
  subscriptions: subscriptionsConfigSchema.prefault({}),
  notifications: z
    .strictObject({
      /** Used where a question names no channel. */
      default_channel: nameSchema.default('console'),
      channels: z
        .record(nameSchema, channelConfigSchema)
        .default({ console: { type: 'console', e2e_encrypted: false } }),
      /** Identities that may be notified; absent means everyone (R26-88). */
      allowed_recipients: z.array(nameSchema).optional(),
      /** Keys of `context` that may leave in a notification (R25-101). */
      context_keys: z.array(nameSchema).default([]),
      /** Names, at any depth of `context` and in any case, whose values are masked (R25-101). */
      personal_data_keys: z.array(nameSchema).default([]),
    })
    .refine(({ channels, default_channel }) => Object.hasOwn(channels, default_channel), {
      path: ['default_channel'],
      params: { accepted: 'the name of one of the channels' },
    })
    .prefault({}),
});
export type ServerConfig = z.output<typeof serverConfigSchema>;
