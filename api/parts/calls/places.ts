/** Milliseconds: who holds a place for longer is late, unless writes take about as long when there is no other. */
const LATE_MS = 300;
const TIMES_QUICKEST = 2.5;
/** Milliseconds: who holds a place for longer is late in any case. */
const LATE_ANYHOW_MS = 1_000;

/** So many writes are under way in any case: one that takes long for a reason of its own holds up few others. */
const LEAST = 4;

/** Places that one late write takes away. One in time brings one back for all places together, so that about one in five is late in the end. */
const LATE_STEP = 0.5;

/** The quickest of so many writes, and of as many before them, tells how long a write takes when there is no other. */
const REMEMBERED = 200;

/**
 * How many writes of a process may be under way at once: as many as are carried out in time. It grows by one for each round of
 * writes in time, while all places are taken, and shrinks by half a place for each late one.
 */
export class Places {
  private readonly most: number;
  private limit: number;
  private quickest = { now: Infinity, before: Infinity };
  private measured = 0;

  /** @param most - as many at most, and at first */
  constructor(most: number) {
    this.most = most;
    this.limit = most;
  }

  get count(): number {
    return Math.floor(this.limit);
  }

  /** Further places, which only people's answers take. */
  get forAnswers(): number {
    return Math.ceil(this.count / 4);
  }

  /**
   * Notes that a write was carried out.
   *
   * @param ms - how long it held its place
   * @param taken - how many places were taken then
   */
  carriedOut(ms: number, taken: number): void {
    this.remember(ms);
    if (ms > this.lateMs) this.late(taken);
    else if (taken >= this.count) this.limit = Math.min(this.most, this.limit + 1 / this.limit);
  }

  /** Notes that a write was late. If few places were taken, it was late for another reason. */
  late(taken: number): void {
    if (taken * 2 < this.count) return;
    const least = Math.min(LEAST, this.most);
    this.limit = Math.max(least, this.limit - LATE_STEP);
  }

  /** Notes that no worker is there: whoever waits for one does not wait for the others. */
  deserted(): void {
    this.limit = this.most;
  }

  private get lateMs(): number {
    const { now, before } = this.quickest;
    const usual = TIMES_QUICKEST * Math.min(now, before);
    return Math.min(Math.max(LATE_MS, usual), LATE_ANYHOW_MS);
  }

  private remember(ms: number): void {
    this.measured += 1;
    const { now } = this.quickest;
    const isNext = this.measured % REMEMBERED === 0;
    this.quickest = isNext
      ? { now: ms, before: now }
      : { ...this.quickest, now: Math.min(now, ms) };
  }
}
