import { z } from 'zod';
import { nameSchema } from './primitives.js';
import { partialRetryPolicySchema } from './retry-policy.js';
import { subscriptionsConfigSchema, webhookConfigSchema } from './webhook.js';

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

/** A channel under the name that `channel_hint` uses for it. */
export const channelConfigSchema = z.discriminatedUnion('type', [
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
