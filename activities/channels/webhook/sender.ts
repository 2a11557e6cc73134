import { Webhook } from 'standardwebhooks';
import type { WebhookConfig } from '../../../contracts/server/config.js';
import type { HandedOver } from '../channel.js';
import { ChannelError } from '../try-outcome.js';
import { withinTime } from '../within-time.js';
import { allowedAddresses, resolveByDns } from './addresses.js';
import type { Resolve } from './addresses.js';
import { post } from './post.js';
import type { Reply } from './post.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The wait before the next try, whatever a receiver asks for. */
const SHORTEST_MS = 5_000;
const LONGEST_MS = 3_600_000;

/** How a sender finds addresses, the time and the trace that it is part of. */
export interface WebhookSurroundings {
  readonly resolve: Resolve;
  readonly now: () => Date;
  /** The `traceparent` to send along (W3C Trace Context), if there is one. */
  readonly traceparent: () => string | undefined;
}

const SURROUNDINGS: WebhookSurroundings = {
  resolve: resolveByDns,
  now: () => new Date(),
  traceparent: () => undefined,
};

/** One message to one receiver; `id` is the same for all its tries. */
export interface WebhookMessage {
  readonly url: URL;
  readonly id: string;
  readonly body: string;
  /** The secrets of the receiver, not the variables that hold them. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}
export type WebhookSender = (message: WebhookMessage) => Promise<HandedOver>;

/**
 * Posts messages, signed by Standard Webhooks with every secret in the configured order. A try ends after
 * `timeout_seconds`. It rejects with a ChannelError, or with the signal's reason if it is cancelled.
 */
export function createWebhookSender(
  config: Pick<WebhookConfig, 'allow_private_network' | 'timeout_seconds'>,
  surroundings: Partial<WebhookSurroundings> = {},
): WebhookSender {
  const { resolve, now, traceparent } = { ...SURROUNDINGS, ...surroundings };
  return async ({ url, id, body, secrets, signal }) => {
    const reply = await withinTime(RECEIVER, config.timeout_seconds, signal, async (within) => {
      const addresses = await allowedAddresses(url, config.allow_private_network, resolve);
      const signers = secrets.map((secret) => new Webhook(secret));
      const trace = traceparent();
      const headers = {
        ...signedHeaders(signers, id, now(), body),
        ...defined({ traceparent: trace }),
      };
      return post({ url, addresses, headers, body, signal: within });
    });
    return judge(reply, now());
  };
}

function signedHeaders(signers: readonly Webhook[], id: string, at: Date, body: string) {
  return {
    'content-type': 'application/json',
    'user-agent': 'holdpoint',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signers.map((signer) => signer.sign(id, at, body)).join(' '),
  };
}

const RECEIVER = {
  name: 'the webhook',
  failed: (error: unknown) =>
    new ChannelError('connection_failed', `the webhook was not reached${codeOf(error)}`),
};

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}

/** 2xx is delivered; 410 is final; every other status is tried again (Standard Webhooks). */
function judge({ status, retryAfter }: Reply, now: Date): HandedOver {
  if (status >= 200 && status < 300) return { status_code: status };
  const answered = `the webhook answered ${status}`;
  if (status === 410) {
    throw new ChannelError('endpoint_gone', answered, { statusCode: status, final: true });
  }
  const details = { statusCode: status, retryAfterMs: retryAfterMs(retryAfter, now) };
  if (status >= 300 && status < 400) {
    throw new ChannelError('redirect_not_followed', `${answered}, a redirect`, details);
  }
  throw new ChannelError('response_not_2xx', answered, details);
}

/** Returns the wait (ms) that a `Retry-After` asks for, from 5 s to an hour; undefined if it cannot be read (RFC 9110 §10.2.3). */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const asked = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  if (Number.isNaN(asked)) return undefined;
  return Math.min(Math.max(asked, SHORTEST_MS), LONGEST_MS);
}
