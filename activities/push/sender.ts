import { createCipheriv, createECDH, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Notice } from '../../contracts/channel/notification.js';
import type { PushConfig, PushTarget } from '../../contracts/people/noticing.js';
import { isPushHost } from '../../domain/directory/directory.js';
import { ChannelError, withinTime } from '../channels/try-outcome.js';
import {
  allowedAddresses,
  post,
  resolveByDns,
  retryAfterMs,
  type Resolve,
} from '../channels/webhook/sender.js';

const TIMEOUT_SECONDS = 10;
/** Nearly every notice is shorter, so all have this length after padding. */
const FILLED_BYTES = 1_024;
/** A push service stops trying after this time, or earlier if the question ends. */
const LONGEST_SECONDS = 86_400;
const TOPIC_CHARACTERS = 32;
const GONE: readonly number[] = [404, 410];

export interface Push {
  readonly target: PushTarget;
  readonly notice: Notice;
  /** How long the message is useful, in seconds. */
  readonly seconds: number;
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/** Sends a message to a push service. Rejects with a ChannelError; `endpoint_gone` ends the subscription. */
export type PushSender = (push: Push) => Promise<void>;

export interface PushSurroundings {
  /** Encrypts for a browser, padded to `length`. */
  readonly encrypt: (text: string, target: PushTarget, length: number) => Buffer;
  /** Proves the sender, by the key that the browser subscribed with; undefined if that key no longer exists. */
  readonly sign: (publicKey: string, endpoint: URL) => Promise<string | undefined>;
  readonly resolve?: Resolve;
  readonly now?: () => Date;
}

const SERVICE = {
  name: 'the push service',
  failed: () => new ChannelError('connection_failed', 'the push service was not reached'),
};

/**
 * Sends messages to the push services of browsers (RFC 8030). The browser chose the address, so its host must be
 * configured, public and over https, and redirects are not followed.
 */
export function createPushSender(
  { hosts, allow_private_network }: Pick<PushConfig, 'hosts' | 'allow_private_network'>,
  { encrypt, sign, resolve = resolveByDns, now = () => new Date() }: PushSurroundings,
): PushSender {
  return async ({ target, notice, seconds, isUrgent, signal }) => {
    const url = new URL(target.endpoint);
    if (!isPushHost(url, hosts, allow_private_network)) {
      throw gone('the host of the push service is not allowed any more');
    }
    const proof = await sign(target.public_key, url);
    if (proof === undefined) throw gone('the key that the browser subscribed with is gone');
    const body = encrypt(JSON.stringify(notice), target, FILLED_BYTES);
    const reply = await withinTime(SERVICE, TIMEOUT_SECONDS, signal, async (within) => {
      const addresses = await allowedAddresses(url, allow_private_network, resolve);
      const headers = {
        authorization: proof,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(Math.max(0, Math.min(Math.floor(seconds), LONGEST_SECONDS))),
        urgency: isUrgent ? 'high' : 'normal',
        // A later message of the same question replaces one that was not delivered yet.
        topic: topicOf(notice),
      };
      return post({ url, addresses, headers, body, signal: within });
    });
    const { status } = reply;
    if (status >= 200 && status < 300) return;
    if (GONE.includes(status)) throw gone(`the push service answered ${status}`, status);
    const retry = retryAfterMs(reply.retryAfter, now());
    throw new ChannelError('response_not_2xx', `the push service answered ${status}`, {
      statusCode: status,
      retryAfterMs: retry,
    });
  };
}

function gone(message: string, statusCode?: number): ChannelError {
  const status = statusCode === undefined ? {} : { statusCode };
  return new ChannelError('endpoint_gone', message, { final: true, ...status });
}

/** A topic must not reveal the question, whose id is in the path. */
function topicOf({ path }: Notice): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, TOPIC_CHARACTERS);
}

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SHARED_BYTES = 32;
/** One record contains the whole message. */
const RECORD_BYTES = 4_096;
/** Ends the text of the last record; only zeros follow. */
const LAST = 2;

/** The values generated for each message; only tests pass them. */
export interface Fresh {
  readonly privateKey?: Buffer;
  readonly salt?: Buffer;
}

/**
 * Encrypts a message for one browser (RFC 8291, `aes128gcm` of RFC 8188), so that the push service cannot read it.
 *
 * @param length - the text is padded to this many bytes, to hide its length
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
