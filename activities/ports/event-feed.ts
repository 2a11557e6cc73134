import type { FeedEntry, FeedRange, FeedScope } from '../../contracts/subscription/feed.js';

/** The feed as deliveries read it. */
export interface EventFeed {
  /** Up to which position events can be read. */
  readonly position: number;
  /** The position of the newest event of this moment. */
  end(): Promise<number>;
  join(): Promise<void>;
  leave(): void;
  /** Whether an event may have had this position; a higher one cannot come from this feed. */
  mayHave(position: number): Promise<boolean>;
  /**
   * Calls back when new events of the scope can be read; with a position if the store has lost the events after it, and issues
   * their numbers again. Returns how to stop.
   */
  watch(scope: FeedScope, onNew: (backTo?: number) => void): () => void;
  /** The first entries of a range, and whether it has more. */
  read(
    scope: FeedScope,
    range: FeedRange,
  ): Promise<{ readonly rows: readonly FeedEntry[]; readonly more: boolean }>;
}
