/**
 * A key, as it was given. Whether a header can carry it the platform says with the first call only, in an error that may
 * repeat the key.
 *
 * @throws TypeError if no header can
 */
export function sendable(apiKey: string): string {
  try {
    new Headers().set('x-api-key', apiKey);
  } catch {
    throw new TypeError('apiKey has a character that no header can carry, such as “…”.');
  }
  return apiKey;
}
