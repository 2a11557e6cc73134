import { defined } from '../../../contracts/constants/defined.js';
import { RecentWrites, WRITTEN_HEADER } from '../../../contracts/constants/headers.js';
import type { Refused } from './types.js';

/** The API, or a proxy before it, refused the request. */
export class RefusedError extends Error {
  readonly problem: Refused;

  constructor(problem: Refused) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }

  /** Returns the same refusal in words for people, because those of the API are for programs. */
  retold(detail: string): RefusedError {
    return new RefusedError({ ...this.problem, detail });
  }
}

/** Returns the reason of a refusal; undefined for any other error. */
export function refusalIn(error: unknown): Refused | undefined {
  return error instanceof RefusedError ? error.problem : undefined;
}

/** No reply came: the network or the API is down. The request may have arrived. */
export class UnreachableError extends Error {
  /** Whether the request changes something if it arrived. */
  readonly changes: boolean;

  constructor(changes: boolean) {
    super('Holdpoint cannot be reached.');
    this.changes = changes;
  }
}

const KEY_BYTES = 16;
const UNAUTHENTICATED = 401;
const TOO_MANY_REQUESTS = 429;
const SERVER_FAULTS = 500;

/** Whether the same request may succeed a little later. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return error instanceof UnreachableError;
  const { status } = error.problem;
  return status === TOO_MANY_REQUESTS || status >= SERVER_FAULTS;
}

/** Whether a failed request may have had its effect: no reply came, or one that does not refuse it. */
export function mayHaveArrived(error: unknown): boolean {
  return !(error instanceof RefusedError) || error.problem.status >= SERVER_FAULTS;
}

/** A reply with its status, because some paths have several good ones. */
export interface Reply<T> {
  readonly status: number;
  readonly body: T;
}

interface Sent {
  readonly body?: unknown;
  /** Makes it harmless to send the same again. */
  readonly key?: string | undefined;
  /** Whether the request outlives the page. Browsers then take at most 64 KiB. */
  readonly isLast?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Listener {
  /** A request was refused because the session has ended. */
  readonly ended: () => void;
  /** The time of the server, from the header of each reply. */
  readonly serverTime: (ms: number) => void;
}

/** Requests that change no question, although they are no GET. */
const HARMLESS = /^\/(session|v1\/links\/read|v1\/me)\b/;
const PUBLIC = /^\/(session|v1\/links)\b/;
let listener: Listener | undefined;
let csrf = '';
/** The writes of this page, which reads at another replica of the API have to show. */
const written = new RecentWrites();

export function listen(to: Listener): void {
  listener = to;
}

/** Keeps the token that each changing request has to send, in memory only. */
export function keepCsrf(token: string): void {
  csrf = token;
}

export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request<T>('GET', path, { signal })).body;
}

/**
 * Returns why the API refuses to open a stream, because `EventSource` does not reveal it; undefined if it would open
 * it. If the session has ended, the listener is called as after any other request.
 */
export async function refusalOf(path: string): Promise<RefusedError | undefined> {
  const aborting = new AbortController();
  const { signal } = aborting;
  const response = await fetched(path, { credentials: 'same-origin', signal });
  if (!response.ok) return refusedBy(path, response, await bodyOf(response, false), false);
  aborting.abort();
  return undefined;
}

/**
 * Sends JSON, with the token that proves that it comes from this page.
 *
 * @param key - makes it harmless to send the same again
 * @param isLast - whether the request outlives the page
 */
export function post<T>(
  path: string,
  body: unknown,
  key?: string,
  isLast = false,
): Promise<Reply<T>> {
  return request<T>('POST', path, { body, key, isLast });
}

/** Makes a unique key for a repeatable request. `crypto.randomUUID` does not exist on a page over plain HTTP. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Makes a unique id in the form of the API. */
export function newId(): string {
  const hex = newKey();
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-4${c}-8${d}-${hex.slice(20)}`;
}

export async function put<T>(path: string, body: unknown): Promise<T> {
  return (await request<T>('PUT', path, { body })).body;
}

export async function end(path: string): Promise<void> {
  await request('DELETE', path, {});
}

async function request<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body: sent, key, isLast, signal }: Sent,
): Promise<Reply<T>> {
  const headers: Record<string, string> = defined({
    Accept: 'application/json',
    'Content-Type': sent === undefined ? undefined : 'application/json',
    'X-CSRF-Token': method === 'GET' || csrf === '' ? undefined : csrf,
    'Idempotency-Key': key,
    [WRITTEN_HEADER]: method === 'GET' ? written.toSend(Date.now()) : undefined,
  });
  const response = await fetched(path, {
    method,
    headers,
    credentials: 'same-origin',
    body: sent === undefined ? null : JSON.stringify(sent),
    keepalive: isLast === true,
    signal: signal ?? null,
  });
  written.note(response.headers.get(WRITTEN_HEADER), Date.now());
  const date = Date.parse(response.headers.get('Date') ?? '');
  if (!Number.isNaN(date)) listener?.serverTime(date);
  const hasChanged = changes(path, method);
  const body = await bodyOf(response, hasChanged);
  if (response.ok) return { status: response.status, body: body as T };
  throw refusedBy(path, response, body, hasChanged);
}

function refusedBy(path: string, response: Response, body: unknown, hasChanged: boolean) {
  if (response.status === UNAUTHENTICATED && !PUBLIC.test(path)) listener?.ended();
  return new RefusedError(problemOf(response, body, hasChanged));
}

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

/** A proxy that answers instead of the API sends no problem details, and may have passed the request on before. */
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
