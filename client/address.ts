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
export function sendable(apiKey: string): string {
  try {
    new Headers().set('x-api-key', apiKey);
  } catch {
    throw new TypeError('apiKey has a character that no header can carry, such as “…”.');
  }
  return apiKey;
}
