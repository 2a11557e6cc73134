/** What came of a burst, as its clients were told and as the store has it. */
export interface Burst {
  /** How often each error was told, by `<status> <code>`, or by the name of what was thrown. */
  readonly errors: ReadonlyMap<string, number>;
  /** Questions of which clients were told that they are open, and that they are answered. */
  readonly opened: number;
  readonly answered: number;
  /** The same in the store, after the burst. */
  readonly stored: { readonly opened: number; readonly answered: number };
  /** Questions that clients which obey `Retry-After` could not open or answer. */
  readonly givenUp: number;
  /** The slowest reply of `/health`. Milliseconds. */
  readonly healthMs: number;
}

const MOST_HEALTH_MS = 100;

/**
 * What went wrong, one sentence each: an error but 429, a question or an answer that was lost or doubled, and a
 * `/health` over 100 ms.
 */
export function faultsOf(burst: Burst): readonly string[] {
  const { errors, opened, answered, stored, givenUp, healthMs } = burst;
  return [
    ...[...errors].flatMap(([error, count]) =>
      error.startsWith('429 ') ? [] : [`${count} times ${error}.`],
    ),
    ...differing('questions', opened, stored.opened),
    ...differing('answers', answered, stored.answered),
    ...(givenUp > 0 ? [`${givenUp} questions of clients that obey Retry-After were lost.`] : []),
    ...(healthMs > MOST_HEALTH_MS
      ? [`/health took ${healthMs.toFixed(0)} ms, where ${MOST_HEALTH_MS} ms are the most.`]
      : []),
  ];
}

function differing(what: string, told: number, stored: number): readonly string[] {
  if (told === stored) return [];
  return [`${told} ${what} were confirmed, and ${stored} are there.`];
}
