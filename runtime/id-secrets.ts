import { randomBytes } from 'node:crypto';
import type { IdSecrets } from '../contracts/config.js';
import { StartupError } from './program.js';

const VARIABLE = 'HOLDPOINT_ID_SECRETS';
const LEAST_CHARACTERS = 32;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `HOLDPOINT_ID_SECRETS`: secrets with commas between them. The first makes ids, the others still find what
 * they made. Undefined if it is not set.
 *
 * @throws StartupError if one is too short; the message does not repeat it
 */
export function loadIdSecrets(env: Environment): IdSecrets | undefined {
  const text = env[VARIABLE] ?? '';
  if (text.trim() === '') return undefined;
  const [current = '', ...retired] = text.split(',').map((one) => one.trim());
  const short = [current, ...retired].findIndex((one) => one.length < LEAST_CHARACTERS);
  if (short === -1) return [current, ...retired];
  throw new StartupError(
    `${VARIABLE}: secret ${short + 1} must have at least ${LEAST_CHARACTERS} characters.`,
  );
}

/**
 * The same where it has to be set.
 *
 * @throws StartupError as `loadIdSecrets`, and if it is not set
 */
export function demandIdSecrets(env: Environment): IdSecrets {
  const secrets = loadIdSecrets(env);
  if (secrets !== undefined) return secrets;
  throw new StartupError(`${VARIABLE} is not set: make a secret with "openssl rand -base64 32".`);
}

/** A new secret. */
export function newIdSecret(): string {
  return randomBytes(32).toString('base64url');
}
