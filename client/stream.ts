import { createParser } from 'eventsource-parser';
import type { EventSourceMessage } from 'eventsource-parser';
import { ConnectionError, HoldpointError } from './errors.js';
import type { Fetch, HttpRequest } from './http.js';
import { openOnce } from './http.js';

/** The header by which a stream tells the id after which it begins. */
const POSITION = 'holdpoint-feed-position';

/** A stream of Server-Sent Events that has begun. */
export interface EventStream {
  /** The id after which it begins. */
  readonly position: string;
  /** What came together, each time something came; nothing of it is cut in two. */
  readonly batches: AsyncIterable<readonly EventSourceMessage[]>;
}

/**
 * Opens a stream once. Throws as `sendOnce` does; its batches end where the server ends them and throw
 * ConnectionError where the connection is lost, or says nothing until the deadline made for each read.
 */
export async function openStream(
  fetch: Fetch,
  request: Omit<HttpRequest, 'body' | 'deadline'>,
  silence: () => AbortSignal,
): Promise<EventStream> {
  const response = await openOnce(fetch, { ...request, body: undefined, deadline: silence() });
  const position = response.headers.get(POSITION);
  if (response.body === null || position === null) {
    throw new HoldpointError('unexpected_reply', 'The reply is no stream of events.');
  }
  return { position, batches: batchesOf(response.body.getReader(), silence, request.signal) };
}

async function* batchesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silence: () => AbortSignal,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly EventSourceMessage[]> {
  const decoder = new TextDecoder();
  let frames: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (frame) => void frames.push(frame) });
  try {
    for (;;) {
      const { done, value } = await before([silence(), signal], reader.read());
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (frames.length > 0) yield frames;
      frames = [];
    }
  } catch (error) {
    throw new ConnectionError('unknown', error);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** The work's result, unless one of the signals is first: then its reason is thrown. */
async function before<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const over = new Promise<never>((_resolve, reject) => {
    for (const signal of signals) {
      const abort = (): void => reject(signal?.reason as Error);
      if (signal?.aborted === true) abort();
      signal?.addEventListener('abort', abort, { signal: end.signal });
    }
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    end.abort();
  }
}
