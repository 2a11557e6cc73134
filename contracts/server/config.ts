import { z } from 'zod';
import { approvalsConfigSchema } from '../approval/rules.js';
import { LIMITS } from '../constants/limits.js';
import {
  directoryFaults,
  directorySchema,
  slackTeamFaults,
  unknownRecipients,
  type DirectoryFault,
  type NamedRecipient,
} from '../people/directory.js';
import { emailConfigSchema, slackConfigSchema } from '../channel/channel-config.js';
import { boundedText, nameSchema, variableOr } from '../kernel/primitives.js';
import { partialRetryPolicySchema } from '../suspension/retry-policy.js';
import { pushConfigSchema } from '../people/noticing.js';
import { sessionConfigSchema } from '../people/session.js';
import { signInConfigSchema } from '../people/sign-in.js';
import { imageHostsSchema, originSchema, originsSchema, trustedProxiesSchema } from './hosts.js';
import { workerConfigSchema } from './worker-config.js';

const SECRET =
  /^whsec_(?:(?:[a-z\d+/]{4}){8,21}(?:[a-z\d+/]{2}==)?|(?:[a-z\d+/]{4}){8,20}[a-z\d+/]{3}=)$/i;
const MOST_CHARACTERS = 200;
export const SECRET_FORM = '"whsec_" and 24 to 64 random bytes in base64';

/** A signing secret in the form of Standard Webhooks. */
export const webhookSecretSchema = boundedText(MOST_CHARACTERS).refine(
  (text) => SECRET.test(text),
  { params: { accepted: SECRET_FORM } },
);

const isSecret = (text: string): boolean => SECRET.test(text);
const secretsSchema = z
  .array(variableOr(isSecret, SECRET_FORM, MOST_CHARACTERS))
  .min(1)
  .max(5);
const timeoutSchema = z.int().min(1).max(20).default(10);

/** The address of a configured webhook. */
const target = {
  url: z.string(),
  secrets: secretsSchema,
  allow_private_network: z.boolean().default(false),
  timeout_seconds: timeoutSchema,
};
const isReachable: [
  (of: { readonly url: string; readonly allow_private_network: boolean }) => boolean,
  { readonly path: string[]; readonly params: object },
] = [
  ({ url, allow_private_network }) => isTarget(url, allow_private_network),
  {
    path: ['url'],
    params: { accepted: 'an https:// URL, or an http:// one with allow_private_network' },
  },
];

/**
 * How events are posted to subscribers' webhooks. Each subscription's secret is derived from the first of these.
 * Private networks are never reached, because anybody with a key chooses the address.
 */
const subscriptionsConfigSchema = z.strictObject({
  secrets: secretsSchema.optional(),
  timeout_seconds: timeoutSchema,
});

/**
 * A channel that posts to a webhook. Every secret signs each message, so that secrets can be rotated. Even after the
 * longest timeout, the activity has time to record the try.
 */
export const webhookConfigSchema = z
  .strictObject({
    type: z.literal('webhook'),
    ...target,
    e2e_encrypted: z.boolean().default(false),
    /** The secrets that sign its answers, and the people and groups of the directory for whom it may answer. */
    answers: z
      .strictObject({
        secrets: secretsSchema,
        people: z.array(nameSchema).min(1).max(LIMITS.listedNames),
      })
      .optional(),
  })
  .refine(...isReachable);
export type WebhookConfig = z.output<typeof webhookConfigSchema>;

function isTarget(text: string, allowsPrivate: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && allowsPrivate);
}

/** A channel. Its name in the configuration is the one that `channel_hint` refers to. */
const channelConfigSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('console'), e2e_encrypted: z.boolean().default(false) }),
  /** Sends nothing: people look into the inbox. */
  z.strictObject({ type: z.literal('none') }),
  webhookConfigSchema,
  emailConfigSchema,
  slackConfigSchema,
]);
export type ChannelConfig = z.output<typeof channelConfigSchema>;

/** Defines the default channel `none`, unless the configuration does. */
function withNone<
  Notifications extends {
    readonly default_channel: string;
    readonly channels: Record<string, ChannelConfig>;
  },
