import { exactJson } from '../contracts/constants/exact-json.js';
import { LIMITS } from '../contracts/constants/limits.js';
import { serverAddress } from './address.js';
import { sendable } from './api-key.js';
import { ConnectionError, HoldpointError } from './errors.js';
import { openStream, sendOnce } from './http.js';
import type { EventStream, Fetch, HttpReply } from './http.js';
import { listIn, nextOffsetIn, warningsIn } from './reply.js';
import { SYSTEM_TIMERS, withRetries } from './retry.js';
import type { Repeatable, Timers } from './retry.js';

/** Where the client writes what its user should know; `console` and most loggers are one. */
export interface Logger {
  warn(message: string): void;
}

/** A bearer token, or what gets the one that is valid now. */
export type Token = string | (() => string | Promise<string>);

/** Where Holdpoint is and how to reach it. */
export interface ConnectionOptions {
  /** Address of the API without `/v1`, e.g. `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`. Either this or a token. */
  readonly apiKey?: string | undefined;
  /**
   * Sent as `Authorization: Bearer`. A function is asked before each try, for the tokens of an issuer expire; what it
   * throws, the call throws.
   */
  readonly token?: Token | undefined;
  /**
   * Gets the `traceparent` of the trace that a call is part of (W3C Trace Context), or undefined. It is asked before each
   * try. Not needed where OpenTelemetry watches `fetch`, which then sends one by itself.
   */
  readonly traceparent?: (() => string | undefined) | undefined;
  /** How often a call is tried at most, unless it says otherwise; 10, about a minute, unless given. */
  readonly tries?: number | undefined;
  /** How long all tries of a call may take together, in seconds; without it only their number is limited. */
  readonly withinSeconds?: number | undefined;
  /** Instead of the platform's fetch. */
  readonly fetch?: Fetch | undefined;
  /** Instead of the platform's timers. */
  readonly timers?: Partial<Timers> | undefined;
  /** Gets the server's warnings, and where a server was looked for that is away; else the console. */
  readonly logger?: Logger | undefined;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** One call of the API; the path starts after `/v1`. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A function is asked before each try. */
  readonly query?: Query | (() => Query);
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the call may be made again when it is not known what became of it. */
  readonly repeatable: Repeatable;
  /** At most so many tries; those of the connection by default. */
  readonly tries?: number | undefined;
  /** How long the server may take, in seconds. */
  readonly patienceSeconds?: number;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_TRIES = 10;
/**
 * Longer than a server takes with its usual limits, so that it is the first to give up: a write waits there for 25 s,
 * and then has 15 s.
 */
const DEFAULT_PATIENCE_SECONDS = 45;

/** Three signs of life that did not come. */
const SILENCE_MS = 45_000;

/** The API's address, key and way of sending, shared by everything that calls it. */
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
  /** It was said that the server is away, and no call has succeeded since. */
  #saidAway = false;

  /**
   * Throws TypeError if the address cannot be that of a server (see `serverAddress`), without exactly one of key and
   * token, or if no header can carry the key.
   */
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
    for (const told of warningsIn(call, reply.body)) this.#logger.warn(`Holdpoint warns: ${told}`);
    return reply;
  }

  /** Reads something. Values of `query` that are undefined are left out. */
  async read<T>(path: string, query: Query = {}, options: ReadOptions = {}): Promise<T> {
    const { body } = await this.send({
      ...options,
      method: 'GET',
      path,
      query,
      repeatable: 'always',
    });
    return body as T;
  }

  /** Reads a page of a list, which the replies hold under `name`. */
  async list<T>(
    path: string,
    name: string,
    query: EventQuery = {},
    options: ReadOptions = {},
  ): Promise<readonly T[]> {
    return (await this.listWith(path, name, query, options)).entries as readonly T[];
  }

  /**
   * The same, with the last reply. The service ends a page early whose entries are large; this reads on until there
   * are as many as were asked for.
   */
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

  /** Creates something. It is repeated after a lost reply only under an Idempotency-Key. */
  async create<T>(path: string, body: object, key?: string): Promise<T> {
    const repeatable = key === undefined ? 'undelivered' : 'always';
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return (await this.send({ method: 'POST', path, headers, body, repeatable })).body as T;
  }

  /** Changes something, at most once; with a version only what was read at that version. */
  async write<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    { body, version }: { readonly body?: object; readonly version?: number } = {},
  ): Promise<T> {
    const headers = version === undefined ? {} : { 'if-match': String(version) };
    const call = { method, path, headers, body, repeatable: 'undelivered' } as const;
    return (await this.send(call)).body as T;
  }

  /** Does what may be done again without harm. */
  async repeat<T>(method: 'POST' | 'PATCH', path: string, body: object): Promise<T> {
    return (await this.send({ method, path, body, repeatable: 'always' })).body as T;
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

  /**
   * Warns of a failure after which a call is repeated, if it means that no Holdpoint answers at the address.
   * Warns once, until a call succeeds.
   */
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
    for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
    return headers;
  }

  /** The headers of every request: what it accepts and who sends it. */
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
  | 'coordinators';

/** Path of an entity; the id is escaped, since it may come from outside. */
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

/** What a caller gives of a request: the fields without a default, and any other. */
export type PartialExcept<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

export interface CreationOptions {
  /** Makes repeats, also of another process, return what the first created. */
  readonly idempotencyKey?: string;
}

/** A page of a list; `limit` is 100 unless given, at most 1,000. */
export interface Page {
  readonly limit?: number;
  readonly offset?: number;
}

/** How long a read is worth trying; `tries` is 10 (about a minute) unless given. */
export type ReadOptions = Pick<Call, 'signal' | 'tries'>;

/** Which part of an event log is wanted; newest first, at most `limit` entries. */
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

/** A key nobody else has: 128 random bits in hex. (`randomUUID` is missing on plain-HTTP pages.) */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
