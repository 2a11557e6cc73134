import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { standardRefusal } from '../errors.js';
import type { SignedIn } from '../sign-in/sign-in.js';
import type { Sessions } from '../sign-in/sessions.js';
import { sessionCookieOf } from './session-cookie.js';

/** Methods that change nothing. */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Values of `Sec-Fetch-Site` of requests that no other site caused. */
const OWN_SITE: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

/** Below `/v1`; no other route takes such a path. */
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
 * Whether a page of Temporal asks for the codec. Browsers ask first whether it may, because it sends JSON, and nothing changes
 * by it: so it needs no token.
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
