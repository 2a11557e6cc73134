/** The header in which a reply names what its request wrote, and a request what its sender has written. */
export const WRITTEN_HEADER = 'Holdpoint-Written';

/** Milliseconds for which a client names a write: until then the store shows it, or each replica has heard of it. */
const KEPT_MS = 60_000;
/** Proxies take a header of 8,000 characters; one write takes about 150. */
const MOST_CHARACTERS = 4_000;

/** The header of one reply, and when it came. */
interface Named {
  readonly by: string;
  readonly at: number;
}

/**
 * What a client has just written, as the replies say. It sends this with its reads, so that a replica which did not take the writes
 * waits for them, or says that it is behind.
 */
export class RecentWrites {
  /** What was noted, the newest first. */
  kept: readonly Named[];

  constructor(kept: readonly Named[] = []) {
    this.kept = kept;
  }

  /**
   * Keeps what a reply says that its request wrote.
   *
   * @param by - the header `Holdpoint-Written` of the reply, if it has one
   * @param now - milliseconds, from any beginning
   */
  note(by: string | null, now: number): void {
    if (by === null || by === '') return;
    this.kept = [{ by, at: now }, ...this.kept.filter((one) => one.by !== by)];
  }

  /** Returns the header of a read: what was written last comes first. Undefined if nothing was written of late. */
  toSend(now: number): string | undefined {
    let room = MOST_CHARACTERS;
    this.kept = this.kept.filter(({ by, at }) => {
      room -= by.length + 1;
      return now - at < KEPT_MS && room >= 0;
    });
    return this.kept.length === 0 ? undefined : this.kept.map(({ by }) => by).join(',');
  }
}
