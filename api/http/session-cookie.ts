import type { CookieOptions, Request, Response } from 'express';

const NAME = 'holdpoint_session';
const PORT = /:(\d{1,5})$/;

/** How the cookie of a session is set. */
interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/**
 * Returns the form of the cookie. Over https its name makes the browser send it to this very host alone. Over plain http, as
 * on loopback, browsers share cookies between all ports of a host, so the name holds the port.
 */
function formOf(req: Request, publicUrl: string | undefined): CookieForm {
  const secure = req.secure || publicUrl?.startsWith('https:') === true;
  if (secure) return { name: `__Host-${NAME}`, secure };
  const port = PORT.exec(req.get('Host') ?? '')?.[1];
  return { name: port === undefined ? NAME : `${NAME}_${port}`, secure };
}

/** Returns the value of a cookie of the request; undefined if it has none of this name. */
export function cookieIn(req: Request, name: string): string | undefined {
  for (const pair of (req.get('Cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Returns the token in the cookie of the request's session. */
export function sessionCookieOf(req: Request, publicUrl: string | undefined): string | undefined {
  return cookieIn(req, formOf(req, publicUrl).name);
}

/** Whether the request has a cookie of a session, of whatever form. */
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

/** Removes the cookie of a session. */
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
  // Lax: the issuer is another site, and leads back by a link.
  const options = { httpOnly: true, sameSite: 'lax', secure } as const satisfies CookieOptions;
  if (secure) return { name: `__Host-${LOGIN}`, options: { ...options, path: '/' } };
  return { name: LOGIN, options: { ...options, path: '/session' } };
}

/** Returns the cookie of a sign-in that the browser began. */
export function loginCookieOf(req: Request, publicUrl: string | undefined): string | undefined {
  return cookieIn(req, loginForm(req, publicUrl).name);
}

/** Whether a browser brings back the cookie of any sign-in. */
export function hasLoginCookie(req: Request): boolean {
  return [LOGIN, `__Host-${LOGIN}`].some((name) => cookieIn(req, name) !== undefined);
}

/** Sets the cookie that the browser brings back. */
export function setLoginCookie(res: Response, publicUrl: string | undefined, sealed: string): void {
  const { name, options } = loginForm(res.req, publicUrl);
  res.cookie(name, sealed, { ...options, maxAge: LOGIN_MS });
}

/** Removes that cookie. */
export function clearLoginCookie(res: Response, publicUrl: string | undefined): void {
  const { name, options } = loginForm(res.req, publicUrl);
  res.clearCookie(name, options);
}
