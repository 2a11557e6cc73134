import type { Refused } from './types.js';

/** The API refused, or something between it and the page did. */
export class RefusedError extends Error {
  readonly problem: Refused;

  constructor(problem: Refused) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }

  /** The same refusal in words for people, where those of the API are for programs. */
  retold(detail: string): RefusedError {
    return new RefusedError({ ...this.problem, detail });
  }
}

/** Nothing came back: the network, or the API, is away. Whether the request arrived is not known. */
export class UnreachableError extends Error {
  /** Whether it would have changed something, if it arrived. */
  readonly changes: boolean;

  constructor(changes: boolean) {
    super('Holdpoint cannot be reached.');
    this.changes = changes;
  }
}

const TOO_MANY_REQUESTS = 429;
const SERVER_FAULTS = 500;

/** Whether the same request may succeed a little later. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return error instanceof UnreachableError;
  const { status } = error.problem;
  return status === TOO_MANY_REQUESTS || status >= SERVER_FAULTS;
}

/** Whether a request that failed may have been carried out all the same: nothing answered, or nothing that refuses it. */
export function mayHaveArrived(error: unknown): boolean {
  return !(error instanceof RefusedError) || error.problem.status >= SERVER_FAULTS;
}

/** A reply with its status, where one path has several that are good. */
export interface Reply<T> {
  readonly status: number;
  readonly body: T;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a request may have besides its path. */
interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** What the layer tells the rest of the page. */
interface Listener {
  /** The session is over: a request that needs one was refused. */
  readonly ended: () => void;
  /** The clock of the server, by the header of each reply. */
  readonly serverTime: (ms: number) => void;
}

/** What reads, or decides nothing of a question, although it is no GET. */
const HARMLESS = /^\/(session|v1\/links\/read)\b/;
const PUBLIC = /^\/(session|v1\/links)\b/;
let listener: Listener | undefined;
let csrf = '';

/** Says who hears of the end of a session, and of the server's clock. */
export function listen(to: Listener): void {
  listener = to;
}

/** Keeps what each request that changes something has to bring, in memory alone. */
export function keepCsrf(token: string): void {
  csrf = token;
}

/** Reads. */
export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request<T>('GET', path, { signal })).body;
}

/**
 * Why a stream is not opened, which `EventSource` does not tell: undefined if it would be. A session that is over is told
 * as by any other request.
 */
export async function refusalOf(path: string): Promise<RefusedError | undefined> {
  const aborting = new AbortController();
  const { signal } = aborting;
  const response = await fetched(path, { credentials: 'same-origin', signal });
  if (!response.ok) return refusedBy(path, response, await bodyOf(response, false), false);
  aborting.abort();
  return undefined;
}

/** Sends JSON, with the token that proves that it comes from this page. */
export function send<T>(method: Method, path: string, body: unknown, sent: Sent = {}) {
  return request<T>(method, path, { ...sent, body });
}

async function request<T>(method: Method, path: string, sent: Sent): Promise<Reply<T>> {
  const headers = new Headers({ Accept: 'application/json', ...sent.headers });
  if (sent.body !== undefined) headers.set('Content-Type', 'application/json');
  if (method !== 'GET' && csrf !== '') headers.set('X-CSRF-Token', csrf);
  const response = await fetched(path, {
    method,
    headers,
    credentials: 'same-origin',
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    ...(sent.signal && { signal: sent.signal }),
  });
  const date = Date.parse(response.headers.get('Date') ?? '');
  if (!Number.isNaN(date)) listener?.serverTime(date);
  const hasChanged = changes(path, method);
  const body = await bodyOf(response, hasChanged);
  if (response.ok) return { status: response.status, body: body as T };
  throw refusedBy(path, response, body, hasChanged);
}

function refusedBy(path: string, response: Response, body: unknown, hasChanged: boolean) {
  if (response.status === 401 && !PUBLIC.test(path)) listener?.ended();
  return new RefusedError(problemOf(response, body, hasChanged));
}

/** Whether a request changes something. */
function changes(path: string, method = 'GET'): boolean {
  return method !== 'GET' && !HARMLESS.test(path);
}

async function fetched(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new UnreachableError(changes(path, init.method));
  }
}

async function bodyOf(response: Response, hasChanged: boolean): Promise<unknown> {
  const text = await response.text().catch(() => {
    throw new UnreachableError(hasChanged);
  });
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NOT_OURS = 'Something between this page and Holdpoint answered in its place.';
const UNKNOWN =
  'It is not known whether the request arrived: look at the question before you send it again.';

/** A proxy that answers in place of the API sends no problem details; it may have passed the request on before. */
function problemOf({ status, statusText }: Response, body: unknown, hasChanged: boolean): Refused {
  if (typeof body === 'object' && body !== null && 'code' in body) {
    return { ...(body as Refused), status };
  }
  return {
    status,
    code: `http_${status}`,
    title: statusText || 'Refused',
    detail: hasChanged && status >= SERVER_FAULTS ? `${NOT_OURS} ${UNKNOWN}` : NOT_OURS,
  };
}
