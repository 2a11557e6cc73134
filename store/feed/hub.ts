import { setTimeout as pause } from 'node:timers/promises';
import type { IntentEvent } from '../../contracts/event.js';
import type { FeedEntry, FeedRange, FeedScope } from '../../contracts/feed.js';
import { isRunEvent } from '../../domain/approval/run-event.js';
import { isQuestionChange } from '../../domain/suspension/change.js';
import type { Part } from '../queries/bounded.js';
import type { FeedListener } from './notices.js';
import type { FeedAudience, FeedSource } from './source.js';

/** So many events are read at once, or fewer if they are large. */
const PAGE = 100;
/** How often the hub looks by itself: while notices arrive, in case one is lost, and without notices. */
const LOOKS_MS = { hearing: 1_000, deaf: 50 } as const;
/** The next look while taken numbers are not settled yet: about the duration of a commit. */
const SETTLING_MS = 5;
const AFTER_FAILURE_MS = 500;

/** Where the hub logs errors; pino's loggers fit. */
export interface FeedLog {
  warn(fields: object, message: string): void;
}

/** Receives new events. */
interface Follower {
  deliver(entries: readonly FeedEntry[]): void;
}

/** A follower that first receives past events, as fast as it takes them, and then new ones. */
export interface Taker extends Follower {
  /** Resolves when the follower can take more; rejects when it is gone. */
  take(entries: readonly FeedEntry[]): Promise<void>;
}

interface Enrolment {
  readonly follower: Follower;
  /** The follower already has everything up to this position. */
  readonly after: number;
}

function keyOf(scope: FeedScope): string {
  if (scope.kind === 'everything') return scope.kind;
  return JSON.stringify([scope.space, scope.kind, 'id' in scope ? scope.id : null]);
}

/** Whose events those of an intent or portfolio are, besides its creator's. */
function scopesOf(
  { intent_id }: IntentEvent,
  audiences: readonly FeedAudience[],
  position: number,
) {
  return [
    { kind: 'intent', id: intent_id } as const,
    // A portfolio's own events have the portfolio's id in `intent_id`.
    { kind: 'portfolio', id: intent_id } as const,
    ...audiences
      .filter((one) => one.intent_id === intent_id)
      .filter(({ until }) => until === null || position <= until)
      .map(({ kind, audience }) => ({ kind, id: audience })),
  ];
}

/** Whose streams have an entry. Changes of questions are in no stream of events. */
function streamsOf(
  { event, created_by, position, space }: FeedEntry,
  audiences: readonly FeedAudience[],
): readonly FeedScope[] {
  const of = (kind: 'agent' | 'questions_of') =>
    created_by === null ? [] : [{ kind, id: created_by, space }];
  if (isQuestionChange(event)) return [{ kind: 'questions', space }, ...of('questions_of')];
  return [
    { kind: 'everything' },
    { kind: 'all', space },
    ...of('agent'),
    ...(isRunEvent(event)
      ? [{ kind: 'run', id: event.run_id, space } as const]
      : scopesOf(event, audiences, position).map((scope) => ({ ...scope, space }))),
  ];
}

/** Who follows which scope. */
class Followers {
  private readonly enrolments = new Map<string, Set<Enrolment>>();

  /** Adds a follower that has everything up to a position. Returns how to remove it. */
  add(scope: FeedScope, after: number, follower: Follower): () => void {
    const key = keyOf(scope);
    const enrolment = { follower, after };
    const all = this.enrolments.get(key) ?? new Set();
    this.enrolments.set(key, all.add(enrolment));
    return () => {
      all.delete(enrolment);
      if (all.size === 0 && this.enrolments.get(key) === all) this.enrolments.delete(key);
    };
  }

  /** Hands each follower the entries of its scope that it lacks, once and in order. */
  giveOut(entries: readonly FeedEntry[], audiences: readonly FeedAudience[]): void {
    const shares = new Map<Enrolment, FeedEntry[]>();
    for (const entry of entries) {
      for (const enrolment of this.enrolmentsOf(entry, audiences)) {
        if (entry.position <= enrolment.after) continue;
        const share = shares.get(enrolment) ?? [];
        share.push(entry);
        shares.set(enrolment, share);
      }
    }
    for (const [{ follower }, share] of shares) follower.deliver(share);
  }

  private enrolmentsOf(
    entry: FeedEntry,
    audiences: readonly FeedAudience[],
  ): ReadonlySet<Enrolment> {
    const scopes = streamsOf(entry, audiences);
    return new Set(scopes.flatMap((scope) => [...(this.enrolments.get(keyOf(scope)) ?? [])]));
  }
}

/**
 * Reads each new part of the feed once and hands it out to all followers. It runs only while there are
 * followers. It looks when the store sends a notice, or 20 times a second if the store cannot. While the
 * store is away nothing is handed out; afterwards the hub continues where it stopped.
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
  private wake = new AbortController();

  constructor(source: FeedSource, log: FeedLog) {
    this.source = source;
    this.log = log;
  }

  /** All events up to this position have been handed out. */
  get position(): number {
    return this.handedOut;
  }

  /** The same while the hub reads; undefined while nobody follows. */
  get readUpTo(): number | undefined {
    return this.reads ? this.handedOut : undefined;
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
    while (had < this.handedOut) {
      const upTo = this.handedOut;
      const { rows, more } = await this.source.read(scope, { after: had, upTo, limit: PAGE });
      await taker.take(rows);
      had = more ? (rows.at(-1)?.position ?? upTo) : upTo;
    }
    return this.followers.add(scope, had, taker);
  }

  /** Reads a range for a watcher. Throws the store's error. */
  read(scope: FeedScope, range: FeedRange): Promise<Part<FeedEntry>> {
    return this.source.read(scope, range);
  }

  /** Calls back whenever new events of a scope can be read, up to `position`. Returns how to stop. */
  watch(scope: FeedScope, onNew: () => void): () => void {
    return this.followers.add(scope, this.handedOut, { deliver: onNew });
  }

  private async start(): Promise<void> {
    const settled = await this.source.reach();
    this.handedOut = await this.source.newestPosition(settled);
    this.looked = settled;
    this.reads = true;
    void this.run();
  }

  private async run(): Promise<void> {
    const listener = this.source.listen(() => this.wake.abort());
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
      if (settled !== this.looked) await this.giveOut(settled);
      if (pending) return SETTLING_MS;
      return listener.hears ? LOOKS_MS.hearing : LOOKS_MS.deaf;
    } catch (error) {
      this.log.warn({ err: error }, 'the feed cannot be read');
      return AFTER_FAILURE_MS;
    }
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
      if (!more) break;
    }
    this.looked = upTo;
  }
}
