const BYTES = 16;

/**
 * A key that nothing else has, to send something twice and have it count once. `crypto.randomUUID` is missing where a page
 * comes over plain HTTP; random numbers are not.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
