import type { Request, Response } from 'express';

const NAME = 'holdpoint_session';
const PORT = /:(\d{1,5})$/;

/** How the cookie of a session is set for whoever reaches this server as a request did. */
interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/**
 * The form of the cookie. Over https it is for this very host alone, which the browser sees to by the name. Over plain http,
 * as on loopback, browsers keep one jar for all ports of a host, so the port is part of the name.
 */
function formOf(req: Request, publicUrl: string | undefined): CookieForm {
  const secure = req.secure || publicUrl?.startsWith('https:') === true;
  if (secure) return { name: `__Host-${NAME}`, secure };
  const port = PORT.exec(req.get('Host') ?? '')?.[1];
  return { name: port === undefined ? NAME : `${NAME}_${port}`, secure };
}

/** What a cookie of the request holds; undefined if it has none of this name. */
export function cookieIn(req: Request, name: string): string | undefined {
  for (const pair of (req.get('Cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** What the cookie of the request's session holds. */
export function sessionCookieOf(req: Request, publicUrl: string | undefined): string | undefined {
  return cookieIn(req, formOf(req, publicUrl).name);
}

/** Gives a browser the cookie of a session, for as long as the browser runs; no script can read it. */
export function setSessionCookie(
  res: Response,
  publicUrl: string | undefined,
  token: string,
): void {
  const { name, secure } = formOf(res.req, publicUrl);
  res.cookie(name, token, { httpOnly: true, sameSite: 'strict', secure, path: '/' });
}

/** Takes the cookie of a session away. */
export function clearSessionCookie(res: Response, publicUrl: string | undefined): void {
  const { name, secure } = formOf(res.req, publicUrl);
  res.clearCookie(name, { httpOnly: true, sameSite: 'strict', secure, path: '/' });
}
