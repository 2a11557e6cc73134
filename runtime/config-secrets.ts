import { SECRET_FORM, webhookSecretSchema, type ServerConfig } from '../contracts/server/config.js';
import {
  SLACK_APP_TOKEN,
  SLACK_SIGNING_SECRET,
  SLACK_TOKEN,
  SMTP_FORM,
  isSmtpUrl,
} from '../contracts/channel/channel-config.js';
import { defined } from '../contracts/constants/defined.js';
import { fieldPath } from '../contracts/constants/field-path.js';
import { loadSubscriptionSecrets } from './own-secrets.js';
import { StartupError, type Environment } from './program.js';

type ChannelConfig = ServerConfig['notifications']['channels'][string];
type Place = readonly (string | number)[];

interface SecretForm {
  readonly form: string;
  readonly fits: (value: string) => boolean;
}

const SIGNING: SecretForm = {
  form: SECRET_FORM,
  fits: (value) => webhookSecretSchema.safeParse(value).success,
};
const MAIL_SERVER: SecretForm = { form: SMTP_FORM, fits: isSmtpUrl };
const BOT_TOKEN = matching(SLACK_TOKEN);

function matching({ pattern, form }: { readonly pattern: RegExp; readonly form: string }) {
  return { form, fits: (value: string) => pattern.test(value) };
}

/** Returns what replaces a secret of the configuration, which may be `$NAME` for an environment variable. */
type Replace = (source: string, place: Place, form: SecretForm) => string;

/**
 * Replaces each `$NAME` among the secrets of channels, checkpoints and subscriptions by the environment variable.
 * @throws StartupError with field and variable, never the value, if the variable holds no secret
 */
export function withSecrets(config: ServerConfig, env: Environment): ServerConfig {
  return withGivenSecrets(inWorker(config, valuesIn(env)), env);
}

/**
 * Does the same for the secrets that the API needs: those of subscriptions, and those of answers by channels.
 *
 * @throws StartupError as `withSecrets`
 */
export function withApiSecrets(config: ServerConfig, env: Environment): ServerConfig {
  return withGivenSecrets(inApi(config, valuesIn(env)), env);
}

/** Returns the environment variables with secrets of channels, checkpoints and subscriptions. */
export function secretVariables(config: ServerConfig): readonly string[] {
  return namesOf((collect) => inWorker(config, collect));
}

export function apiVariables(config: ServerConfig): readonly string[] {
  return namesOf((collect) => inApi(config, collect));
}

function valuesIn(env: Environment): Replace {
  return (source, place, { form, fits }) => {
    const variable = variableOf(source);
    if (variable === undefined) return source;
    const value = env[variable];
    const field = `${fieldPath(place)}: the environment variable ${variable}`;
    if (value === undefined || value === '') throw new StartupError(`${field} is not set.`);
    if (fits(value)) return value;
    throw new StartupError(`${field} must hold ${form}.`);
  };
}

function namesOf(replaceAll: (collect: Replace) => unknown): readonly string[] {
  const names: string[] = [];
  replaceAll((source) => {
    const name = variableOf(source);
    if (name !== undefined) names.push(name);
    return source;
  });
  return names;
}

function variableOf(source: string): string | undefined {
  return source.startsWith('$') ? source.slice(1) : undefined;
}

/** Uses the secrets of subscriptions from the environment if the configuration names none. */
function withGivenSecrets(config: ServerConfig, env: Environment): ServerConfig {
  const given = loadSubscriptionSecrets(env);
  if (given === undefined || config.subscriptions.secrets !== undefined) return config;
  return { ...config, subscriptions: { ...config.subscriptions, secrets: [...given] } };
}

function inWorker(config: ServerConfig, replace: Replace): ServerConfig {
  const sent = inChannels(config, (channel, place) => inSending(channel, place, replace));
  const { checkpoints } = sent;
  const webhook = checkpoints.webhook && {
    ...checkpoints.webhook,
    secrets: inList(checkpoints.webhook.secrets, ['checkpoints', 'webhook'], replace),
  };
  const signed = { ...sent, checkpoints: { ...checkpoints, ...defined({ webhook }) } };
  return inSubscriptions(signed, replace);
}

function inApi(config: ServerConfig, replace: Replace): ServerConfig {
  const answered = inChannels(config, (channel, place) => inAnswers(channel, place, replace));
  return inSubscriptions(answered, replace);
}

function inSubscriptions(config: ServerConfig, replace: Replace): ServerConfig {
  const { secrets } = config.subscriptions;
  if (secrets === undefined) return config;
  const own = inList(secrets, ['subscriptions'], replace);
  return { ...config, subscriptions: { ...config.subscriptions, secrets: own } };
}

function inChannels(
  config: ServerConfig,
  each: (channel: ChannelConfig, place: Place) => ChannelConfig,
): ServerConfig {
  const { notifications } = config;
  const channels = Object.fromEntries(
    Object.entries(notifications.channels).map(([name, channel]) => [
      name,
      each(channel, ['notifications', 'channels', name]),
    ]),
  );
  return { ...config, notifications: { ...notifications, channels } };
}

function inSending(channel: ChannelConfig, place: Place, replace: Replace): ChannelConfig {
  switch (channel.type) {
    case 'console':
    case 'none':
      return channel;
    case 'webhook':
      return { ...channel, secrets: inList(channel.secrets, place, replace) };
    case 'email':
      return { ...channel, smtp: replace(channel.smtp, [...place, 'smtp'], MAIL_SERVER) };
    case 'slack':
      return {
        ...channel,
        bot_token: replace(channel.bot_token, [...place, 'bot_token'], BOT_TOKEN),
      };
  }
}

/** Replaces the secrets by which a channel receives answers; for Slack the API also sends as the bot. */
function inAnswers(channel: ChannelConfig, place: Place, replace: Replace): ChannelConfig {
  if (channel.type === 'webhook' && channel.answers !== undefined) {
    const secrets = inList(channel.answers.secrets, [...place, 'answers'], replace);
    return { ...channel, answers: { ...channel.answers, secrets } };
  }
  if (channel.type !== 'slack' || channel.answers === undefined) return channel;
  const bot_token = replace(channel.bot_token, [...place, 'bot_token'], BOT_TOKEN);
  const { signing_secret, app_token } = channel.answers;
  const at = (name: string) => [...place, 'answers', name];
  const own = defined({
    signing_secret:
      signing_secret &&
      replace(signing_secret, at('signing_secret'), matching(SLACK_SIGNING_SECRET)),
    app_token: app_token && replace(app_token, at('app_token'), matching(SLACK_APP_TOKEN)),
  });
  return { ...channel, bot_token, answers: { ...channel.answers, ...own } };
}

function inList(sources: readonly string[], place: Place, replace: Replace): string[] {
  return sources.map((source, index) => replace(source, [...place, 'secrets', index], SIGNING));
}
