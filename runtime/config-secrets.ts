import { SECRET_FORM, webhookSecretSchema } from '../contracts/config.js';
import type { ServerConfig } from '../contracts/config.js';
import { SMTP_FORM, isSmtpUrl } from '../contracts/email-config.js';
import { fieldPath } from '../contracts/constants/field-path.js';
import { SLACK_APP_TOKEN, SLACK_SIGNING_SECRET, SLACK_TOKEN } from '../contracts/slack-config.js';
import type { SlackConfig } from '../contracts/slack-config.js';
import { StartupError } from './program.js';
import { loadSubscriptionSecrets } from './subscription-secrets.js';

type EnvironmentOfSecrets = Readonly<Record<string, string | undefined>>;
type ChannelConfig = ServerConfig['notifications']['channels'][string];

/** The environment variables that subscriptions take secrets from. */
export function subscriptionVariables({ subscriptions }: ServerConfig): readonly string[] {
  return (subscriptions.secrets ?? []).flatMap((source) => variableOf(source) ?? []);
}

/** Where the secrets of a channel are. */
function sourcesOf(channel: ChannelConfig): readonly string[] {
  switch (channel.type) {
    case 'console':
      return [];
    case 'webhook':
      return channel.secrets;
    case 'email':
      return [channel.smtp];
    case 'slack':
      return [channel.bot_token];
  }
}

/** Where the secrets are by which a channel brings answers: the API takes those, and talks to Slack as the bot. */
function answerSourcesOf(channel: ChannelConfig): readonly string[] {
  if (channel.type === 'webhook') return channel.answers?.secrets ?? [];
  if (channel.type !== 'slack' || channel.answers === undefined) return [];
  const { signing_secret, app_token } = channel.answers;
  return [channel.bot_token, signing_secret, app_token].filter((source) => source !== undefined);
}

/** The environment variables that the API takes secrets from: of subscriptions, and of answers by channels. */
export function apiVariables(config: ServerConfig): readonly string[] {
  return Object.values(config.notifications.channels)
    .flatMap(answerSourcesOf)
    .flatMap((source) => variableOf(source) ?? [])
    .concat(subscriptionVariables(config));
}

/**
 * The same as `withSecrets` for what the API needs: the secrets of subscriptions, and those of answers by channels.
 *
 * @throws StartupError as `withSecrets`
 */
export function withApiSecrets(config: ServerConfig, env: EnvironmentOfSecrets): ServerConfig {
  const { notifications } = config;
  const channels = Object.fromEntries(
    Object.entries(notifications.channels).map(([name, channel]) => [
      name,
      withAnswerSecrets(name, channel, env),
    ]),
  );
  const withOwn = { ...config, notifications: { ...notifications, channels } };
  return withSubscriptionSecrets(withOwn, env);
}

function withAnswerSecrets(
  name: string,
  channel: ChannelConfig,
  env: EnvironmentOfSecrets,
): ChannelConfig {
  const place = ['notifications', 'channels', name];
  if (channel.type === 'webhook' && channel.answers !== undefined) {
    const secrets = secretsOf(channel.answers.secrets, [...place, 'answers'], env);
    return { ...channel, answers: { ...channel.answers, secrets } };
  }
  if (channel.type !== 'slack' || channel.answers === undefined) return channel;
  const { signing_secret, app_token } = channel.answers;
  const answers = {
    ...channel.answers,
    ...(signing_secret !== undefined && {
      signing_secret: slackSecret(
        SLACK_SIGNING_SECRET,
        signing_secret,
        [...place, 'answers', 'signing_secret'],
        env,
      ),
    }),
    ...(app_token !== undefined && {
      app_token: slackSecret(SLACK_APP_TOKEN, app_token, [...place, 'answers', 'app_token'], env),
    }),
  };
  return { ...channel, answers, bot_token: botTokenOf(channel, place, env) };
}

/** The environment variables that channels, checkpoints and subscriptions take secrets from. */
export function secretVariables(config: ServerConfig): readonly string[] {
  return Object.values(config.notifications.channels)
    .flatMap(sourcesOf)
    .concat(config.checkpoints.webhook?.secrets ?? [])
    .flatMap((source) => variableOf(source) ?? [])
    .concat(subscriptionVariables(config));
}

