/**
 * The address of a server as calls are made to it: without a slash at its end, and without `/v1`.
 *
 * @throws TypeError with what to write instead, if no call could succeed
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
