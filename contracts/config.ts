import { z } from 'zod';
import { nameSchema } from './primitives.js';
import { partialRetryPolicySchema } from './retry-policy.js';

/** What a key may do. An admin may do everything. */
export const roleSchema = z.enum(['agent', 'operator', 'admin']);
export type Role = z.infer<typeof roleSchema>;

/** The setting `HOLDPOINT_API_KEYS`: each key with its principal and roles. */
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
/** Describes the form of a secret in error messages. */
export const SECRET_FORM = '"whsec_" and 24 to 64 random bytes in base64';

/** A signing secret in the form of Standard Webhooks. */
export const webhookSecretSchema = z
  .string()
  .refine((text) => SECRET.test(text), { params: { accepted: SECRET_FORM } });

/** A secret, or `$NAME` for the environment variable that contains it. */
const secretSourceSchema = z.string().refine((text) => VARIABLE.test(text) || SECRET.test(text), {
  params: { accepted: `$NAME of an environment variable, or ${SECRET_FORM}` },
});

const secretsSchema = z.array(secretSourceSchema).min(1).max(5);
const POSTING = {
  allow_private_network: z.boolean().default(false),
  timeout_seconds: z.int().min(1).max(20).default(10),
};

/** How events are posted to webhooks of subscribers. Without secrets, nobody can subscribe a webhook. */
const subscriptionsConfigSchema = z.strictObject({
  secrets: secretsSchema.optional(),
  ...POSTING,
});

/**
 * A channel that posts to a webhook. Each message is signed with every secret, so that a receiver can accept
 * the old and the new one while they are exchanged. The longest timeout still leaves the activity time to
 * record the try.
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

/** A channel. Its name in the configuration is the one that `channel_hint` refers to. */
const channelConfigSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('console'), e2e_encrypted: z.boolean().default(false) }),
  webhookConfigSchema,
]);
export type ChannelConfig = z.output<typeof channelConfigSchema>;

/** The configuration file `openintent.yaml` (R26-69). */
export const serverConfigSchema = z.strictObject({
  suspension: z
    .strictObject({
      default_retry_policy: partialRetryPolicySchema.nullable().default(null),
      /** Whether to refuse questions that contain what looks like a credential (R25-101). */
      refuse_secrets: z.boolean().default(true),
    })
    .prefault({}),
  subscriptions: subscriptionsConfigSchema.prefault({}),
  notifications: z
    .strictObject({
      /** The channel for questions that name none. */
      default_channel: nameSchema.default('console'),
      channels: z
        .record(nameSchema, channelConfigSchema)
        .default({ console: { type: 'console', e2e_encrypted: false } }),
      /** Who may be notified; everyone if left out (R26-88). */
      allowed_recipients: z.array(nameSchema).optional(),
      /** The keys of `context` that notifications may contain (R25-101). */
      context_keys: z.array(nameSchema).default([]),
      /**
       * Values under these names are masked in notifications, at any depth of `context` and in any case
       * (R25-101).
       */
      personal_data_keys: z.array(nameSchema).default([]),
    })
    .refine(({ channels, default_channel }) => Object.hasOwn(channels, default_channel), {
      path: ['default_channel'],
      params: { accepted: 'the name of one of the channels' },
    })
    .prefault({}),
});
export type ServerConfig = z.output<typeof serverConfigSchema>;
