import { Context, heartbeat } from '@temporalio/activity';
import { setTimeout as pause } from 'node:timers/promises';
import { forEach } from './announce.js';
import type { ActivityDependencies, ActivityStore, WorkflowMessages } from './dependencies.js';
import type { Pumped } from './types.js';

export type PumpDependencies = Pick<ActivityDependencies, 'feed'> & {
  readonly store: Pick<ActivityStore, 'activeSubscriptions' | 'subscriptionsToWake'>;
  readonly workflows: Pick<WorkflowMessages, 'wake'>;
  /** How long one execution lasts at most, and how often it looks whether anybody is left. Milliseconds. */
  readonly patienceMs?: number;
  readonly checkMs?: number;
};

const PATIENCE_MS = 10 * 60_000;
const CHECK_MS = 60_000;
/** How soon a dead worker is missed, and a cancellation noticed. */
const HEARTBEAT_MS = 2_000;
/**
 * A subscription is woken at most so often. It delivers what comes for longer than that after it was woken, so nobody
 * waits for it.
 */
export const WAKE_MS = 2_000;
const DUE_MS = 100;

/**
 * Follows the feed for all subscriptions and wakes the workflows of those that an event may be for. It beats once for
 * all of them, and writes nothing while nothing happens. Without a position it begins by waking every one. If a
 * try ends half-way, the next one goes on from what had been passed on; a second waking changes nothing.
 */
export async function wakeSubscriptions(
  dependencies: PumpDependencies,
  { after }: { readonly after: number | null },
): Promise<Pumped> {
  const { feed, patienceMs = PATIENCE_MS } = dependencies;
  const { info } = Context.current();
  const reached: unknown = info.heartbeatDetails;
  await feed.join();
  const pump = new Pump(dependencies, typeof reached === 'number' ? reached : after);
  const beats = setInterval(() => pump.beat(), HEARTBEAT_MS);
  const end = feed.watch({ kind: 'everything' }, () => pump.hear());
  try {
    return await pump.run(patienceMs);
  } finally {
    pump.beat();
    clearInterval(beats);
    end();
    feed.leave();
  }
}

/** One execution of the activity. */
class Pump {
  /** How far the feed was looked through; null before the first look. */
  private looked: number | null;
  /** Subscriptions that are still to be woken, and the position before the first event that they lack. */
  private readonly due = new Map<string, number>();
  /** When subscriptions were woken, as long as that is not long ago. */
  private readonly woken = new Map<string, number>();
  private readonly dependencies: PumpDependencies;
  private news = new AbortController();

  constructor(dependencies: PumpDependencies, after: number | null) {
    this.dependencies = dependencies;
    this.looked = after;
  }

  hear(): void {
    this.news.abort();
  }

  /** Notes how far every subscription knows of the feed. */
  beat(): void {
    const after = this.passedOn;
    if (after !== null) heartbeat(after);
  }

  async run(patienceMs: number): Promise<Pumped> {
    const { store, feed, checkMs = CHECK_MS } = this.dependencies;
    const { cancellationSignal } = Context.current();
    const until = Date.now() + patienceMs;
    for (let check = Date.now() + checkMs; ;) {
      this.news = new AbortController();
      await this.look(feed.position);
      await this.wake();
      const now = Date.now();
      if (this.due.size === 0 && now >= check) {
        if ((await store.activeSubscriptions()).length === 0) return this.ended(true);
        check = now + checkMs;
      }
      if (this.due.size === 0 && now >= until) return this.ended(false);
      const ms = this.due.size > 0 ? DUE_MS : Math.max(0, Math.min(check, until) - now);
      const signal = AbortSignal.any([cancellationSignal, this.news.signal]);
      await pause(ms, undefined, { signal }).catch(() => undefined);
      cancellationSignal.throwIfAborted();
    }
  }

  private get passedOn(): number | null {
    if (this.due.size === 0) return this.looked;
    return [...this.due.values()].reduce((least, one) => Math.min(least, one));
  }

  private ended(idle: boolean): Pumped {
    return { after: this.passedOn ?? 0, idle };
  }

  private async look(upTo: number): Promise<void> {
    const { store } = this.dependencies;
    const after = this.looked;
    if (after !== null && upTo <= after) return;
    const found = await (after === null
      ? store.activeSubscriptions()
      : store.subscriptionsToWake({ after, upTo }));
    for (const id of found) if (!this.due.has(id)) this.due.set(id, after ?? upTo);
    this.looked = upTo;
  }

  private async wake(): Promise<void> {
    const now = Date.now();
    for (const [id, at] of this.woken) if (now - at >= WAKE_MS) this.woken.delete(id);
    const ids = [...this.due.keys()].filter((id) => !this.woken.has(id));
    await forEach(ids, async (id) => {
      // One that is gone needs nothing, and one that is full has been woken thousands of times.
      await this.dependencies.workflows.wake(id, this.looked ?? 0);
      this.woken.set(id, now);
      this.due.delete(id);
    });
  }
}
