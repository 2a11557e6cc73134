import { AsyncLocalStorage } from 'node:async_hooks';

/** A write that its sender may repeat. */
export interface KeyedWrite {
  /** The Idempotency-Key. */
  readonly key: string;
  /** What the key is for: who writes, what, and to what. */
  readonly write: readonly string[];
  /** The key is not used for another one. */
  readonly body: object;
}

/** The HTTP request in whose name the gateway writes. */
export interface WritingRequest {
  /** Aborts once its client is gone. */
  readonly left: AbortSignal;
  /** Whether a write of it has been admitted: it is no longer without effect. */
  hasWritten: boolean;
  keyed?: KeyedWrite;
}

const requests = new AsyncLocalStorage<WritingRequest>();

/**
 * Serves a request, so that each write that it leads to knows which request it belongs to.
 *
 * @param left - aborts once the client is gone
 */
export function inRequest<T>(left: AbortSignal, serve: () => Promise<T>): Promise<T> {
  return requests.run({ left, hasWritten: false }, serve);
}

/** The request that is being served; undefined outside of all requests. */
export function currentRequest(): WritingRequest | undefined {
  return requests.getStore();
}

/**
 * Gives the request that is being served a key: each Update that it sends is carried out once, however often the request
 * comes, and its repeats get the first result.
 */
export function underKey(keyed: KeyedWrite): void {
  const request = requests.getStore();
  if (request !== undefined) request.keyed = keyed;
}
