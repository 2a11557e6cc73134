const SECOND_MS = 1_000;
/** With less time than this, an answer is sent at once. */
const LEAST_LEFT_MS = 60_000;
/** The most bytes that browsers still send for a page that is being closed, minus a reserve for the other fields. */
const MOST_BYTES = 60_000;

/**
 * Returns for how many ms an answer is held back and can be undone. It is 0 if the person wants that, if the time is
 * too short, or if a page that is being closed could not send so much.
 *
 * @param seconds - as the person has set it
 * @param deadlines - when the questions that it answers expire
 * @param now - the time of the server in ms
 */
export function undoMs(
  seconds: number,
  deadlines: readonly (string | undefined)[],
  answer: unknown,
  now: number,
): number {
  const ms = seconds * SECOND_MS;
  const left = Math.min(
    ...deadlines.map((at) => (at === undefined ? Infinity : Date.parse(at) - now)),
  );
  if (left < LEAST_LEFT_MS || left <= ms) return 0;
  return new TextEncoder().encode(JSON.stringify(answer)).length > MOST_BYTES ? 0 : ms;
}
