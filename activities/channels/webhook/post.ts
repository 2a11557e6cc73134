import type { LookupAddress } from 'node:dns';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

/** How much of a reply is read before the connection is closed. */
const MAX_REPLY_BYTES = 16 * 1024;

export interface Post {
  readonly url: URL;
  /** Only these addresses are connected to, whatever the name resolves to by then. */
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  /** Value of the header `Retry-After`. */
  readonly retryAfter: string | undefined;
}

/**
 * Sends one POST on its own connection and resolves with the reply, redirects included. Of the reply's body
 * only a limited part is read, and ignored. Rejects with the error of TLS or the socket.
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
