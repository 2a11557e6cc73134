import { exactJson } from '../contracts/constants/exact-json.js';
import { LIMITS } from '../contracts/constants/limits.js';
import { RecentWrites, WRITTEN_HEADER } from '../contracts/constants/headers.js';
import { ConnectionError, HoldpointError } from './errors.js';
import { openStream, sendOnce, type EventStream, type Fetch, type HttpReply } from './http.js';
import { listIn, nextOffsetIn, warningsIn } from './reply.js';
import { SYSTEM_TIMERS, withRetries, type Repeatable, type Timers } from './retry.js';

/**
 * Returns the address of a server without a slash at its end. Calls add `/v1`.
 *
 * @throws TypeError that says what to write instead, if no call could succeed
 */
export function serverAddress(baseUrl: string): string {
  if (!/^https?:\/\//i.test(baseUrl)) {
    throw new TypeError(
      `baseUrl ${baseUrl} must begin with http:// or https://, as in http://127.0.0.1:4000.`,
    );
  }
  if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl ${baseUrl} is not a URL.`);
  const { origin, pathname, username, password, search, hash } = new URL(baseUrl);
  const address = withoutSlashes(origin + pathname);
  if (username + password + search + hash !== '') {
    throw new TypeError(
      `baseUrl ${address} must hold neither a user, a query nor a fragment; the key is apiKey.`,
    );
  }
  if (/^\/v1(\/|$)/.test(pathname) || address.endsWith('/v1')) {
    throw new TypeError(`baseUrl ${address} must be written without /v1, which the client adds.`);
  }
  return address;
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/**
 * Returns an API key that a header can carry. Without this check, the platform would refuse it only at the first call, in
 * an error that may repeat the key.
 *
 * @throws TypeError if no header can carry it
 */
function sendable(apiKey: string): string {
  try {
    new Headers().set('x-api-key', apiKey);
  } catch {
    throw new TypeError('apiKey has a character that no header can carry, such as “…”.');
  }
  return apiKey;
}

/** Takes messages for the user of the client; `console` and most loggers fit. */
export interface Logger {
  warn(message: string): void;
}

/** A bearer token, or a function that returns a valid one. */
export type Token = string | (() => string | Promise<string>);

/** The address of Holdpoint, and how to reach it. */
export interface ConnectionOptions {
  /** Address of the API without `/v1`, e.g. `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`. Either this or a token. */
  readonly apiKey?: string | undefined;
  /** Sent as `Authorization: Bearer`. A function is called before each try; the call throws what it throws. */
  readonly token?: Token | undefined;
  /**
   * Returns the `traceparent` of the current trace (W3C Trace Context), or undefined; called before each try. It is not
   * needed if OpenTelemetry instruments `fetch`.
   */
  readonly traceparent?: (() => string | undefined) | undefined;
  /** The most tries of a call; 10 by default, which takes about a minute. */
  readonly tries?: number | undefined;
  /** The seconds that all tries of a call may take together; no limit by default. */
  readonly withinSeconds?: number | undefined;
  /**
   * Remembers writes, so that reads at another replica of the service show them; each connection keeps its own by
   * default.
   */
  readonly writes?: Pick<RecentWrites, 'note' | 'toSend'> | undefined;
  readonly fetch?: Fetch | undefined;
  readonly timers?: Partial<Timers> | undefined;
  /** Receives the server's warnings, and the address of an unreachable server; the console by default. */
  readonly logger?: Logger | undefined;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** One call of the API; the path starts after `/v1`. */
interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A function is called before each try. */
  readonly query?: Query | (() => Query);
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly repeatable: Repeatable;
  readonly tries?: number | undefined;
  /** The seconds that the server may take. */
  readonly patienceSeconds?: number;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_TRIES = 10;
/** Longer than the server's usual limits, so that it gives up first: a write waits there for 25 s, and then takes up to 15 s. */
const DEFAULT_PATIENCE_SECONDS = 45;

/** The time of three missing keep-alives. */
const SILENCE_MS = 45_000;

export class Connection {
  readonly timers: Timers;
  readonly #address: string;
  readonly #apiKey: string | undefined;
  readonly #token: Token | undefined;
  readonly #traceparent: () => string | undefined;
  readonly #tries: number;
  readonly #withinMs: number;
  readonly #fetch: Fetch;
  readonly #logger: Logger;
  /** The writes through this connection, which reads at another replica of the service have to show. */
  readonly #written: Pick<RecentWrites, 'note' | 'toSend'>;
  /** Whether it has warned that the server is away, and no call has succeeded since. */
  #saidAway = false;

  /** Throws TypeError for an unusable address (see `serverAddress`) or key, or without exactly one of key and token. */
  constructor(options: ConnectionOptions) {
    this.#address = serverAddress(options.baseUrl);
    if ((options.apiKey === undefined) === (options.token === undefined)) {
      throw new TypeError('A client signs in by apiKey or by token: give one of them.');
    }
    this.#apiKey = options.apiKey && sendable(options.apiKey);
    this.#token = options.token;
    this.#traceparent = options.traceparent ?? (() => undefined);
    this.#tries = options.tries ?? DEFAULT_TRIES;
    this.#withinMs = (options.withinSeconds ?? Infinity) * 1_000;
    this.#written = options.writes ?? new RecentWrites();
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#logger = options.logger ?? console;
    this.timers = { ...SYSTEM_TIMERS, ...options.timers };
  }

  /** Makes a call, with retries if they are safe; see `sendOnce` and `withRetries`. */
  async send(call: Call): Promise<HttpReply> {
    const { repeatable, tries = this.#tries, signal } = call;
    const onRetry = (error: unknown): void => this.sayAway(error);
    const [timers, withinMs] = [this.timers, this.#withinMs];
    const until = timers.now() + withinMs;
    const patienceMs = (call.patienceSeconds ?? DEFAULT_PATIENCE_SECONDS) * 1_000;
    const rules = { repeatable, tries, withinMs, signal, onRetry };
    const reply = await withRetries(timers, rules, async () =>
      sendOnce(this.#fetch, {
        method: call.method,
        address: this.#address,
        path: call.path + queryString(call.query),
        headers: await this.#headersOf(call),
        body: call.body === undefined ? undefined : exactJson(call.body),
        signal,
        deadline: timers.deadline(Math.max(0, Math.min(patienceMs, until - timers.now()))),
      }),
    );
    this.#saidAway = false;
    this.#written.note(reply.headers.get(WRITTEN_HEADER), Date.now());
    for (const text of warningsIn(call, reply.body)) this.#logger.warn(`Holdpoint warns: ${text}`);
    return reply;
  }

  /** Reads something. Values of `query` that are undefined are left out. */
  async read<T>(path: string, query: Query = {}, options: ReadOptions = {}): Promise<T> {
    const call = { ...options, method: 'GET', path, query, repeatable: 'always' } as const;
    return (await this.send(call)).body as T;
  }

  /** Reads a page of a list, which replies hold under `name`. */
  async list<T>(
    path: string,
    name: string,
    query: EventQuery = {},
    options: ReadOptions = {},
  ): Promise<readonly T[]> {
    return (await this.listWith(path, name, query, options)).entries as readonly T[];
  }

  /** Reads a page, and returns the last reply too. The service ends a page of large entries early, so this reads on. */
  async listWith(path: string, name: string, query: EventQuery = {}, options: ReadOptions = {}) {
    const limit = query.limit ?? LIMITS.defaultPageSize;
    const entries: unknown[] = [];
    for (let part = { ...query }; ;) {
      const reply = await this.read<unknown>(path, part, options);
      entries.push(...listIn(reply, name));
      const offset = nextOffsetIn(reply);
      if (offset === undefined || entries.length >= limit) return { entries, reply };
      part = { ...query, limit: limit - entries.length, offset };
    }
  }

  /** Creates something. The call is repeated after a lost reply only under an Idempotency-Key. */
  async create<T>(path: string, body: object, key?: string): Promise<T> {
    const repeatable = key === undefined ? 'undelivered' : 'always';
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return (await this.send({ method: 'POST', path, headers, body, repeatable })).body as T;
  }

  /** Changes something, at most once. With a version, it must still be at that version. */
  async write<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    { body, version }: { readonly body?: object; readonly version?: number } = {},
  ): Promise<T> {
    const headers = version === undefined ? {} : { 'if-match': String(version) };
    const call = { method, path, headers, body, repeatable: 'undelivered' } as const;
    return (await this.send(call)).body as T;
  }

  async repeat<T>(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    body: object,
    signal?: AbortSignal,
  ): Promise<T> {
    return (await this.send({ method, path, body, repeatable: 'always', signal })).body as T;
  }

  /** Opens a stream of events, once; see `openStream`. */
  async stream(
    path: string,
    lastEventId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EventStream> {
    const headers = await this.#signedIn('text/event-stream');
    if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
    const request = { method: 'GET', address: this.#address, path, headers, signal };
    const stream = await openStream(this.#fetch, request, () => this.timers.deadline(SILENCE_MS));
    this.#saidAway = false;
    return stream;
  }

  /** Warns of a failure, before a repeat, if no Holdpoint answers at the address; once, until a call succeeds. */
  sayAway(error: unknown): void {
    const isAway =
      error instanceof ConnectionError ||
      (error instanceof HoldpointError && error.code.startsWith('http_'));
    if (!isAway || this.#saidAway) return;
    this.#saidAway = true;
    this.#logger.warn(`${error.message} Trying again.`);
  }

  async #headersOf(call: Call): Promise<Headers> {
    const headers = await this.#signedIn('application/json');
    if (call.body !== undefined) headers.set('content-type', 'application/json');
    const traceparent = this.#traceparent();
    if (traceparent !== undefined) headers.set('traceparent', traceparent);
    const written = call.method === 'GET' ? this.#written.toSend(Date.now()) : undefined;
    if (written !== undefined) headers.set(WRITTEN_HEADER, written);
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    return headers;
  }

  /** Returns the headers of every request: the accepted type and the sender. */
  async #signedIn(accept: string): Promise<Headers> {
    if (this.#apiKey !== undefined) return new Headers({ accept, 'x-api-key': this.#apiKey });
    const token = typeof this.#token === 'function' ? await this.#token() : this.#token;
    return new Headers({ accept, authorization: `Bearer ${token}` });
  }
}

type Collection =
  | 'intents'
  | 'runs'
  | 'suspensions'
  | 'approvals'
  | 'requests'
  | 'agents'
  | 'portfolios'
  | 'tasks'
  | 'plans'
  | 'workflows'
  | 'coordinators'
  | 'me/views';

/** Returns the path of an entity. The id is escaped, because it may come from outside. */
export function pathOf(collection: Collection, id: string, rest = ''): string {
  return `/${collection}/${encodeURIComponent(id)}${rest}`;
}

function queryString(query: Call['query'] = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(typeof query === 'function' ? query() : query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given.toString()}`;
}

/** A request with the fields that have no default, and any others. */
export type PartialExcept<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

export interface CreationOptions {
  /** Makes repeats, even from another process, return what the first call created. */
  readonly idempotencyKey?: string;
}

/** A page of a list; `limit` is 100 by default, at most 1,000. */
export interface Page {
  readonly limit?: number;
  readonly offset?: number;
}

/** Limits of a read; `tries` is 10 by default, which takes about a minute. */
export type ReadOptions = Pick<Call, 'signal' | 'tries'>;

/** A part of an event log: newest first, at most `limit` entries. */
export interface EventQuery extends Page {
  readonly event_type?: string;
}

/** The calls of one subject. Refusals are thrown as HoldpointError with the server's code. */
export abstract class SubjectClient {
  protected readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }
}

/** Returns a unique key: 128 random bits in hex. (`randomUUID` is missing on plain-HTTP pages.) */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
