const SHORTEST_MS = 5_000;
const LONGEST_MS = 3_600_000;

/**
 * The wait that a `Retry-After` asks for, in milliseconds within 5 s and an hour; undefined where
 * there is none or it cannot be read (RFC 9110 §10.2.3: seconds or an HTTP date).
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const asked = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  if (Number.isNaN(asked)) return undefined;
  return Math.min(Math.max(asked, SHORTEST_MS), LONGEST_MS);
}
