import { openStream, sendOnce } from './http.js';
import type { EventStream, Fetch, HttpReply } from './http.js';
import { SYSTEM_TIMERS, withRetries } from './retry.js';
import type { Repeatable, Timers } from './retry.js';

/** Where Holdpoint is and how to reach it. */
export interface ConnectionOptions {
  /** Address of the API without `/v1`, e.g. `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`. */
  readonly apiKey: string;
  /** Instead of the platform's fetch. */
  readonly fetch?: Fetch | undefined;
  /** Instead of the platform's timers. */
  readonly timers?: Partial<Timers> | undefined;
}

/** One call of the API; the path starts after `/v1`. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the call may be made again when it is not known what became of it. */
  readonly repeatable: Repeatable;
  /** At most so many tries; about a minute of them by default. */
  readonly tries?: number | undefined;
  /** How long the server may take, in seconds. */
  readonly patienceSeconds?: number;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_TRIES = 10;
/** Longer than the server's own deadlines, so that the server is the first to give up. */
const DEFAULT_PATIENCE_SECONDS = 30;

/** Three signs of life that did not come. */
const SILENCE_MS = 45_000;

/** The API's address, key and way of sending, shared by everything that calls it. */
export class Connection {
  readonly timers: Timers;
  readonly #base: string;
  readonly #apiKey: string;
  readonly #fetch: Fetch;

  /** Throws TypeError where the address is no URL. */
  constructor(options: ConnectionOptions) {
    this.#base = `${new URL(options.baseUrl).href.replace(/\/+$/, '')}/v1`;
    this.#apiKey = options.apiKey;
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.timers = { ...SYSTEM_TIMERS, ...options.timers };
  }

  /** Makes a call, with retries where they are safe; see `sendOnce` and `withRetries`. */
  async send(call: Call): Promise<HttpReply> {
    const { repeatable, tries = DEFAULT_TRIES, signal } = call;
    return withRetries(this.timers, { repeatable, tries, signal }, () =>
      sendOnce(this.#fetch, {
        method: call.method,
        url: this.#base + call.path + queryString(call.query ?? {}),
        headers: this.#headersOf(call),
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
        signal,
        deadline: this.timers.deadline((call.patienceSeconds ?? DEFAULT_PATIENCE_SECONDS) * 1_000),
      }),
    );
  }

  /** Opens a stream of events, once; see `openStream`. */
  async stream(
    path: string,
    lastEventId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EventStream> {
    const headers = new Headers({ accept: 'text/event-stream', 'x-api-key': this.#apiKey });
    if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
    const request = { method: 'GET', url: this.#base + path, headers, signal };
    return openStream(this.#fetch, request, () => this.timers.deadline(SILENCE_MS));
  }

  #headersOf(call: Call): Headers {
    const headers = new Headers({ accept: 'application/json', 'x-api-key': this.#apiKey });
    if (call.body !== undefined) headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    return headers;
  }
}

type Collection =
  | 'intents'
  | 'suspensions'
  | 'agents'
  | 'portfolios'
  | 'tasks'
  | 'plans'
  | 'workflows'
  | 'coordinators';

/** Path of an entity; the id is escaped, since it may come from outside. */
export function pathOf(collection: Collection, id: string, rest = ''): string {
  return `/${collection}/${encodeURIComponent(id)}${rest}`;
}

function queryString(query: NonNullable<Call['query']>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given.toString()}`;
}

/** What a caller gives of a request: the fields without a default, and any other. */
export type PartialExcept<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

export interface CreationOptions {
  /** Makes repeats, also of another process, return what the first created. */
  readonly idempotencyKey?: string;
}

/** One read; `query` values that are undefined are left out. */
export async function read(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): Promise<unknown> {
  return (await connection.send({ method: 'GET', path, query, repeatable: 'always' })).body;
}

/** One creation: repeated after a lost reply only under an Idempotency-Key. */
export async function create(
  connection: Connection,
  path: string,
  body: object,
  key?: string,
): Promise<unknown> {
  const repeatable = key === undefined ? 'undelivered' : 'always';
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return (await connection.send({ method: 'POST', path, headers, body, repeatable })).body;
}

/** A key nobody else has: 128 random bits in hex. (`randomUUID` is missing on plain-HTTP pages.) */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
