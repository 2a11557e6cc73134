import type { CookieOptions, Request, Response } from 'express';

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

/** Keeps what a browser has to bring back when it returns from the issuer. */
const LOGIN = 'holdpoint_sign_in';
const LOGIN_MS = 600_000;

/** Over https for this very host alone: no other host of the domain can plant a sign-in that it has begun itself. */
function loginForm(req: Request, publicUrl: string | undefined) {
  const { secure } = formOf(req, publicUrl);
  // The issuer is another site, and leads back by a link.
  const options = { httpOnly: true, sameSite: 'lax', secure } as const satisfies CookieOptions;
  if (secure) return { name: `__Host-${LOGIN}`, options: { ...options, path: '/' } };
  return { name: LOGIN, options: { ...options, path: '/session' } };
}

/** What a browser has brought back of a sign-in that it began. */
export function loginCookieOf(req: Request, publicUrl: string | undefined): string | undefined {
  return cookieIn(req, loginForm(req, publicUrl).name);
}

/** Whether a browser has brought back anything of a sign-in. */
export function hasLoginCookie(req: Request): boolean {
  return [LOGIN, `__Host-${LOGIN}`].some((name) => cookieIn(req, name) !== undefined);
}

/** Gives a browser what it has to bring back. */
export function setLoginCookie(res: Response, publicUrl: string | undefined, sealed: string): void {
  const { name, options } = loginForm(res.req, publicUrl);
  res.cookie(name, sealed, { ...options, maxAge: LOGIN_MS });
}

/** Takes that away again. */
export function clearLoginCookie(res: Response, publicUrl: string | undefined): void {
  const { name, options } = loginForm(res.req, publicUrl);
  res.clearCookie(name, options);
}
