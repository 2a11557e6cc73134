import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ServerConfig } from '../contracts/server/config.js';
import { keysIn, newKey } from './own-secrets.js';
import { StartupError, type Environment } from './program.js';

const VARIABLE = 'HOLDPOINT_PUSH_KEYS';
const CURVE = 'prime256v1';
/** RFC 8292 allows a day. */
const VALID_SECONDS = 12 * 3_600;

/** A key with which the server proves to push services that it is the one that a browser has subscribed to. */
interface PushKey {
  /** Uncompressed, in base64url: the `applicationServerKey` of browsers. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** The keys of pushes: browsers subscribe with the current one, and earlier ones serve older subscriptions. */
export type PushKeys = readonly [current: PushKey, ...retired: PushKey[]];

/**
 * Reads `HOLDPOINT_PUSH_KEYS`; undefined if it is not set.
 *
 * @throws StartupError as `keysIn`, and for a number that is no key of P-256
 */
export function loadPushKeys(env: Environment): PushKeys | undefined {
  const [current, ...retired] = keysIn(env, VARIABLE).map(keyOf);
  return current && [current, ...retired];
}

function keyOf(secret: Buffer, index: number): PushKey {
  const ecdh = createECDH(CURVE);
  try {
    ecdh.setPrivateKey(secret);
  } catch {
    throw new StartupError(`${VARIABLE}: key ${index + 1} is no private key of P-256.`);
  }
  const point = ecdh.getPublicKey();
  const half = (point.length - 1) / 2;
  const key = {
    kty: 'EC',
    crv: 'P-256',
    d: secret.toString('base64url'),
    x: point.subarray(1, 1 + half).toString('base64url'),
    y: point.subarray(1 + half).toString('base64url'),
  };
  return {
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ format: 'jwk', key }),
  };
}

export function newPushKey(): string {
  for (;;) {
    const secret = newKey();
    // All but very few numbers of 256 bits are keys of P-256.
    if (isKey(secret)) return secret;
  }
}

function isKey(secret: string): boolean {
  try {
    return loadPushKeys({ [VARIABLE]: secret }) !== undefined;
  } catch {
    return false;
  }
}

/** Makes the header that identifies the server to a push service; undefined if the key of this name is gone. */
export type PushSigner = (publicKey: string, endpoint: URL) => Promise<string | undefined>;

/** Returns the signer of pushes (VAPID, RFC 8292). It names a contact for the operator of a push service. */
export function pushSigner(
  keys: PushKeys,
  { push, public_url }: Pick<ServerConfig, 'push' | 'public_url'>,
  now: () => number = Date.now,
): PushSigner {
  const contact = push.contact ?? contactAt(public_url);
  return async (publicKey, { origin }) => {
    const key = keys.find((one) => one.publicKey === publicKey);
    if (key === undefined) return undefined;
    const token = await new SignJWT({ sub: contact })
      .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
      .setAudience(origin)
      .setExpirationTime(new Date(now() + VALID_SECONDS * 1_000))
      .sign(key.privateKey);
    return `vapid t=${token}, k=${publicKey}`;
  };
}

/** Returns the contact for push services, which accept an address of mail, or an https page. */
function contactAt(publicUrl: string | undefined): string {
  if (publicUrl?.startsWith('https:')) return publicUrl;
  return `mailto:holdpoint@${publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname}`;
}
