import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import type { TaskNews } from '../../contracts/task.js';
import type { Sender } from '../support/outbox.js';
import { trySignal } from '../support/reporter.js';
import { newsSignal } from './messages.js';

/** Whoever is missed may be between two runs. */
const AGAIN_AFTER_MS = 1_000;

/**
 * Tells the followers of a task what it is now; changes in between become one. One that is still gone when it
 * is tried again is dropped.
 */
export class Teller implements Sender {
  private readonly current: () => TaskNews;
  private readonly known: Set<string>;
  private readonly owed: Set<string>;
  private sending = false;

  constructor(
    current: () => TaskNews,
    followers: readonly string[] = [],
    owed: readonly string[] = [],
  ) {
    this.current = current;
    this.known = new Set(followers);
    this.owed = new Set(owed);
  }

  get followers(): readonly string[] {
    return [...this.known];
  }

  get untold(): readonly string[] {
    return [...this.owed];
  }

  /** Adds a follower, which is told at once. */
  add(follower: string): void {
    this.known.add(follower);
    this.owed.add(follower);
  }

  /** Everybody is to be told. */
  changed(): void {
    for (const follower of this.known) this.owed.add(follower);
  }

  get due(): boolean {
    return !this.sending && this.owed.size > 0;
  }

  send(): void {
    const followers = [...this.owed];
    this.owed.clear();
    void this.tell(followers);
  }

  /** Resolves once everybody knows. */
  async told(): Promise<void> {
    await CancellationScope.nonCancellable(() =>
      condition(() => !this.sending && this.owed.size === 0),
    );
  }

  private async tell(followers: readonly string[]): Promise<void> {
    this.sending = true;
    const missed = await this.signal(followers);
    if (missed.length > 0) {
      await sleep(AGAIN_AFTER_MS);
      for (const gone of await this.signal(missed)) this.known.delete(gone);
    }
    this.sending = false;
  }

  /** Returns those that were not there. */
  private async signal(followers: readonly string[]): Promise<readonly string[]> {
    const news = this.current();
    const taken = await Promise.all(
      followers.map((follower) => trySignal(follower, newsSignal, news)),
    );
    return followers.filter((_follower, index) => taken[index] === false);
  }
}
