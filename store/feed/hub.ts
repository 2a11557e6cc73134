import { setTimeout as pause } from 'node:timers/promises';
import {
  isQuestionChange,
  isRunEvent,
  type FeedEntry,
  type FeedRange,
  type FeedScope,
} from '../../contracts/subscription/feed.js';
import type { Part } from '../queries/bounded.js';
import { Followers, type Taker } from './followers.js';
import { FeedMarks, MOST_MARKS, type FeedSource } from './source.js';
import type { FeedListener } from './notices.js';

/** The most events that are read at once; fewer if they are large. */
const PAGE = 100;
/** Milliseconds between two looks: while notices arrive (one may be lost), and without notices. */
const LOOKS_MS = { hearing: 1_000, deaf: 50 } as const;
/** Milliseconds to the next look while taken numbers are not settled: about the duration of a commit. */
const SETTLING_MS = 5;
const AFTER_FAILURE_MS = 500;

/** Where the hub logs errors; pino's loggers fit. */
export interface FeedLog {
  warn(fields: object, message: string): void;
}

/**
 * Reads each new part of the feed once and hands it out to all followers, while there are any: after a notice of the
 * store, or 20 times a second without notices. If a store that failed over has lost events, the hub goes back, and
 * notifies its followers.
 */
export class FeedHub {
  private readonly source: FeedSource;
  private readonly log: FeedLog;
  private readonly followers = new Followers();
  private users = 0;
  private handedOut = 0;
  /** How far the feed was searched for events after `handedOut`. */
  private looked = 0;
  private started: Promise<void> | undefined;
  private reads = false;
  private looksDone = 0;
  private wake = new AbortController();
  private readonly marks = new FeedMarks();
  /** Whether the store may have failed over since the last look. */
  private doubts = false;
  /** The last time that the feed went back. */
  private back = { to: Infinity };

  constructor(source: FeedSource, log: FeedLog) {
    this.source = source;
    this.log = log;
  }

  /** All events up to this position have been delivered to the followers. */
  get position(): number {
    return this.handedOut;
  }

  /** Returns the same position while the hub reads; undefined while nobody follows. */
  get readUpTo(): number | undefined {
    return this.reads ? this.handedOut : undefined;
  }

  /** How often the store has reported how far the feed may be read. While this stands still, nobody gets anything new. */
  get looks(): number {
    return this.looksDone;
  }

  /**
   * Keeps the hub reading until the matching `leave`; every `join` that does not throw needs one. Throws
   * the store's error.
   */
  async join(): Promise<void> {
    this.users += 1;
    try {
      await (this.started ??= this.start());
    } catch (error) {
      this.started = undefined;
      this.leave();
      throw error;
    }
  }

  leave(): void {
    this.users -= 1;
    if (this.users === 0) this.wake.abort();
  }

  /** The position of the newest event of this moment; the hub gets there soon. Throws the store's error. */
  end(): Promise<number> {
    return this.source.end();
  }

  /** Whether an event may have had this position; a higher one cannot come from this feed. */
  async mayHave(position: number): Promise<boolean> {
    return position <= this.handedOut || position <= (await this.source.lastTaken());
  }

  /** Whether a scope has more than so many entries after a position. Throws the store's error. */
  async hasMoreThan(limit: number, scope: FeedScope, after: number): Promise<boolean> {
    const upTo = this.handedOut;
    return after < upTo && (await this.source.read(scope, { after, upTo, limit })).more;
  }

  /**
   * Hands out everything after a position. Resolves once the follower has caught up, with the function that
   * ends following. Throws the store's error, or what `take` throws.
   */
  async follow(scope: FeedScope, after: number, taker: Taker): Promise<() => void> {
    let had = after;
    const { back } = this;
    while (had < this.handedOut) {
      const upTo = this.handedOut;
      const { rows, more } = await this.source.read(scope, { after: had, upTo, limit: PAGE });
      await taker.take(rows);
      had = more ? (rows.at(-1)?.position ?? upTo) : upTo;
    }
    if (this.back !== back) {
      had = Math.min(had, this.back.to);
      taker.wentBack?.(had);
    }
    return this.followers.add(scope, had, taker);
  }

  /** Reads a range for a watcher. Throws the store's error. */
  read(scope: FeedScope, range: FeedRange): Promise<Part<FeedEntry>> {
    return this.source.read(scope, range);
  }

  /**
   * Calls back whenever new events of a scope can be read, up to `position`; with a position if the store has lost
   * the events after it. Returns a function that stops it.
   */
  watch(scope: FeedScope, onNew: (backTo?: number) => void): () => void {
    return this.followers.add(scope, this.handedOut, { deliver: () => onNew(), wentBack: onNew });
  }

  private async start(): Promise<void> {
    const settled = await this.source.reach();
    this.handedOut = await this.source.newestPosition(settled);
    this.looked = settled;
    this.marks.begin(await this.source.marks(settled));
    this.doubts = false;
    this.reads = true;
    void this.run();
  }

  private async run(): Promise<void> {
    const listener = this.source.listen(
      () => this.wake.abort(),
      () => (this.doubts = true),
    );
    while (this.users > 0) {
      this.wake = new AbortController();
      const ms = await this.round(listener);
      await pause(ms, undefined, { signal: this.wake.signal }).catch(() => undefined);
    }
    this.started = undefined;
    this.reads = false;
    listener.close();
  }

  /** Hands out new events; returns after how many milliseconds to look again. */
  private async round(listener: Pick<FeedListener, 'hears'>): Promise<number> {
    try {
      const { settled, pending } = await this.source.look();
      const isLess = settled < this.looked;
      // The existing numbers show how far back it is only once they are settled.
      if (isLess && pending) return SETTLING_MS;
      if (isLess || this.doubts) await this.findPlace(settled, isLess);
      if (settled !== this.looked) await this.giveOut(settled);
      this.looksDone += 1;
      if (pending) return SETTLING_MS;
      return listener.hears ? LOOKS_MS.hearing : LOOKS_MS.deaf;
    } catch (error) {
      this.doubts = true;
      this.log.warn({ err: error }, 'the feed cannot be read');
      return AFTER_FAILURE_MS;
    }
  }

  /** Goes back to the newest event that the store has kept, if it has lost some; a lost number may be in use again. */
  private async findPlace(settled: number, isLess: boolean): Promise<void> {
    const { newest } = this.marks;
    const kept = newest === undefined ? undefined : await this.source.newestKept(this.marks.all);
    if (isLess || (kept !== undefined && kept !== newest)) {
      const to = kept ?? Math.max(0, (await this.source.newestPosition(settled)) - MOST_MARKS);
      this.log.warn({ had: this.handedOut, to }, 'the feed went back');
      this.marks.goBack(to);
      this.handedOut = to;
      this.looked = to;
      this.back = { to };
      this.followers.goBack(to);
    }
    this.doubts = false;
  }

  private async giveOut(upTo: number): Promise<void> {
    for (;;) {
      const range = { after: this.handedOut, upTo, limit: PAGE };
      const { rows: entries, more } = await this.source.read({ kind: 'everything' }, range);
      const last = entries.at(-1);
      if (last === undefined) break;
      const intentIds = new Set(
        entries.flatMap(({ event }) =>
          isRunEvent(event) || isQuestionChange(event) ? [] : [event.intent_id],
        ),
      );
      const audiences = await this.source.audiencesOf([...intentIds]);
      // Nothing is awaited between these two lines: a new follower has everything up to `handedOut`.
      this.followers.giveOut(entries, audiences);
      this.handedOut = last.position;
      this.marks.add(entries);
      if (!more) break;
    }
    this.looked = upTo;
  }
}
