import type { CookieOptions, Request, Response } from 'express';
import { timingSafeEqual } from 'node:crypto';
import { standardRefusal } from '../errors.js';
import type { SignedIn } from '../sign-in/sign-in.js';
import type { Sessions } from '../sign-in/sessions.js';

const NAME = 'holdpoint_session';
const PORT = /:(\d{1,5})$/;

interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/**
 * Returns the form of the cookie. Over https its name binds it to this very host. Over plain http, browsers share
 * cookies between all ports of a host, so the name holds the port.
 */
function formOf(req: Request, publicUrl: string | undefined): CookieForm {
  const secure = req.secure || publicUrl?.startsWith('https:') === true;
  if (secure) return { name: `__Host-${NAME}`, secure };
  const port = PORT.exec(req.get('Host') ?? '')?.[1];
  return { name: port === undefined ? NAME : `${NAME}_${port}`, secure };
}

export function cookieIn(req: Request, name: string): string | undefined {
  for (const pair of (req.get('Cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

export function sessionCookieOf(req: Request, publicUrl: string | undefined): string | undefined {
  return cookieIn(req, formOf(req, publicUrl).name);
}

export function hasSessionCookie(req: Request): boolean {
  return (req.get('Cookie') ?? '').includes(NAME);
}

/** Sets the cookie of a session, which lasts as long as the browser runs; no script can read it. */
export function setSessionCookie(
  res: Response,
  publicUrl: string | undefined,
  token: string,
): void {
  const { name, secure } = formOf(res.req, publicUrl);
  res.cookie(name, token, { httpOnly: true, sameSite: 'strict', secure, path: '/' });
}

export function clearSessionCookie(res: Response, publicUrl: string | undefined): void {
  const { name, secure } = formOf(res.req, publicUrl);
  res.clearCookie(name, { httpOnly: true, sameSite: 'strict', secure, path: '/' });
}

/** The cookie that a browser brings back when it returns from the issuer. */
const LOGIN = 'holdpoint_sign_in';
const LOGIN_MS = 600_000;

/** Over https for this very host alone, so that no other host of the domain can plant a sign-in that it began itself. */
function loginForm(req: Request, publicUrl: string | undefined) {
  const { secure } = formOf(req, publicUrl);
  // Lax: the issuer is another site, and returns the browser by a link.
  const options = { httpOnly: true, sameSite: 'lax', secure } as const satisfies CookieOptions;
  if (secure) return { name: `__Host-${LOGIN}`, options: { ...options, path: '/' } };
  return { name: LOGIN, options: { ...options, path: '/session' } };
}

export function loginCookieOf(req: Request, publicUrl: string | undefined): string | undefined {
  return cookieIn(req, loginForm(req, publicUrl).name);
}

export function hasLoginCookie(req: Request): boolean {
  return [LOGIN, `__Host-${LOGIN}`].some((name) => cookieIn(req, name) !== undefined);
}

export function setLoginCookie(res: Response, publicUrl: string | undefined, sealed: string): void {
  const { name, options } = loginForm(res.req, publicUrl);
  res.cookie(name, sealed, { ...options, maxAge: LOGIN_MS });
}

export function clearLoginCookie(res: Response, publicUrl: string | undefined): void {
  const { name, options } = loginForm(res.req, publicUrl);
  res.clearCookie(name, options);
}

const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Values of `Sec-Fetch-Site` of requests that no other site caused. */
const OWN_SITE: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

/** The path below `/v1`; no other route has such a path. */
const CODEC = /^\/codec\/(?:en|de)code\/?$/i;

function isOwnOrigin(req: Request, origin: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  if (publicUrl !== undefined && new URL(publicUrl).origin === origin) return true;
  return new URL(origin).host === req.get('Host')?.toLowerCase();
}

/**
 * Refuses requests that a page of another site made the browser send: with the cookies, they would act in the name of the
 * person who is signed in.
 *
 * @param publicUrl - the address at which people reach this server, if it is configured
 * @throws RefusalError `cross_site`
 */
export function demandSameSite(req: Request, publicUrl: string | undefined): void {
  const origin = req.get('Origin');
  const isOwn = origin === undefined || isOwnOrigin(req, origin, publicUrl);
  if (isOwn && OWN_SITE.includes(req.get('Sec-Fetch-Site'))) return;
  throw standardRefusal('cross_site', {
    field: 'Origin',
    accepted: 'a request of a page of this server',
  });
}

/**
 * Refuses requests by which a browser loads a part of a page, such as an image or a frame: any site can make its visitors
 * send them.
 *
 * @throws RefusalError `cross_site`
 */
export function demandNavigation(req: Request): void {
  const mode = req.get('Sec-Fetch-Mode') ?? 'navigate';
  const dest = req.get('Sec-Fetch-Dest') ?? 'document';
  if (mode === 'navigate' && dest === 'document') return;
  throw standardRefusal('cross_site', {
    field: 'Sec-Fetch-Mode',
    accepted: 'a browser that goes to this address',
  });
}

/** Only our own pages can read the token, so only they can send it. */
function demandToken(req: Request, csrf: string): void {
  const sent = Buffer.from(req.get('X-CSRF-Token') ?? '');
  const expected = Buffer.from(csrf);
  if (sent.length === expected.length && timingSafeEqual(sent, expected)) return;
  throw standardRefusal('csrf_token_missing', {
    field: 'X-CSRF-Token',
    accepted: 'csrf of GET /session',
  });
}

/**
 * Whether a page of Temporal asks for the codec. It needs no token: browsers send a preflight for its JSON, and
 * nothing changes by it.
 */
function asksForCodec(req: Request, origin: string | undefined): boolean {
  return origin !== undefined && req.get('Origin') === origin && CODEC.test(req.path);
}

/** Finds the sender of a request by its session; undefined without a valid session. */
export type BySession = (req: Request) => Promise<SignedIn | undefined>;

/**
 * Returns a function that signs requests in by the cookie of a session, if a page of this server sent them.
 *
 * @param codecOrigin - the origin of Temporal's pages, which may use the codec
 * @throws RefusalError `cross_site`, `csrf_token_missing` for a write, `store_unavailable`
 */
export function signInBySession(
  sessions: Pick<Sessions, 'find'>,
  publicUrl: string | undefined,
  codecOrigin?: string,
): BySession {
  return async (req) => {
    const token = sessionCookieOf(req, publicUrl);
    if (token === undefined) return undefined;
    if (asksForCodec(req, codecOrigin)) return sessions.find(token);
    demandSameSite(req, publicUrl);
    const found = await sessions.find(token);
    if (found?.session !== undefined && !SAFE.includes(req.method)) {
      demandToken(req, found.session.csrf);
    }
    return found;
  };
}
