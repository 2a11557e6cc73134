/** A key nobody else has: 128 random bits in hex. (`randomUUID` is missing on plain-HTTP pages.) */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
