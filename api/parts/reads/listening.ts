import type { SuspensionView } from '../../../contracts/suspension/view.js';
import type { Read } from '../caller.js';
import { DeadlinePassed, withinDeadline } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';

/** Why a wait looks again; a later one in this list hides an earlier one. */
const NEWS = ['changed', 'settled_here', 'deaf'] as const;

/**
 * - `changed`: the store shows a change of the question.
 * - `settled_here`: this process has settled it, and its rows may still be on their way to the store.
 * - `deaf`: the feed cannot be read, so that changes would be missed.
 */
export type Heard = (typeof NEWS)[number];

/** What knows how questions stand, and tells of their changes. */
interface News {
  read(id: string): Promise<Read<SuspensionView>>;
  doubt(id: string): void;
  leave(listening: Listening): void;
}

/** One wait for a question. Whoever made it lets it go with `leave`. */
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
   * The question as it stands: as it is known here while nothing has changed, from the store after a change, and from Temporal
   * where this process does not know. Throws what reading a suspension throws.
   */
  read(): Promise<Read<SuspensionView>> {
    return this.news.read(this.id);
  }

  /** Has the next read ask Temporal. */
  doubt(): void {
    this.news.doubt(this.id);
  }

  leave(): void {
    this.news.leave(this);
  }

  /** For the news alone. */
  tell(heard: Heard): void {
    const isNewer = this.heard === undefined || NEWS.indexOf(heard) > NEWS.indexOf(this.heard);
    if (isNewer) this.heard = heard;
    this.wake();
  }
}
