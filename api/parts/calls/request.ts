import { AsyncLocalStorage } from 'node:async_hooks';

export interface KeyedWrite {
  readonly key: string;
  /** The write that the key is for: its caller, the use case, and the ids in the path. */
  readonly write: readonly string[];
  /** The key may not be used for another body. */
  readonly body: object;
}

export interface NotedWrite {
  readonly kind: string;
  readonly id: string;
  /** The state that the store has to show, as lists of this kind compare it. */
  readonly wanted: unknown;
}

/** The HTTP request that makes the writes of use cases. */
export interface WritingRequest {
  /** Aborts once its client is gone. */
  readonly left: AbortSignal;
  /** Whether one of its writes has been admitted, so that it has had an effect. */
  hasWritten: boolean;
  /** Gets the time that its writes have waited for their turn so far, in milliseconds. */
  readonly waited: (ms: number) => void;
  waitedMs: number;
  /** What it has written, each thing once. */
  readonly noted: Map<string, NotedWrite>;
  keyed?: KeyedWrite;
}

const requests = new AsyncLocalStorage<WritingRequest>();

/**
 * Serves a request, so that each write that it leads to knows which request it belongs to.
 *
 * @param left - aborts once the client is gone
 * @param waited - gets the milliseconds for which its writes have waited, with each write that is admitted
 */
export function inRequest<T>(
  left: AbortSignal,
  serve: () => Promise<T>,
  waited: (ms: number) => void = () => undefined,
): Promise<T> {
  return requests.run({ left, hasWritten: false, waited, waitedMs: 0, noted: new Map() }, serve);
}

export function noteAdmitted(request: WritingRequest, ms: number): void {
  request.hasWritten = true;
  request.waitedMs += ms;
  request.waited(request.waitedMs);
}

/** The request that is being served; undefined outside of all requests. */
export function currentRequest(): WritingRequest | undefined {
  return requests.getStore();
}

/** Gives the current request a key: each of its Updates is carried out once, however often the request is repeated. */
export function underKey(keyed: KeyedWrite): void {
  const request = requests.getStore();
  if (request !== undefined) request.keyed = keyed;
}

/** Notes what the request that is being served has written, for the header of its reply. */
export function noteWrite(write: NotedWrite): void {
  requests.getStore()?.noted.set(`${write.kind} ${write.id}`, write);
}
