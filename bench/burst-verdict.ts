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
  /** The most memory that the API's process had in the first burst, and in the second. MiB. */
  readonly memoryMib: { readonly first: number; readonly second: number };
}

const MOST_HEALTH_MS = 100;
/** Memory is flat if the second burst needs at most so much more than the first, which was the same. */
const MOST_GROWTH = 1.2;

/**
 * What went wrong, one sentence each: an error but 429, a question or an answer that was lost or doubled, a
 * `/health` over 100 ms, and memory that grew from the first burst to the second.
 */
export function faultsOf(burst: Burst): readonly string[] {
  const { errors, opened, answered, stored, givenUp, healthMs } = burst;
  const { first, second } = burst.memoryMib;
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
    ...(second > MOST_GROWTH * first ? [`Memory grew from ${first} MiB to ${second} MiB.`] : []),
  ];
}

function differing(what: string, told: number, stored: number): readonly string[] {
  if (told === stored) return [];
  return [`${told} ${what} were confirmed, and ${stored} are there.`];
}
