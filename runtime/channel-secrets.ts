import type { ServerConfig } from '../contracts/config.js';
import { fieldPath } from '../contracts/field-issues.js';
import { SECRET_FORM, webhookSecretSchema } from '../contracts/webhook.js';
import { StartupError } from './startup-error.js';

type Environment = Readonly<Record<string, string | undefined>>;
type ChannelConfig = ServerConfig['notifications']['channels'][string];

/** The environment variables that channels and subscriptions take secrets from. */
export function secretVariables({ notifications, subscriptions }: ServerConfig): readonly string[] {
  return Object.values(notifications.channels)
    .flatMap((channel) => (channel.type === 'webhook' ? channel.secrets : []))
    .concat(subscriptions.secrets ?? [])
    .flatMap((source) => variableOf(source) ?? []);
}

/**
 * The configuration with each `$NAME` among the secrets of its channels and subscriptions replaced by what that
 * environment variable holds.
 *
 * @throws StartupError with field and variable, never the value, where there is no secret in it
 */
export function withSecrets(config: ServerConfig, env: Environment): ServerConfig {
  const { notifications, subscriptions } = config;
  const channels = Object.fromEntries(
    Object.entries(notifications.channels).map(([name, channel]) => [
      name,
      withOwnSecrets(name, channel, env),
    ]),
  );
  const { secrets } = subscriptions;
  return {
    ...config,
    notifications: { ...notifications, channels },
    subscriptions: {
      ...subscriptions,
      ...(secrets && { secrets: secretsOf(secrets, ['subscriptions'], env) }),
    },
  };
}

function withOwnSecrets(name: string, channel: ChannelConfig, env: Environment): ChannelConfig {
  if (channel.type !== 'webhook') return channel;
  const place = ['notifications', 'channels', name];
  return { ...channel, secrets: secretsOf(channel.secrets, place, env) };
}

function secretsOf(
  sources: readonly string[],
  place: readonly string[],
  env: Environment,
): string[] {
  return sources.map((source, index) =>
    secretOf(source, fieldPath([...place, 'secrets', index]), env),
  );
}

function secretOf(source: string, field: string, env: Environment): string {
  const variable = variableOf(source);
  if (variable === undefined) return source;
  const value = env[variable];
  if (value === undefined || value === '') {
    throw new StartupError(`${field}: the environment variable ${variable} is not set.`);
  }
  if (webhookSecretSchema.safeParse(value).success) return value;
  throw new StartupError(
    `${field}: the environment variable ${variable} must hold ${SECRET_FORM}.`,
  );
}

function variableOf(source: string): string | undefined {
  return source.startsWith('$') ? source.slice(1) : undefined;
}
