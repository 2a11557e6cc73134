import { AsyncLocalStorage } from 'node:async_hooks';

/** The HTTP request in whose name the gateway writes. */
export interface WritingRequest {
  /** Aborts once its client is gone. */
  readonly left: AbortSignal;
  /** Whether a write of it has been admitted: it is no longer without effect. */
  hasWritten: boolean;
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