/** The same as `withSecrets` for subscriptions alone. Where the configuration names none, the environment may have them. */
export function withSubscriptionSecrets(
  config: ServerConfig,
  env: EnvironmentOfSecrets,
): ServerConfig {
  const { secrets } = config.subscriptions;
  const given = loadSubscriptionSecrets(env);
  const own = secrets ? secretsOf(secrets, ['subscriptions'], env) : given && [...given];
  if (own === undefined) return config;
  return { ...config, subscriptions: { ...config.subscriptions, secrets: own } };
}

/**
 * Replaces each `$NAME` among the secrets of channels, checkpoints and subscriptions by the value of that environment
 * variable.
 *
 * @throws StartupError with field and variable, never the value, if the variable holds no secret
 */
export function withSecrets(config: ServerConfig, env: EnvironmentOfSecrets): ServerConfig {
  const { notifications } = config;
  const channels = Object.fromEntries(
    Object.entries(notifications.channels).map(([name, channel]) => [
      name,
      withOwnSecrets(name, channel, env),
    ]),
  );
  const checkpoints = withCheckpointSecrets(config.checkpoints, env);
  const withOwn = { ...config, checkpoints, notifications: { ...notifications, channels } };
  return withSubscriptionSecrets(withOwn, env);
}

function withCheckpointSecrets(
  checkpoints: ServerConfig['checkpoints'],
  env: EnvironmentOfSecrets,
): ServerConfig['checkpoints'] {
  const { webhook } = checkpoints;
  if (webhook === undefined) return checkpoints;
  const secrets = secretsOf(webhook.secrets, ['checkpoints', 'webhook'], env);
  return { ...checkpoints, webhook: { ...webhook, secrets } };
}

function withOwnSecrets(
  name: string,
  channel: ChannelConfig,
  env: EnvironmentOfSecrets,
): ChannelConfig {
  const place = ['notifications', 'channels', name];
  switch (channel.type) {
    case 'console':
      return channel;
    case 'webhook':
      return { ...channel, secrets: secretsOf(channel.secrets, place, env) };
    case 'email': {
      const smtp = secretOf(channel.smtp, fieldPath([...place, 'smtp']), env, MAIL_SERVER);
      return { ...channel, smtp };
    }
    case 'slack':
      return { ...channel, bot_token: botTokenOf(channel, place, env) };
  }
}

function botTokenOf(
  { bot_token }: SlackConfig,
  place: readonly string[],
  env: EnvironmentOfSecrets,
): string {
  return slackSecret(SLACK_TOKEN, bot_token, [...place, 'bot_token'], env);
}

function slackSecret(
  { pattern, form }: { readonly pattern: RegExp; readonly form: string },
  source: string,
  place: readonly string[],
  env: EnvironmentOfSecrets,
): string {
  const fits = (value: string) => pattern.test(value);
  return secretOf(source, fieldPath([...place]), env, { form, fits });
}

function secretsOf(
  sources: readonly string[],
  place: readonly string[],
  env: EnvironmentOfSecrets,
): string[] {
  return sources.map((source, index) =>
    secretOf(source, fieldPath([...place, 'secrets', index]), env),
  );
}

/** What the environment variable of a secret has to hold. */
interface SecretForm {
  readonly form: string;
  readonly fits: (value: string) => boolean;
}

const SIGNING: SecretForm = {
  form: SECRET_FORM,
  fits: (value) => webhookSecretSchema.safeParse(value).success,
};
const MAIL_SERVER: SecretForm = { form: SMTP_FORM, fits: isSmtpUrl };

function secretOf(
  source: string,
  field: string,
  env: EnvironmentOfSecrets,
  { form, fits }: SecretForm = SIGNING,
): string {
  const variable = variableOf(source);
  if (variable === undefined) return source;
  const value = env[variable];
  if (value === undefined || value === '') {
    throw new StartupError(`${field}: the environment variable ${variable} is not set.`);
  }
  if (fits(value)) return value;
  throw new StartupError(`${field}: the environment variable ${variable} must hold ${form}.`);
}

function variableOf(source: string): string | undefined {
  return source.startsWith('$') ? source.slice(1) : undefined;
}
