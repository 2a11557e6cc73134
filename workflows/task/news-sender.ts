import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import type { TaskNews } from '../../contracts/task.js';
import type { Sender } from '../engine/outbox.js';
import { trySignal } from '../engine/outbox.js';
import { newsSignal } from './messages.js';

/** Whoever is missed may be between two runs. */
const AGAIN_AFTER_MS = 1_000;

/**
 * Tells the followers of a task what it is now; changes in between become one. One that is still gone when it
 * is tried again is dropped.
 */
export class NewsSender implements Sender {
  private readonly current: () => TaskNews;
  private readonly known: Set<string>;
  private readonly owed: Set<string>;
  private sending = false;
  private stopped = false;

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

  get owing(): readonly string[] {
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
    return !this.stopped && !this.sending && this.owed.size > 0;
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

  /** Sends no more; who may not have been told is then `untold`. */
  async stop(): Promise<void> {
    this.stopped = true;
    await condition(() => !this.sending);
  }

  private async tell(followers: readonly string[]): Promise<void> {
    this.sending = true;
    const missed = await this.signal(followers);
    if (missed.length > 0) await this.tellAgain(missed);
    this.sending = false;
  }

  private async tellAgain(missed: readonly string[]): Promise<void> {
    if (!this.stopped) await sleep(AGAIN_AFTER_MS);
    if (this.stopped) for (const follower of missed) this.owed.add(follower);
    else for (const gone of await this.signal(missed)) this.known.delete(gone);
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
