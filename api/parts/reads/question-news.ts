import type { SuspensionView } from '../../../contracts/suspension/view.js';
import type { Read } from '../caller.js';
import { DeadlinePassed, READ_MS, limitOf, withinDeadline, type Clock } from '../calls/deadline.js';
import { isQuestionChange, type FeedEntry } from '../../../contracts/subscription/feed.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import type { FeedHub } from '../../../store/feed/hub.js';
import { idsNotInState } from '../../../store/queries/inbox.js';
import { findSettled, findSuspension } from '../../../store/queries/suspension.js';
import { ifThere, type FromStore } from './from-store.js';

/** Why a wait reads again; in this list, a later reason hides an earlier one. */
const NEWS = ['changed', 'settled_here', 'deaf'] as const;

/**
 * - `changed`: the store shows a change of the question.
 * - `settled_here`: this process has settled it, and its rows may still be on their way to the store.
 * - `deaf`: the feed cannot be read, so that changes would be missed.
 */
type Heard = (typeof NEWS)[number];

/** Knows the state of questions, and reports their changes. */
interface News {
  read(id: string): Promise<Read<SuspensionView>>;
  doubt(id: string): void;
  leave(listening: Listening): void;
}

/** One wait for a question. Its owner ends it with `leave`. */
export class Listening {
  private readonly news: News;
  private readonly clock: Clock;
  readonly id: string;
  private heard: Heard | undefined;
  private wake = (): void => undefined;

  constructor(news: News, clock: Clock, id: string) {
    this.news = news;
    this.clock = clock;
    this.id = id;
  }

  /** Waits at most `ms` for news; undefined without any. Throws the signal's reason when the caller leaves. */
  async next(ms: number, signal: AbortSignal): Promise<Heard | undefined> {
    const told = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    try {
      if (this.heard === undefined) await withinDeadline(this.clock, ms, () => told, signal);
    } catch (error) {
      if (!(error instanceof DeadlinePassed)) throw error;
    }
    const { heard } = this;
    this.heard = undefined;
    return heard;
  }

  /**
   * Reads the question: what is known here while nothing has changed, the store after a change, and Temporal where
   * this process knows nothing. Throws what reading a suspension throws.
   */
  read(): Promise<Read<SuspensionView>> {
    return this.news.read(this.id);
  }

  /** Makes the next read ask Temporal. */
  doubt(): void {
    this.news.doubt(this.id);
  }

  leave(): void {
    this.news.leave(this);
  }

  /** Is called by the source of news alone. */
  tell(heard: Heard): void {
    const isNewer = this.heard === undefined || NEWS.indexOf(heard) > NEWS.indexOf(this.heard);
    if (isNewer) this.heard = heard;
    this.wake();
  }
}

export type NewsFeed = Pick<FeedHub, 'join' | 'leave' | 'follow' | 'position' | 'looks'>;

/** Milliseconds between two checks of what the feed does not show: whether it can be read, and the ends of pauses. */
const TICK_MS = 1_000;
/** A feed that was not read for so many milliseconds counts as lost. */
const DEAF_MS = 5_000;
/** How long a question is followed after its last wait: clients wait in many requests, one after the other. */
const LINGER_MS = 10_000;

interface Deps {
  readonly feed: NewsFeed;
  readonly space: string;
  readonly fromStore: FromStore;
  readonly clock: Clock;
  /** Asks the workflow; a settled question is read from the store. */
  readonly ask: (id: string) => Promise<Read<SuspensionView>>;
  /** Aborted once the process stops. */
  readonly closing?: AbortSignal;
}

/** A question that somebody waits for, or did a moment ago. */
interface Followed {
  readonly listeners: Set<Listening>;
  /** How many changes this process has seen. */
  changes: number;
  /** The question's state after so many changes, since Temporal was first asked; undefined before that. */
  known: { readonly view: SuspensionView; readonly after: number } | undefined;
  /** The read under way, and after how many changes it began: waits that have seen no more share it. */
  reading: { readonly read: Promise<Read<SuspensionView>>; readonly after: number } | undefined;
  /** When the last wait ended. */
  leftAt: number;
}

/**
 * Reports changes of a space's questions, as the feed brings them, to those who wait, and knows the state of these
 * questions (docs/adr/0113). The feed is read only while somebody waits.
 */
export class QuestionNews {
  private readonly deps: Deps;
  private readonly followed = new Map<string, Followed>();
  private following: Promise<boolean> | undefined;
  /** Identifies the time since which the feed has been followed without a gap; undefined while it is not. */
  private hearing: object | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  async listen(id: string): Promise<Listening> {
    const listening = new Listening(this, this.deps.clock, id);
    this.entry(id).listeners.add(listening);
    const isHeard = await (this.following ??= this.follow());
    if (!isHeard) listening.tell('deaf');
    return listening;
  }

  settledHere(id: string): void {
    this.tell(id, 'settled_here');
  }

  async read(id: string): Promise<Read<SuspensionView>> {
    const entry = this.entry(id);
    const { known, changes: after } = entry;
    if (known?.after === after) return this.fresh(known.view);
    if (entry.reading?.after === after) return entry.reading.read;
    const read = this.look(id, entry);
    const reading = { read, after };
    entry.reading = reading;
    try {
      return await read;
    } finally {
      if (entry.reading === reading) entry.reading = undefined;
    }
  }

