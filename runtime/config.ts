import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  SECRET_FORM,
  publicUrlSchema,
  serverConfigSchema,
  webhookSecretSchema,
} from '../contracts/config.js';
import type { ServerConfig } from '../contracts/config.js';
import { SMTP_FORM, isSmtpUrl } from '../contracts/email-config.js';
import { fieldPath, locateIssues } from '../contracts/parse-fields.js';
import { StartupError } from './program.js';
import { parseYaml } from './yaml-file.js';
import type { YamlContent } from './yaml-file.js';

const DEFAULT_FILE = 'openintent.yaml';

type Environment = Readonly<Record<string, string | undefined>>;

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1).join('').replace(/:$/, '');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Reads the file; undefined if it does not exist and was not configured. */
function readConfig(file: string, named: boolean): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error) && !named) return undefined;
    const reason = isMissing(error) ? 'there is no such file' : firstLine(error);
    throw new StartupError(`HOLDPOINT_CONFIG ${file}: ${reason}.`, { cause: error });
  }
}

function contentOf(file: string, text: string): YamlContent {
  try {
    return parseYaml(text);
  } catch (error) {
    throw new StartupError(`${file}: not YAML: ${firstLine(error)}.`, { cause: error });
  }
}

/**
 * Loads the configuration file (R26-69): `HOLDPOINT_CONFIG`, or `openintent.yaml` in the working folder if
 * that file exists. `HOLDPOINT_PUBLIC_URL` takes the place of `public_url` in it.
 *
 * @throws StartupError with file, line, field and what is accepted
 */
export function loadConfig(env: Environment, cwd: string): ServerConfig {
  const named = env['HOLDPOINT_CONFIG'] ?? '';
  const file = path.resolve(cwd, named === '' ? DEFAULT_FILE : named);
  const text = readConfig(file, named !== '');
  const { content, lineOf } = contentOf(file, text ?? '');
  const result = serverConfigSchema.safeParse(content);
  if (result.success) return { ...result.data, ...publicUrlIn(env) };
  const [first] = locateIssues(result.error, content);
  if (first === undefined) throw result.error;
  throw new StartupError(`${file}: line ${lineOf(first.path)}: ${first.issue.detail}`);
}

function publicUrlIn(env: Environment): Pick<ServerConfig, 'public_url'> {
  const text = env['HOLDPOINT_PUBLIC_URL'] ?? '';
  if (text === '') return {};
  const { data } = publicUrlSchema.safeParse(text);
  if (data !== undefined) return { public_url: data };
  throw new StartupError(
    'HOLDPOINT_PUBLIC_URL must be an http:// or https:// URL without a query.',
  );
}

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
  }
}

/** The environment variables that the API takes secrets from: of subscriptions, and of answers by webhook. */
export function apiVariables(config: ServerConfig): readonly string[] {
  return Object.values(config.notifications.channels)
    .flatMap((channel) => (channel.type === 'webhook' ? (channel.answers?.secrets ?? []) : []))
    .flatMap((source) => variableOf(source) ?? [])
    .concat(subscriptionVariables(config));
}

/**
 * The same as `withSecrets` for what the API needs: the secrets of subscriptions, and those of answers by webhook.
 *
 * @throws StartupError as `withSecrets`
 */
export function withApiSecrets(config: ServerConfig, env: EnvironmentOfSecrets): ServerConfig {
  const { notifications } = config;
  const channels = Object.fromEntries(
    Object.entries(notifications.channels).map(([name, channel]) => {
      if (channel.type !== 'webhook' || channel.answers === undefined) return [name, channel];
      const place = ['notifications', 'channels', name, 'answers'];
      const secrets = secretsOf(channel.answers.secrets, place, env);
      return [name, { ...channel, answers: { ...channel.answers, secrets } }];
    }),
  );
  const withOwn = { ...config, notifications: { ...notifications, channels } };
  return withSubscriptionSecrets(withOwn, env);
}

/** The environment variables that channels, checkpoints and subscriptions take secrets from. */
export function secretVariables(config: ServerConfig): readonly string[] {
  return Object.values(config.notifications.channels)
    .flatMap(sourcesOf)
    .concat(config.checkpoints.webhook?.secrets ?? [])
    .flatMap((source) => variableOf(source) ?? [])
    .concat(subscriptionVariables(config));
}

/** The same as `withSecrets` for subscriptions alone: the API needs no other secret. */
export function withSubscriptionSecrets(
  config: ServerConfig,
  env: EnvironmentOfSecrets,
): ServerConfig {
  const { secrets } = config.subscriptions;
  if (secrets === undefined) return config;
  const own = secretsOf(secrets, ['subscriptions'], env);
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
  }
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

const DATABASE_FORM = 'postgres://user:password@host:5432/database';

/**
 * The database that `DATABASE_URL` names.
 *
 * @throws StartupError if it is not set or no such URL, without its text, which contains a password
 */
export function databaseUrl(env: Readonly<Record<string, string | undefined>>): string {
  const url = env['DATABASE_URL'] ?? '';
  if (url === '') throw new StartupError('DATABASE_URL is not set: name a PostgreSQL database.');
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new StartupError(`DATABASE_URL must be a URL of the form ${DATABASE_FORM}.`);
}

/**
 * Whether `HOLDPOINT_STACK_TRACES` asks a worker for the stack traces of its workflows, which cost a third of
 * its time.
 *
 * @throws StartupError if it is neither `true` nor `false`
 */
export function wantsStackTraces(env: Environment): boolean {
  return trueOrFalse(env, 'HOLDPOINT_STACK_TRACES', false);
}

/**
 * Whether workers are versioned: so they are, unless `HOLDPOINT_WORKER_VERSIONING` is `false`. Temporal gives a versioned
 * worker no task until its version is current.
 *
 * @throws StartupError if it is neither `true` nor `false`
 */
export function wantsVersioning(env: Environment): boolean {
  return trueOrFalse(env, 'HOLDPOINT_WORKER_VERSIONING', true);
}

function trueOrFalse(env: Environment, name: string, otherwise: boolean): boolean {
  const value = env[name] ?? '';
  if (value === '') return otherwise;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new StartupError(`${name} must be true or false, not "${value}".`);
}
