import { createHash } from 'node:crypto';
import type { Notice } from '../../contracts/channel/notice.js';
import type { PushConfig, PushTarget } from '../../contracts/people/push.js';
import { isPushHost } from '../../domain/directory/push-hosts.js';
import { ChannelError } from '../channels/try-outcome.js';
import { allowedAddresses, resolveByDns } from '../channels/webhook/addresses.js';
import type { Resolve } from '../channels/webhook/addresses.js';
import { post } from '../channels/webhook/post.js';
import { retryAfterMs } from '../channels/webhook/sender.js';
import { withinTime } from '../channels/within-time.js';

const TIMEOUT_SECONDS = 10;
/** Longer than nearly every notice. */
const FILLED_BYTES = 1_024;
/** A push service gives up after so long, and sooner if the question ends. */
const LONGEST_SECONDS = 86_400;
const TOPIC_CHARACTERS = 32;
const GONE: readonly number[] = [404, 410];

/** One message to one browser. */
export interface Push {
  readonly target: PushTarget;
  readonly notice: Notice;
  /** For how long it is worth something, in seconds. */
  readonly seconds: number;
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

/** Hands a message over to a push service. Rejects with a ChannelError; `endpoint_gone` ends the subscription. */
export type PushSender = (push: Push) => Promise<void>;

export interface PushSurroundings {
  /** Encrypts for a browser, to this length. */
  readonly encrypt: (text: string, target: PushTarget, length: number) => Buffer;
  /** The proof of who sends, by the key that the browser subscribed with; undefined if that key is gone. */
  readonly sign: (publicKey: string, endpoint: URL) => Promise<string | undefined>;
  readonly resolve?: Resolve;
  readonly now?: () => Date;
}

const SERVICE = {
  name: 'the push service',
  failed: () => new ChannelError('connection_failed', 'the push service was not reached'),
};

/**
 * Sends messages to the push services of browsers (RFC 8030). The browser chose the address, so it must be that of a host of
 * the configuration, public and over https, and no redirect is followed.
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
        // A later message of the same question takes the place of one that was not delivered yet.
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

/** It says nothing about the question, whose id is in the path. */
function topicOf({ path }: Notice): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, TOPIC_CHARACTERS);
}
