import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { utf8Bytes } from '../kernel/text.js';

/** Secrets of Standard Webhooks begin with it; the rest is base64. */
const PREFIX = 'whsec_';

/**
 * The secret that signs what is posted to one subscription: an HMAC of its id under a secret of the installation.
 * So it is kept nowhere, and who has it learns neither that of another subscription nor that of the installation.
 *
 * @param installationSecret - in the form of Standard Webhooks
 */
export function subscriptionSecret(installationSecret: string, subscriptionId: string): string {
  const key = base64.decode(installationSecret.slice(PREFIX.length));
  const text = utf8Bytes(`holdpoint webhook subscription ${subscriptionId}`);
  return PREFIX + base64.encode(hmac(sha256, key, text));
}