>(notifications: Notifications): Notifications {
  if (notifications.default_channel !== 'none') return notifications;
  return { ...notifications, channels: { none: { type: 'none' }, ...notifications.channels } };
}

/** The secrets from which ids for callers' keys are derived: the current one, and earlier ones. */
export type IdSecrets = readonly [current: string, ...retired: string[]];

/** How many of something may be open at once: per principal, and in total. */
const quotaSchema = (per_principal: number, total: number) =>
  z
    .strictObject({
      per_principal: z.int().min(1).default(per_principal),
      total: z.int().min(1).default(total),
    })
    .prefault({});

/** The defaults of `limits.writes`. */
export const WRITE_LIMITS = { at_once: 32, longest_wait_seconds: 25, waiting: 2_000 } as const;

const writeLimitsSchema = z.strictObject({
  /** How many writes run at once at most, besides some answers of people; fewer while they take long. The others wait. */
  at_once: z.int().min(1).max(1_000).default(WRITE_LIMITS.at_once),
  /** A write that has waited this long is refused. Clients usually give up after 30 s. */
  longest_wait_seconds: z.int().min(0).max(120).default(WRITE_LIMITS.longest_wait_seconds),
  /** How many writes may wait, because each keeps its request in memory. */
  waiting: z.int().min(0).max(100_000).default(WRITE_LIMITS.waiting),
});

/**
 * What one principal, and all together, may use. Each API process counts requests, streams, long polls and writes;
 * the store counts subscriptions.
 */
const limitsConfigSchema = z.strictObject({
  /** Higher than what one machine can serve. */
  requests_per_minute: z.int().min(1).default(600_000),
  /** The limit for links, per address, because links need no key. */
  links_per_minute: z.int().min(1).default(300),
  writes: writeLimitsSchema.prefault({}),
  streams: quotaSchema(200, 5_000),
  long_polls: quotaSchema(1_000, 5_000),
  subscriptions: quotaSchema(1_000, 10_000),
});
export type LimitsConfig = z.output<typeof limitsConfigSchema>;

/** The destinations of log checkpoints outside the store; each gets every checkpoint. */
const checkpointsConfigSchema = z.strictObject({
  /** A file to which the worker appends each checkpoint as a line of JSON. */
  file: boundedText(1_000).min(1).optional(),
  webhook: z
    .strictObject(target)
    .refine(...isReachable)
    .optional(),
});

const retentionConfigSchema = z.strictObject({
  /** How many whole days after its end something is removed; never if absent. */
  settled_days: z.int().min(1).max(36_500).optional(),
});

/** An address of the API, without credentials, query or a final slash. */
export const publicUrlSchema = boundedText(1_000)
  .refine(isPublicUrl, { params: { accepted: 'an http:// or https:// URL without a query' } })
  .transform((text) => text.replace(/\/$/, ''));

function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isPlain = [username, password, search, hash].every((part) => part === '');
  return isPlain && (protocol === 'https:' || protocol === 'http:');
}

