/**
 * Milliseconds in which a second signal is the same Ctrl-C: the terminal sends it to npm and to this process, and npm
 * passes it on.
 */
const SAME_MS = 1_000;

/**
 * Makes the handler of the signals that end a command: the first one aborts for a clean end, a second Ctrl-C exits at
 * once.
 * @param now - a monotonic clock, in ms
 */
export function interruption(
  interrupt: AbortController,
  now: () => number,
  leave: () => void,
): () => void {
  let first: number | undefined;
  return () => {
    if (first === undefined) {
      first = now();
      interrupt.abort(new Error('interrupted'));
    } else if (now() - first >= SAME_MS) leave();
  };
}
