import { randomBytes } from 'node:crypto';
import { SECRET_FORM, webhookSecretSchema } from '../contracts/config.js';
import { StartupError } from './program.js';

const VARIABLE = 'HOLDPOINT_SUBSCRIPTION_SECRETS';
const SECRET_BYTES = 32;

/**
 * Reads `HOLDPOINT_SUBSCRIPTION_SECRETS`: the secrets from which those of webhook subscriptions are made, with commas between them,
 * for an installation whose configuration file names none. Undefined if it is not set.
 *
 * @throws StartupError if it holds something else, without its text
 */
export function loadSubscriptionSecrets(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  const secrets = (env[VARIABLE] ?? '').split(',').flatMap((text) => text.trim() || []);
  if (secrets.length === 0) return undefined;
  if (secrets.every((one) => webhookSecretSchema.safeParse(one).success)) return secrets;
  throw new StartupError(`${VARIABLE} must hold ${SECRET_FORM}, or several with commas between.`);
}

/** A new secret in the form of the variable. */
export function newSubscriptionSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
