import { createParser } from 'eventsource-parser';
import { ConnectionError, HoldpointError } from './errors.js';
import { errorOfReply } from './reply.js';

/** The fetch of the platform, or one with its call signature. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One HTTP request, ready to be sent. */
export interface HttpRequest {
  readonly method: string;
  /** Of the server, without `/v1`. */
  readonly address: string;
  /** What follows `/v1`. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** The caller's own wish to stop. */
  readonly signal: AbortSignal | undefined;
  /** Gives up a connection on which nothing comes back. */
  readonly deadline: AbortSignal;
}

/** A 2xx reply; an empty body is undefined. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Errors of the operating system and of Node's fetch that mean: no connection was made. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Sends a request once. Throws HoldpointError for a reply that is not 2xx or not JSON,
 * ConnectionError if no whole reply came, and the signal's reason if it is aborted.
 */
export async function sendOnce(fetch: Fetch, request: HttpRequest): Promise<HttpReply> {
  const { response, text } = await exchange(fetch, request, (reply) => reply.text());
  const body = parseJson(text);
  const { status, headers } = response;
  const { address } = request;
  if (!response.ok) throw errorOfReply({ status, headers, body: body.value, address });
  if (!body.valid) {
    const message = `The reply of ${address} is not JSON: is that Holdpoint?`;
    throw new HoldpointError('unexpected_reply', message, { status });
  }
  return { status, headers, body: body.value };
}

/**
 * Sends a request once and leaves the body of a 2xx reply to be read. The deadline counts for its
 * beginning alone, the signal for all of it. Throws as `sendOnce` does.
 */
export async function openOnce(fetch: Fetch, request: HttpRequest): Promise<Response> {
  const { response, text } = await exchange(fetch, request, async (reply) =>
    reply.ok ? undefined : reply.text(),
  );
  if (text === undefined) return response;
  const { status, headers } = response;
  const body = parseJson(text).value;
  throw errorOfReply({ status, headers, body, address: request.address });
}

async function exchange<T>(
  fetch: Fetch,
  { address, path, signal, deadline, body, ...request }: HttpRequest,
  read: (response: Response) => Promise<T>,
): Promise<{ response: Response; text: T }> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  for (const source of [signal, deadline]) {
    if (source?.aborted === true) abort();
    source?.addEventListener('abort', abort);
  }
  try {
    const init: RequestInit = {
      ...request,
      // The key goes to this address only.
      redirect: 'manual',
      signal: stop.signal,
      ...(body === undefined ? {} : { body }),
    };
    const response = await fetch(`${address}/v1${path}`, init);
    return { response, text: await read(response) };
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionError(isNotConnected(error) ? 'no' : 'unknown', error, address);
  } finally {
    for (const source of [signal, deadline]) source?.removeEventListener('abort', abort);
  }
}

/**
 * Reads a reply as it was written: the service writes each number from a double, with the digits that lead back to it, and each name
 * once. So nothing is lost by the platform's own reader, which is quick and knows no depth.
 */
function parseJson(text: string): { valid: boolean; value: unknown } {
  if (text === '') return { valid: true, value: undefined };
  try {
    return { valid: true, value: JSON.parse(text) as unknown };
  } catch {
    return { valid: false, value: undefined };
  }
}

/** Looks through the causes; if two addresses were tried, each has to have failed so. */
function isNotConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isNotConnected);
  }
  const code: unknown = 'code' in error ? error.code : undefined;
  return (typeof code === 'string' && NOT_CONNECTED.has(code)) || isNotConnected(error.cause);
}

/** The header by which a stream tells the id after which it begins. */
const POSITION_HEADER = 'holdpoint-feed-position';

/** A stream of Server-Sent Events that has begun. */
export interface EventStream {
  /** The id after which it begins. */
  readonly position: string;
  /** What came together, each time something came; nothing of it is cut in two. */
  readonly batches: AsyncIterable<readonly StreamFrame[]>;
}

/** One event of a stream as it was sent. */
export interface StreamFrame {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
}

/**
 * Opens a stream once. Throws as `sendOnce` does; its batches end when the server ends them and throw
 * ConnectionError if the connection is lost, or says nothing until the deadline made for each read.
 */
export async function openStream(
  fetch: Fetch,
  request: Omit<HttpRequest, 'body' | 'deadline'>,
  silence: () => AbortSignal,
): Promise<EventStream> {
  const response = await openOnce(fetch, { ...request, body: undefined, deadline: silence() });
  const position = response.headers.get(POSITION_HEADER);
  if (response.body === null || position === null) {
    throw new HoldpointError('unexpected_reply', 'The reply is no stream of events.');
  }
  return { position, batches: batchesOf(response.body.getReader(), silence, request) };
}

async function* batchesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silence: () => AbortSignal,
  { signal, address }: Pick<HttpRequest, 'signal' | 'address'>,
): AsyncGenerator<readonly StreamFrame[]> {
  const decoder = new TextDecoder();
  let frames: StreamFrame[] = [];
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
    throw new ConnectionError('unknown', error, address);
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
