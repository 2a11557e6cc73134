import { readFileSync } from 'node:fs';
import path from 'node:path';
import { publicUrlSchema, serverConfigSchema } from '../contracts/server/config.js';
import type { ServerConfig } from '../contracts/server/config.js';
import { locateIssues } from '../contracts/kernel/parse-fields.js';
import { trustedProxiesSchema } from '../contracts/server/trusted-proxies.js';
import { StartupError } from './program.js';
import type { Environment } from './program.js';
import { parseYaml } from './yaml-file.js';
import type { YamlContent } from './yaml-file.js';

const DEFAULT_FILE = 'openintent.yaml';

const INEXACT = 'the number would be read as another one: write it as text, in quotes.';

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
 * that file exists. `HOLDPOINT_PUBLIC_URL` replaces its `public_url`, and `HOLDPOINT_TRUSTED_PROXIES` a missing
 * `trusted_proxies`.
 *
 * @throws StartupError with file, line, field and what is accepted
 */
export function loadConfig(env: Environment, cwd: string): ServerConfig {
  const named = env['HOLDPOINT_CONFIG'] ?? '';
  const file = path.resolve(cwd, named === '' ? DEFAULT_FILE : named);
  const text = readConfig(file, named !== '');
  const { content, lineOf, inexactLine } = contentOf(file, text ?? '');
  if (inexactLine !== undefined) {
    throw new StartupError(`${file}: line ${inexactLine}: ${INEXACT}`);
  }
  const given = withProxies(content, env);
  const result = serverConfigSchema.safeParse(given);
  if (result.success) return { ...result.data, ...publicUrlIn(env) };
  const [first] = locateIssues(result.error, content);
  if (first === undefined) throw result.error;
  throw new StartupError(`${file}: line ${lineOf(first.path)}: ${first.issue.detail}`);
}

/** Adds the proxies of `HOLDPOINT_TRUSTED_PROXIES` (`none` for no proxy) if the file does not mention any. */
function withProxies(content: unknown, env: Environment): unknown {
  const listed = env['HOLDPOINT_TRUSTED_PROXIES'] ?? '';
  if (listed === '' || typeof content !== 'object' || content === null) return content;
  const trusted_proxies = listed === 'none' ? [] : listed.split(',').map((one) => one.trim());
  if (trustedProxiesSchema.safeParse(trusted_proxies).success) {
    return { trusted_proxies, ...content };
  }
  throw new StartupError(
    'HOLDPOINT_TRUSTED_PROXIES must be none, or addresses and networks with commas between them.',
  );
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

const DATABASE_FORM = 'postgres://user:password@host:5432/database';

/**
 * Returns `DATABASE_URL`.
 *
 * @throws StartupError if it is not set or is no such URL, without its text, which contains a password
 */
export function databaseUrl(env: Environment): string {
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
 * Whether workers are versioned: yes, unless `HOLDPOINT_WORKER_VERSIONING` is `false`. Temporal gives a versioned worker no
 * task until its version is current.
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