  doubt(id: string): void {
    const entry = this.followed.get(id);
    if (entry) Object.assign(entry, { known: undefined, reading: undefined });
  }

  /** Makes every question ask Temporal again, because the store has lost some of what it showed. */
  private doubtAll(): void {
    for (const [id, entry] of this.followed) {
      entry.known = undefined;
      this.tell(id, 'changed');
    }
  }

  leave(listening: Listening): void {
    const entry = this.followed.get(listening.id);
    if (!entry?.listeners.delete(listening)) return;
    entry.leftAt = this.deps.clock.now();
  }

  private fresh(view: SuspensionView): Read<SuspensionView> {
    return { value: viewAt(view, this.deps.clock.now()), stale: false };
  }

  /** Reads a question from the store if Temporal has been asked before, else from Temporal. */
  private async look(id: string, entry: Followed): Promise<Read<SuspensionView>> {
    const { hearing } = this;
    const { known, changes: after } = entry;
    const stored = known && (await this.stored(id, known.view));
    const read = stored ? this.fresh(stored) : await this.deps.ask(id);
    // A change while the feed was not followed would never be reported.
    const isHeard = hearing !== undefined && hearing === this.hearing;
    entry.known = isHeard && !read.stale ? { view: read.value, after } : undefined;
    return read;
  }

  /** Returns the question as the store has it; undefined if it is away, or shows less than was known before. */
  private async stored(id: string, known: SuspensionView): Promise<SuspensionView | undefined> {
    const { fromStore } = this.deps;
    const settled = await ifThere(fromStore(findSettled, id));
    if (settled) return settled;
    const open = await ifThere(fromStore(findSuspension, id));
    return open?.state === 'pending' && open.attempt >= known.attempt ? open : undefined;
  }

  private entry(id: string): Followed {
    const known = this.followed.get(id);
    if (known) return known;
    const leftAt = this.deps.clock.now();
    const entry: Followed = {
      listeners: new Set(),
      changes: 0,
      known: undefined,
      reading: undefined,
      leftAt,
    };
    this.followed.set(id, entry);
    return entry;
  }

  private tell(id: string, heard: Heard): void {
    const entry = this.followed.get(id);
    if (!entry) return;
    entry.changes += 1;
    for (const listening of entry.listeners) listening.tell(heard);
  }

  /** Begins to follow the feed; false if it cannot be read. */
  private async follow(): Promise<boolean> {
    const { feed, space, clock, closing } = this.deps;
    const joining = feed.join();
    try {
      await withinDeadline(clock, limitOf(clock, 'servers', READ_MS), () => joining);
    } catch {
      // A store that answers at last is not needed any more.
      joining.then(() => feed.leave()).catch(() => undefined);
      this.stop('deaf');
      return false;
    }
    const deliver = (entries: readonly FeedEntry[]): void => {
      for (const { event } of entries) {
        if (isQuestionChange(event)) this.tell(event.suspension_id, 'changed');
      }
    };
    const taker = {
      deliver,
      take: async (entries: readonly FeedEntry[]) => deliver(entries),
      wentBack: () => this.doubtAll(),
    };
    // Nothing is read: whoever waits reads the question after this.
    const end = await feed.follow({ kind: 'questions', space }, feed.position, taker);
    this.hearing = {};
    const over = closing ?? new AbortController().signal;
    void this.attend(over).finally(() => {
      end();
      feed.leave();
    });
    return true;
  }

  /** Checks what the feed does not show, until nobody waits, or the feed or the process is gone. */
  private async attend(over: AbortSignal): Promise<void> {
    const { feed, clock } = this.deps;
    let [looks, readAt] = [feed.looks, clock.now()];
    while (!over.aborted) {
      await clock.sleep(TICK_MS, over).catch(() => undefined);
      if (feed.looks !== looks) [looks, readAt] = [feed.looks, clock.now()];
      const isLost = clock.now() - readAt > limitOf(clock, 'servers', DEAF_MS);
      this.forget();
      if (isLost || this.followed.size === 0) {
        this.stop(isLost ? 'deaf' : undefined);
        return;
      }
      await this.lookForPauses();
    }
    this.stop();
  }

  private forget(): void {
    const now = this.deps.clock.now();
    for (const [id, { listeners, leftAt }] of this.followed) {
      if (listeners.size === 0 && now - leftAt > LINGER_MS) this.followed.delete(id);
    }
  }

  /** Pauses have no place in the feed: one query looks for the ends of all. */
  private async lookForPauses(): Promise<void> {
    const pauses = [...this.followed].filter(
      ([, { known }]) => known?.view.record.pause !== undefined && known.view.state === 'pending',
    );
    if (pauses.length === 0) return;
    const wanted = new Map(pauses.map(([id]) => [id, 'settled'] as const));
    const open = await ifThere(this.deps.fromStore(idsNotInState, wanted)).catch(() => undefined);
    const still = new Set(open ?? wanted.keys());
    for (const [id] of pauses) if (!still.has(id)) this.tell(id, 'changed');
  }

  /** Stops following the feed and drops what is known. */
  private stop(heard?: 'deaf'): void {
    this.following = undefined;
    this.hearing = undefined;
    for (const [id, entry] of this.followed) {
      entry.known = undefined;
      if (heard) this.tell(id, heard);
      if (entry.listeners.size === 0) this.followed.delete(id);
    }
  }
}
