import { serverAddress } from './connection.js';
import { ConnectionError, HoldpointError } from './errors.js';
import type { Fetch } from './http.js';
import { isObject } from './reply.js';

/** A service's public report on whether all its dependencies are available. */
export interface Readiness {
  readonly ready: boolean;
  /** The API, Temporal, a worker and the store, by name. */
  readonly dependencies: Readonly<
    Record<string, { readonly ok: boolean; readonly detail: string }>
  >;
}

const DEADLINE_MS = 10_000;

/**
 * Asks a service whether it is ready, without a key. Throws ConnectionError if nothing answers, and HoldpointError
 * `unexpected_reply` if something else does.
 */
export async function readReadiness(
  baseUrl: string,
  send: Fetch = (url, init) => fetch(url, init),
): Promise<Readiness> {
  const address = serverAddress(baseUrl);
  let response: Response;
  let body: unknown;
  try {
    response = await send(`${address}/v1/ready`, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    body = parsed(await response.text());
  } catch (error) {
    throw new ConnectionError('unknown', error, address);
  }
  if (!isObject(body) || !isObject(body['dependencies'])) {
    const message = `What answers at ${address} is no Holdpoint.`;
    throw new HoldpointError('unexpected_reply', message, { status: response.status });
  }
  return {
    ready: body['status'] === 'ready',
    dependencies: body['dependencies'] as Readiness['dependencies'],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
