import { isIP, type LookupFunction } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { ChannelError, withinTime } from '../try-outcome.js';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Webhook } from 'standardwebhooks';
import type { WebhookConfig } from '../../../contracts/server/config.js';
import type { HandedOver } from '../channel.js';
import { defined } from '../../../contracts/constants/defined.js';

/** Resolves all addresses of a name; rejects if it has none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const resolveByDns: Resolve = (hostname) =>
  lookup(hostname, { all: true, order: 'verbatim' });

const PRIVATE = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address is public, private or special: link-local, multicast, reserved, or IPv6 that stands for IPv4. */
export function kindOfAddress(address: string): 'public' | 'private' | 'special' {
  if (!ipaddr.isValid(address)) return 'special';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (PRIVATE.has(range)) return 'private';
  const isGlobal = parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
  return range === 'unicast' && isGlobal ? 'public' : 'special';
}

/**
 * Returns the addresses of a URL's host, if all of them may be connected to: public ones over https, private ones
 * if the configuration allows them.
 *
 * @throws ChannelError `address_refused`, final; `connection_failed` if the name has no address
 */
export async function allowedAddresses(
  url: URL,
  allowsPrivate: boolean,
  resolve: Resolve,
): Promise<readonly LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await addressesOf(host, resolve) : [{ address: host, family }];
  for (const { address } of addresses) {
    const kind = kindOfAddress(address);
    const isAllowed = kind === 'public' ? url.protocol === 'https:' : allowsPrivate;
    if (kind === 'special' || !isAllowed) throw refused(kind);
  }
  return addresses;
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length > 0) return addresses;
  throw new ChannelError('connection_failed', 'the name of the webhook was not found');
}

function refused(kind: 'public' | 'private' | 'special'): ChannelError {
  const message = {
    public: 'the webhook has a public address, to which nothing is sent without TLS',
    private: 'the webhook has a private address, and allow_private_network is not set',
    special: 'the webhook has an address that is neither public nor private',
  }[kind];
  return new ChannelError('address_refused', message, { final: true });
}

const MAX_REPLY_BYTES = 16 * 1024;

export interface Post {
  readonly url: URL;
  /** The request connects only to these addresses, whatever the name resolves to by then. */
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal: AbortSignal;
}

interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/**
 * Sends one POST on its own connection and resolves with the reply, redirects included. Reads and ignores a limited
 * part of the body. Rejects with the error of TLS or the socket.
 */
export function post({ url, addresses, headers, body, signal }: Post): Promise<Reply> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      agent: false,
      lookup: onlyTo(addresses),
      signal,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode: status = 0, headers: replied } = response;
      drop(response);
      resolve({ status, retryAfter: replied['retry-after'] });
    });
    sent.end(body);
  });
}

function onlyTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, done) => {
    const [first] = addresses;
    if (all === true || first === undefined) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}

/** Reads a limited part of the reply, so that its sender can finish; the status alone decides. */
function drop(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_REPLY_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
}

/** The shortest wait before the next try, whatever a receiver asks for. */
const SHORTEST_MS = 5_000;
const LONGEST_MS = 3_600_000;

/** How a sender resolves addresses and gets the time and the current trace. */
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
  /** The receiver's secrets themselves, not the variables that hold them. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}
export type WebhookSender = (message: WebhookMessage) => Promise<HandedOver>;

/**
 * Posts messages, signed by Standard Webhooks with every secret in the configured order. A try ends after
 * `timeout_seconds`, and rejects with a ChannelError, or with the signal's reason if cancelled.
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

/** 2xx counts as delivered; 410 is final; every other status is tried again (Standard Webhooks). */
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
