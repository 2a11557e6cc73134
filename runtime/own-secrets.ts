import { randomBytes } from 'node:crypto';
import { SECRET_FORM, webhookSecretSchema, type IdSecrets } from '../contracts/server/config.js';
import { StartupError, type Environment } from './program.js';

const ID_SECRETS = 'HOLDPOINT_ID_SECRETS';
const SUBSCRIPTION_SECRETS = 'HOLDPOINT_SUBSCRIPTION_SECRETS';
const LEAST_CHARACTERS = 32;
const KEY_BYTES = 32;
const HOW_TO_MAKE = 'with "openssl rand -base64 32"';

/** Returns the values of a variable, separated by commas; none if it is not set. */
function listIn(env: Environment, variable: string): readonly string[] {
  const text = (env[variable] ?? '').trim();
  return text === '' ? [] : text.split(',').map((one) => one.trim());
}

/**
 * Reads keys of 32 random bytes in base64, separated by commas; none if the variable is not set.
 *
 * @throws StartupError if one has another length; the message does not repeat it
 */
export function keysIn(env: Environment, variable: string): readonly Buffer[] {
  const keys = listIn(env, variable).map((one) => Buffer.from(one, 'base64'));
  const wrong = keys.findIndex(({ length }) => length !== KEY_BYTES);
  if (wrong === -1) return keys;
  throw new StartupError(
    `${variable}: key ${wrong + 1} must be 32 bytes in base64: make it ${HOW_TO_MAKE}.`,
  );
}

export function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/**
 * Reads `HOLDPOINT_ID_SECRETS`, separated by commas; undefined if it is not set. The first secret makes ids, the
 * others still find their earlier ids.
 * @throws StartupError if one is too short; the message does not repeat it
 */
export function loadIdSecrets(env: Environment): IdSecrets | undefined {
  const [current, ...retired] = listIn(env, ID_SECRETS);
  if (current === undefined) return undefined;
  const short = [current, ...retired].findIndex((one) => one.length < LEAST_CHARACTERS);
  if (short === -1) return [current, ...retired];
  throw new StartupError(
    `${ID_SECRETS}: secret ${short + 1} must have at least ${LEAST_CHARACTERS} characters.`,
  );
}

/**
 * Reads `HOLDPOINT_ID_SECRETS`, which has to be set.
 *
 * @throws StartupError as `loadIdSecrets`, and if it is not set
 */
export function demandIdSecrets(env: Environment): IdSecrets {
  const secrets = loadIdSecrets(env);
  if (secrets !== undefined) return secrets;
  throw new StartupError(`${ID_SECRETS} is not set: make a secret ${HOW_TO_MAKE}.`);
}

export function newIdSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Reads `HOLDPOINT_SUBSCRIPTION_SECRETS`, separated by commas: those of webhook subscriptions are derived from them
 * if the configuration file names none. Undefined if it is not set.
 * @throws StartupError if it holds something else, without its text
 */
export function loadSubscriptionSecrets(env: Environment): readonly string[] | undefined {
  const secrets = listIn(env, SUBSCRIPTION_SECRETS).filter((one) => one !== '');
  if (secrets.length === 0) return undefined;
  if (secrets.every((one) => webhookSecretSchema.safeParse(one).success)) return secrets;
  throw new StartupError(
    `${SUBSCRIPTION_SECRETS} must hold ${SECRET_FORM}, or several with commas between.`,
  );
}

export function newSubscriptionSecret(): string {
  return `whsec_${newKey()}`;
}
