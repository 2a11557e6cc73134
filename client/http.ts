import { createParser } from 'eventsource-parser';
import { ConnectionError, HoldpointError } from './errors.js';
import { errorOfReply } from './reply.js';
import { defined } from '../contracts/constants/defined.js';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface HttpRequest {
  readonly method: string;
  /** The address of the server, without `/v1`. */
  readonly address: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Ends a connection without a reply. */
  readonly deadline: AbortSignal;
}

/** A 2xx reply; an empty body is undefined. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Error codes of the operating system and of Node's fetch if no connection was made. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Sends a request once. Throws HoldpointError for a reply that is not 2xx or not JSON, ConnectionError without a whole reply,
 * and the signal's reason if it is aborted.
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
 * Sends a request once, without reading the body of a 2xx reply. The deadline counts for the beginning of the reply,
 * the signal for all of it. Throws as `sendOnce`.
 */
async function openOnce(fetch: Fetch, request: HttpRequest): Promise<Response> {
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
      // The key must go to no other address.
      redirect: 'manual',
      signal: stop.signal,
      ...defined({ body }),
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
 * Parses a reply with the platform's parser, which is fast and has no limit of depth. It loses nothing: the service writes each
 * number with the digits of its double, and each name once.
 */
function parseJson(text: string): { valid: boolean; value: unknown } {
  if (text === '') return { valid: true, value: undefined };
  try {
    return { valid: true, value: JSON.parse(text) as unknown };
  } catch {
    return { valid: false, value: undefined };
  }
}

/** Whether an error or its cause means that no connection was made; for two tried addresses, both. */
function isNotConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(isNotConnected);
  }
  const code: unknown = 'code' in error ? error.code : undefined;
  return (typeof code === 'string' && NOT_CONNECTED.has(code)) || isNotConnected(error.cause);
}

/** The header with the id after which a stream begins. */
const POSITION_HEADER = 'holdpoint-feed-position';

/** An open stream of Server-Sent Events. */
export interface EventStream {
  readonly position: string;
  /** The whole events of each received chunk. */
  readonly batches: AsyncIterable<readonly StreamFrame[]>;
}

export interface StreamFrame {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
}

/**
 * Opens a stream once. Throws as `sendOnce`. Its batches end when the server ends them, and throw ConnectionError if
 * the connection is lost, or silent until the deadline of a read.
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

/** Returns the result of the work; throws the reason of a signal that aborts first. */
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
