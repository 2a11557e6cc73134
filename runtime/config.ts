import {
  LineCounter,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Scalar,
  type YAMLWarning,
} from 'yaml';
import { isExactNumber } from '../contracts/constants/exact-json.js';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  publicUrlSchema,
  serverConfigSchema,
  type ServerConfig,
} from '../contracts/server/config.js';
import { locateIssues } from '../contracts/kernel/parse-fields.js';
import { trustedProxiesSchema } from '../contracts/server/hosts.js';
import { StartupError, type Environment } from './program.js';

const VERSION = '1.2';

interface YamlContent {
  readonly content: unknown;
  /** Returns the line (from 1) of a field, or of the closest existing field around it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
  /** The line of the first number that cannot be read exactly; undefined without one. */
  readonly inexactLine: number | undefined;
}

/**
 * Reads a YAML 1.2 text; an empty one is an empty object. Throws an Error for invalid YAML, and for a text that declares
 * another version, which would read 010 as 8 and `no` as false.
 */
export function parseYaml(text: string): YamlContent {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  const [error] = [...document.errors, ...document.warnings.filter(isDirective)];
  if (error) throw error;
  const { explicit, version } = document.directives.yaml;
  if (explicit === true && version !== VERSION) {
    throw new Error(`It declares YAML ${version}: leave that out, or write %YAML ${VERSION}.`);
  }
  const content: unknown = document.toJS() ?? {};
  const inexact = inexactNumber(document);
  return {
    content,
    inexactLine: inexact && lines.linePos(inexact.range?.[0] ?? 0).line,
    lineOf: (path) => Math.max(1, lines.linePos(offsetOf(document, path)).line),
  };
}

/** Whether a warning is about a directive: the library only warns about another version. */
function isDirective({ code }: YAMLWarning): boolean {
  return code === 'BAD_DIRECTIVE';
}

const OTHER_BASE = /^0[ox]/;

function inexactNumber(document: Document): Scalar | undefined {
  let found: Scalar | undefined;
  visit(document, {
    Scalar(_key, node) {
      const { value, source = '' } = node;
      if (typeof value !== 'number' || isKept(value, source)) return undefined;
      found = node;
      return visit.BREAK;
    },
  });
  return found;
}

/** Whether a number is read exactly. The field itself refuses Infinity and NaN. */
function isKept(value: number, source: string): boolean {
  if (OTHER_BASE.test(source)) return Number.isSafeInteger(value);
  return !/\d/.test(source) || isExactNumber(source);
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const around = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const key = isMap(around)
      ? around.items.find(({ key: name }) => isScalar(name) && String(name.value) === last)?.key
      : document.getIn(path.slice(0, length), true);
    const start = isNode(key) ? key.range?.[0] : undefined;
    if (start !== undefined) return start;
  }
  return 0;
}

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
 * Whether `HOLDPOINT_STACK_TRACES` asks for stack traces of workflows, which cost a third of a worker's time.
 * @throws StartupError if it is neither `true` nor `false`
 */
export function wantsStackTraces(env: Environment): boolean {
  return trueOrFalse(env, 'HOLDPOINT_STACK_TRACES', false);
}

/**
 * Whether workers are versioned, as by default. A versioned worker gets no task until its version is current.
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
