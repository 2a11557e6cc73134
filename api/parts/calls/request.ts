import { AsyncLocalStorage } from 'node:async_hooks';

/** A write that its sender may repeat. */
export interface KeyedWrite {
  /** The Idempotency-Key. */
  readonly key: string;
  /** The write that the key is for: its caller, the use case, and the ids in the path. */
  readonly write: readonly string[];
  /** The key is not used for another one. */
  readonly body: object;
}

/** A write that lists of the store have to show. */
export interface NotedWrite {
  /** The kind of thing that was written. */
  readonly kind: string;
  readonly id: string;
  /** The state that the store has to show, as lists of this kind compare it. */
  readonly wanted: unknown;
}

/** The HTTP request in whose name use cases write. */
export interface WritingRequest {
  /** Aborts once its client is gone. */
  readonly left: AbortSignal;
  /** Whether a write of it has been admitted: it is no longer without effect. */
  hasWritten: boolean;
  /** Told how long its writes have waited for their turn so far, in milliseconds. */
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

/** Notes that a write of a request was admitted after so long. */
export function noteAdmitted(request: WritingRequest, ms: number): void {
  request.hasWritten = true;
  request.waitedMs += ms;
  request.waited(request.waitedMs);
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

/** Notes what the request that is being served has written, for the header of its reply. */
export function noteWrite(write: NotedWrite): void {
  requests.getStore()?.noted.set(`${write.kind} ${write.id}`, write);
}
