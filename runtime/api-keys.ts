import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  apiKeysSchema,
  asConfiguredDigest,
  digestGiven,
  roleSchema,
  type ApiKey,
  type Role,
} from '../contracts/people/api-key.js';
import { defined } from '../contracts/constants/defined.js';
import { parseExact } from '../contracts/constants/exact-json.js';
import { describeIssues } from '../contracts/kernel/parse-fields.js';
import { StartupError, oneLine, type Environment } from './program.js';

const VARIABLE = 'HOLDPOINT_API_KEYS';
const FILE_VARIABLE = 'HOLDPOINT_API_KEYS_FILE';
const ACCEPTED = 'a JSON list of {key, principal, roles}';
/** The characters that an HTTP header can carry unchanged. */
const SENDABLE = /^[\x21-\x7e]+$/;
export const HOW_TO_HASH = 'printf %s "$KEY" | holdpoint hash-key';

/** The source of keys, and whether it may contain them in clear text. */
export interface KeySource {
  readonly name: string;
  /** Whether only this machine reaches the API. */
  readonly isLoopback: boolean;
}

export interface ConfiguredKeys {
  readonly keys: readonly ApiKey[];
  /** Absolute. */
  readonly file: string | undefined;
}

export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Returns the SHA-256 of a configured key, which may be configured as its digest. */
export function configuredDigest(entry: Pick<ApiKey, 'key'>): Buffer {
  const given = digestGiven(entry);
  return given === undefined ? digestOf(entry.key) : Buffer.from(given, 'hex');
}

/**
 * Returns the digest by which a key may be configured anywhere.
 *
 * @throws StartupError if it cannot be a key; the message does not repeat it
 */
export function hashedKey(key: string): string {
  if (!SENDABLE.test(key) || digestGiven({ key }) !== undefined || key.length < 16) {
    throw new StartupError('A key has 16 or more ASCII characters without spaces.');
  }
  return asConfiguredDigest(digestOf(key).toString('hex'));
}

function parseJson(text: string, source: string): unknown {
  try {
    return parseExact(text);
  } catch {
    // The parser's message quotes the text, which holds keys.
    throw new StartupError(
      `${source} is not JSON, or names something twice: it must be ${ACCEPTED}.`,
    );
  }
}

function parseKeys(content: unknown, source: string): ApiKey[] {
  const result = apiKeysSchema.safeParse(content);
  if (result.success) return result.data;
  // An unknown property's name may itself be a key, so it is not repeated.
  if (result.error.issues.some(({ code }) => code === 'unrecognized_keys')) {
    throw new StartupError(`${source} has an unknown property: it must be ${ACCEPTED}.`);
  }
  const [first] = describeIssues(result.error, content);
  throw new StartupError(`${source}: ${first?.detail ?? `it must be ${ACCEPTED}.`}`);
}

function checkKeys(keys: readonly ApiKey[], { name, isLoopback }: KeySource): void {
  const seen = new Map<string, number>();
  for (const [i, entry] of keys.entries()) {
    const digest = configuredDigest(entry).toString('hex');
    const earlier = seen.get(digest);
    if (earlier !== undefined) {
      throw new StartupError(`${name}: entries ${earlier} and ${i} have the same key.`);
    }
    if (!SENDABLE.test(entry.key)) {
      throw new StartupError(`${name}: [${i}].key must be ASCII without spaces.`);
    }
    if (!isLoopback && digestGiven(entry) === undefined) {
      throw new StartupError(
        `${name}: [${i}].key is in clear text, which only an API on loopback accepts. ` +
          `Put its digest there, "sha256:…", as this prints it: ${HOW_TO_HASH}`,
      );
    }
    seen.set(digest, i);
  }
}

/**
 * Reads a JSON list of keys. No message repeats a key.
 *
 * @throws StartupError if it is malformed, holds a key twice, or one in clear text without a loopback address
 */
export function readKeys(text: string, source: KeySource): readonly ApiKey[] {
  const keys = parseKeys(parseJson(text, source.name), source.name);
  checkKeys(keys, source);
  return keys;
}

/**
 * Reads `HOLDPOINT_API_KEYS`, or the file that `HOLDPOINT_API_KEYS_FILE` names; undefined if neither is set.
 *
 * @throws StartupError as `readKeys`, and if both are set or the file cannot be read
 */
export function loadKeys(
  env: Environment,
  cwd: string,
  isLoopback: boolean,
): ConfiguredKeys | undefined {
  const text = env[VARIABLE] ?? '';
  const named = env[FILE_VARIABLE] ?? '';
  if (named === '') {
    if (text.trim() === '') return undefined;
    return { keys: readKeys(text, { name: VARIABLE, isLoopback }), file: undefined };
  }
  if (text.trim() !== '') {
    throw new StartupError(`Set ${VARIABLE} or ${FILE_VARIABLE}, not both.`);
  }
  const file = path.resolve(cwd, named);
  return { keys: readKeys(contentOf(file), { name: file, isLoopback }), file };
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = oneLine(error instanceof Error ? error.message : String(error));
    throw new StartupError(`${FILE_VARIABLE} ${file} cannot be read: ${reason}.`, { cause: error });
  }
}

/** The second operator among the development keys, so that one person can try out approvals by two. */
export const DEVELOPMENT_APPROVER = 'dev-approver';

function developmentKey(principal: string, role: Role): ApiKey {
  return {
    key: `${principal}-${randomBytes(18).toString('base64url')}`,
    principal,
    roles: [role],
    ...defined({ acts_for: role === 'agent' ? ['dev-user'] : undefined }),
  };
}

/** Creates a random key for each role and one for a second operator, for a service without configured keys; loopback only. */
export function developmentKeys(): readonly ApiKey[] {
  const all = roleSchema.options.map((role) => developmentKey(`dev-${role}`, role));
  return [...all, developmentKey(DEVELOPMENT_APPROVER, 'operator')];
}
