import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { PushTarget } from '../../contracts/people/push.js';

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SHARED_BYTES = 32;
/** One record holds the whole message. */
const RECORD_BYTES = 4_096;
/** Ends the text of the last record; only zeros follow. */
const LAST = 2;

/** What is made anew for each message. Only a test gives it. */
export interface Fresh {
  readonly privateKey?: Buffer;
  readonly salt?: Buffer;
}

/**
 * Encrypts a message for one browser (RFC 8291, `aes128gcm` of RFC 8188): the push service cannot read it.
 *
 * @param length - the text is filled up to so many bytes, so that its length says nothing
 * @throws Error if the key of the browser is no point of the curve
 */
export function encrypted(
  text: string,
  { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>,
  length: number,
  { privateKey, salt = randomBytes(SALT_BYTES) }: Fresh = {},
): Buffer {
  const ecdh = createECDH(CURVE);
  if (privateKey === undefined) ecdh.generateKeys();
  else ecdh.setPrivateKey(privateKey);
  const [theirs, ours] = [Buffer.from(p256dh, 'base64url'), ecdh.getPublicKey()];
  const secret = ecdh.computeSecret(theirs);
  const both = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const shared = derived(secret, Buffer.from(auth, 'base64url'), both, SHARED_BYTES);
  const key = derived(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES);
  const nonce = derived(shared, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const content = Buffer.from(text);
  const padding = Buffer.alloc(Math.max(0, length - content.length));
  const sealed = Buffer.concat([
    cipher.update(Buffer.concat([content, Buffer.from([LAST]), padding])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.from([ours.length]), ours, sealed]);
}

function derived(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}