const configSchema = z.strictObject({
  suspension: z
    .strictObject({
      default_retry_policy: partialRetryPolicySchema.nullable().default(null),
      /** Whether to refuse questions that contain what looks like a credential (R25-101). */
      refuse_secrets: z.boolean().default(true),
      /** Whether the asker of a question, and the user it asks for, are barred from answering it. */
      separation_of_duties: z.boolean().default(false),
    })
    .prefault({}),
  /** Which tool calls of agents need approval, and whose. */
  approvals: approvalsConfigSchema.prefault({}),
  authorization: z
    .strictObject({
      /** What agents may read: everything in their space, or only their own and what access lists allow. */
      agents_read: z.enum(['all', 'own']).default('all'),
    })
    .prefault({}),
  /** The issuer of bearer tokens; without it, only keys are accepted. */
  sign_in: signInConfigSchema.optional(),
  /** How browsers are notified of questions, even while closed. */
  push: pushConfigSchema.prefault({}),
  session: sessionConfigSchema.prefault({}),
  limits: limitsConfigSchema.prefault({}),
  worker: workerConfigSchema.prefault({}),
  subscriptions: subscriptionsConfigSchema.prefault({}),
  checkpoints: checkpointsConfigSchema.prefault({}),
  retention: retentionConfigSchema.prefault({}),
  notifications: z
    .strictObject({
      /** The channel for questions that name none. `none` needs no definition. */
      default_channel: nameSchema.default('console'),
      channels: z
        .record(nameSchema, channelConfigSchema)
        .default({ console: { type: 'console', e2e_encrypted: false } }),
      /** The people who may be notified; everyone if absent (R26-88). */
      allowed_recipients: z.array(nameSchema).optional(),
      /** The keys of `context` that notifications may contain (R25-101). */
      context_keys: z.array(nameSchema).default([]),
      /** Values under these names are masked in notifications, at any depth of `context`, in any case (R25-101). */
      personal_data_keys: z.array(nameSchema).default([]),
    })
    .transform(withNone)
    .refine(({ channels, default_channel }) => Object.hasOwn(channels, default_channel), {
      path: ['default_channel'],
      params: { accepted: 'the name of one of the channels, or none' },
    })
    .prefault({}),
  /** The people whom `notify_to` can name; without it, the channel gets any name. */
  directory: directorySchema.optional(),
  public_url: publicUrlSchema.optional(),
  trusted_proxies: trustedProxiesSchema,
  /** The origins besides the API's own whose pages may call the API with a key; none by default. */
  cors_origins: originsSchema,
  /** The origin of Temporal's pages, where admins and auditors may then read encrypted histories; nobody by default. */
  codec: z.strictObject({ origin: originSchema }).optional(),
  /** The hosts from which pictures in the context of questions may be loaded; none by default. */
  image_hosts: imageHostsSchema,
});
export type ServerConfig = z.output<typeof configSchema>;

/** The configuration file `openintent.yaml` (R26-69). */
export const serverConfigSchema = configSchema.superRefine((config, context) => {
  for (const { path, accepted } of recipientFaults(config)) {
    context.addIssue({ code: 'custom', path: [...path], params: { accepted } });
  }
});

/** Names in the configuration that the directory lacks, and channels that need a directory. */
function recipientFaults(config: ServerConfig): readonly DirectoryFault[] {
  const { directory } = config;
  if (directory === undefined) return channelsToPeople(config);
  return [
    ...directoryFaults(directory),
    ...slackTeamFaults(directory, slackChannels(config)),
    ...unknownRecipients(directory, recipientsIn(config)),
  ];
}

function slackChannels({ notifications }: ServerConfig) {
  return Object.entries(notifications.channels).flatMap(([name, channel]) =>
    channel.type === 'slack' ? [[name, channel] as const] : [],
  );
}

/** Mail goes only to addresses of the directory, so that no agent can choose one, and answers come from its people. */
function channelsToPeople({ notifications }: ServerConfig): readonly DirectoryFault[] {
  return Object.entries(notifications.channels).flatMap(([name, channel]) => {
    const path = ['notifications', 'channels', name];
    if (channel.type === 'email' || channel.type === 'slack') {
      const accepted = `another type, or ${channel.type} with a directory`;
      return [{ path: [...path, 'type'], accepted }];
    }
    if (channel.type !== 'webhook' || channel.answers === undefined) return [];
    return [{ path: [...path, 'answers'], accepted: 'left out, or given with a directory' }];
  });
}

function recipientsIn({ suspension, notifications }: ServerConfig): readonly NamedRecipient[] {
  const ladder = suspension.default_retry_policy?.escalation_ladder ?? [];
  const rungs = ['suspension', 'default_retry_policy', 'escalation_ladder'];
  return [
    ...ladder.map(({ notify_to }, i) => ({ path: [...rungs, i, 'notify_to'], name: notify_to })),
    ...(notifications.allowed_recipients ?? []).map((name, i) => ({
      path: ['notifications', 'allowed_recipients', i],
      name,
    })),
    ...Object.entries(notifications.channels).flatMap(([channel, config]): NamedRecipient[] => {
      const path = ['notifications', 'channels', channel];
      if (config.type === 'email' || config.type === 'slack')
        return [{ path: [...path, 'to'], name: config.to }];
      const people = config.type === 'webhook' ? (config.answers?.people ?? []) : [];
      return people.map((name, i) => ({ path: [...path, 'answers', 'people', i], name }));
    }),
  ];
}
