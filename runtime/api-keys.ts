import { randomBytes } from 'node:crypto';
import { apiKeysSchema, roleSchema } from '../contracts/config.js';
import type { ApiKey } from '../contracts/config.js';
import { describeIssues } from '../contracts/parse-fields.js';
import { StartupError } from './program.js';

const VARIABLE = 'HOLDPOINT_API_KEYS';
const ACCEPTED = 'a JSON list of {key, principal, roles}';
/** The characters that an HTTP header can carry unchanged. */
const SENDABLE = /^[\x21-\x7e]+$/;

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which holds keys.
    throw new StartupError(`${source} is not JSON: it must be ${ACCEPTED}.`);
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

function checkKeys(keys: readonly ApiKey[], source: string): void {
  const seen = new Map<string, number>();
  for (const [i, { key }] of keys.entries()) {
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      throw new StartupError(`${source}: entries ${earlier} and ${i} have the same key.`);
    }
    if (!SENDABLE.test(key)) {
      throw new StartupError(`${source}: [${i}].key must be ASCII without spaces.`);
    }
    seen.set(key, i);
  }
}

/**
 * Reads a JSON list of keys. No message repeats a key.
 *
 * @param source - where the text comes from
 * @throws StartupError where it is malformed, or holds a key twice
 */
export function readKeys(text: string, source: string): readonly ApiKey[] {
  const keys = parseKeys(parseJson(text, source), source);
  checkKeys(keys, source);
  return keys;
}

/**
 * Reads `HOLDPOINT_API_KEYS`; undefined where it is not set or blank.
 *
 * @throws StartupError as `readKeys`
 */
export function loadKeys(
  env: Readonly<Record<string, string | undefined>>,
): readonly ApiKey[] | undefined {
  const text = env[VARIABLE] ?? '';
  return text.trim() === '' ? undefined : readKeys(text, VARIABLE);
}

/** Creates one random key for each role, for a service without configured keys; loopback only. */
export function developmentKeys(): readonly ApiKey[] {
  return roleSchema.options.map((role) => ({
    key: `dev-${role}-${randomBytes(18).toString('base64url')}`,
    principal: `dev-${role}`,
    roles: [role],
  }));
}
