import type { FeedEntry } from '../../contracts/subscription/feed.js';
import { isQuestionChange } from '../../contracts/subscription/feed.js';

/** An event at its position in the feed. */
export interface FeedMark {
  readonly position: number;
  readonly id: string;
}

/** How many events a reader remembers: more than a failover loses, and few enough for one query. */
export const MOST_MARKS = 1_000;

/**
 * The newest events that a reader has had. A store that failed over may have lost the last of them, and issues their numbers again:
 * the newest mark that is still there is where the reader has to go on. Changes of questions leave no mark, because a question moves.
 */
export class FeedMarks {
  private marks: readonly FeedMark[] = [];

  get all(): readonly FeedMark[] {
    return this.marks;
  }

  get newest(): number | undefined {
    return this.marks.at(-1)?.position;
  }

  /** Begins with the newest events of the store, in their order. */
  begin(marks: readonly FeedMark[]): void {
    this.marks = marks;
  }

  add(entries: readonly FeedEntry[]): void {
    const added = entries.flatMap(({ position, event }) =>
      isQuestionChange(event) ? [] : [{ position, id: event.id }],
    );
    this.marks = [...this.marks, ...added].slice(-MOST_MARKS);
  }

  goBack(to: number): void {
    this.marks = this.marks.filter(({ position }) => position <= to);
  }
}
