import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { utf8Bytes } from '../kernel/text.js';

/** Secrets of Standard Webhooks begin with it; the rest is base64. */
const PREFIX = 'whsec_';

/**
 * Returns a subscription's secret: an HMAC of its id under the installation's secret. It is stored nowhere.
 *
 * @param installationSecret - in the form of Standard Webhooks
 */
export function subscriptionSecret(installationSecret: string, subscriptionId: string): string {
  const key = base64.decode(installationSecret.slice(PREFIX.length));
  const text = utf8Bytes(`holdpoint webhook subscription ${subscriptionId}`);
  return PREFIX + base64.encode(hmac(sha256, key, text));
}
