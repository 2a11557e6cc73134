import type { ServerConfig } from '../contracts/config.js';
import { fieldPath } from '../contracts/field-issues.js';
import { SECRET_FORM, webhookSecretSchema } from '../contracts/webhook.js';
import { StartupError } from './startup-error.js';

type Environment = Readonly<Record<string, string | undefined>>;
type ChannelConfig = ServerConfig['notifications']['channels'][string];

/** The environment variables that channels take secrets from. */
export function secretVariables({ notifications }: ServerConfig): readonly string[] {
  return Object.values(notifications.channels)
    .flatMap((channel) => (channel.type === 'webhook' ? channel.secrets : []))
    .flatMap((source) => variableOf(source) ?? []);
}

/**
 * The configuration with each `$NAME` among the secrets of its channels replaced by what that
 * environment variable holds.
 *
 * @throws StartupError with field and variable, never the value, where there is no secret in it
 */
export function withSecrets(config: ServerConfig, env: Environment): ServerConfig {
  const { notifications } = config;
  const channels = Object.fromEntries(
    Object.entries(notifications.channels).map(([name, channel]) => [
      name,
      withOwnSecrets(name, channel, env),
    ]),
  );
  return { ...config, notifications: { ...notifications, channels } };
}

function withOwnSecrets(name: string, channel: ChannelConfig, env: Environment): ChannelConfig {
  if (channel.type !== 'webhook') return channel;
  const secrets = channel.secrets.map((source, index) => {
    const field = fieldPath(['notifications', 'channels', name, 'secrets', index]);
    return secretOf(source, field, env);
  });
  return { ...channel, secrets };
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
