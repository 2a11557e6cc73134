import { timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import type { SignedIn } from '../sign-in/sign-in.js';
import type { Sessions } from '../sign-in/sessions.js';
import { sessionCookieOf } from './session-cookie.js';

/** Methods that change nothing. */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** What browsers say of a request that no page of another site has caused. */
const OWN_SITE: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

function isOwnOrigin(req: Request, origin: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  if (publicUrl !== undefined && new URL(publicUrl).origin === origin) return true;
  return new URL(origin).host === req.get('Host')?.toLowerCase();
}

/**
 * Refuses what a page of another site made the browser send: with its cookies, it would act in the name of who is signed in.
 *
 * @param publicUrl - where people reach this server, if that is configured
 * @throws RefusalError `cross_site`
 */
export function demandSameSite(req: Request, publicUrl: string | undefined): void {
  const origin = req.get('Origin');
  const isOwn = origin === undefined || isOwnOrigin(req, origin, publicUrl);
  if (isOwn && OWN_SITE.includes(req.get('Sec-Fetch-Site'))) return;
  throw refused('Origin', 'a request of a page of this server');
}

/**
 * Refuses what a page has a browser load without going there, such as an image or a frame: any site can have its visitors
 * send that.
 *
 * @throws RefusalError `cross_site`
 */
export function demandNavigation(req: Request): void {
  const mode = req.get('Sec-Fetch-Mode') ?? 'navigate';
  const dest = req.get('Sec-Fetch-Dest') ?? 'document';
  if (mode === 'navigate' && dest === 'document') return;
  throw refused('Sec-Fetch-Mode', 'a browser that goes to this address');
}

function refused(field: string, accepted: string): RefusalError {
  return new RefusalError({ code: 'cross_site', detail: ERRORS.cross_site[2], field, accepted });
}

/** Only a page of ours can read the token, so only such a page can send it along. */
function demandToken(req: Request, csrf: string): void {
  const sent = Buffer.from(req.get('X-CSRF-Token') ?? '');
  const expected = Buffer.from(csrf);
  if (sent.length === expected.length && timingSafeEqual(sent, expected)) return;
  throw new RefusalError({
    code: 'csrf_token_missing',
    detail: ERRORS.csrf_token_missing[2],
    field: 'X-CSRF-Token',
    accepted: 'csrf of GET /session',
  });
}

/** Finds who sent a request by its session; undefined if it has none that counts. */
export type BySession = (req: Request) => Promise<SignedIn | undefined>;

/**
 * Signs requests in by the cookie of a session, if a page of this server has sent them.
 *
 * @throws RefusalError `cross_site`, `csrf_token_missing` for a request that changes something, `store_unavailable`
 */
export function signInBySession(
  sessions: Pick<Sessions, 'find'>,
  publicUrl: string | undefined,
): BySession {
  return async (req) => {
    const token = sessionCookieOf(req, publicUrl);
    if (token === undefined) return undefined;
    demandSameSite(req, publicUrl);
    const found = await sessions.find(token);
    if (found?.session !== undefined && !SAFE.includes(req.method)) {
      demandToken(req, found.session.csrf);
    }
    return found;
  };
}
