import { Context, heartbeat, log } from '@temporalio/activity';
import { setTimeout as pause } from 'node:timers/promises';
import { forEach } from './announce.js';
import type { ActivityDependencies } from './dependencies.js';
import type { ActivityStore, WorkflowMessages } from './ports/store.js';
import type { Pumped } from './types.js';

export type PumpDependencies = Pick<ActivityDependencies, 'feed'> & {
  readonly store: Pick<ActivityStore, 'activeSubscriptions' | 'subscriptionsToWake'>;
  readonly workflows: Pick<WorkflowMessages, 'wake' | 'goBack'>;
  /**
   * How long one execution lasts at most, how often it checks for active subscriptions, and how often it wakes one.
   * Milliseconds.
   */
  readonly patienceMs?: number;
  readonly checkMs?: number;
  readonly wakeMs?: number;
};

const PATIENCE_MS = 50 * 60_000;
const CHECK_MS = 60_000;
/** How often the pump records its position. The SDK throttles this to what the activity's timeout needs. */
const HEARTBEAT_MS = 2_000;
/** A subscription is woken at most this often, in milliseconds. A turn of it lasts longer, so no event waits for that. */
export const WAKE_MS = 30_000;
/** How many positions a pump goes back that is ahead of the feed, and does not know which numbers were lost. */
const BACK = 1_000;

interface Reached {
  readonly after: number | null;
  /** The position to resume from, for subscriptions that do not know yet that the feed went back. */
  readonly backTo?: number;
}

/** Reads a heartbeat's details: a position, or an object. */
function reachedIn(details: unknown, after: number | null): Reached {
  if (typeof details === 'number') return { after: details };
  return typeof details === 'object' && details !== null ? (details as Reached) : { after };
}

/**
 * Follows the feed for all subscriptions and wakes those that an event may be for. If the feed went back, because a
 * failed-over store lost its last events, all subscriptions go back too. A second waking changes nothing.
 */
export async function wakeSubscriptions(
  dependencies: PumpDependencies,
  { after }: { readonly after: number | null },
): Promise<Pumped> {
  const { feed, patienceMs = PATIENCE_MS } = dependencies;
  const { info } = Context.current();
  const reached = reachedIn(info.heartbeatDetails, after);
  await feed.join();
  const pump = new Pump(dependencies, reached);
  const beats = setInterval(() => pump.beat(), HEARTBEAT_MS);
  const end = feed.watch({ kind: 'everything' }, (backTo) => pump.hear(backTo));
  try {
    return await pump.run(patienceMs);
  } finally {
    pump.beat();
    clearInterval(beats);
    end();
    feed.leave();
  }
}

class Pump {
  /** The position up to which the feed was read; null before the first read. */
  private looked: number | null;
  /** Subscriptions that must still be woken, and the position before the first event that they lack. */
  private readonly due = new Map<string, number>();
  /** When subscriptions were woken recently. */
  private readonly woken = new Map<string, number>();
  /** The position to which all subscriptions must go back; undefined once they have been informed. */
  private backTo: number | undefined;
  private readonly dependencies: PumpDependencies;
  private readonly wakeMs: number;
  private news = new AbortController();

  constructor(dependencies: PumpDependencies, { after, backTo }: Reached) {
    this.dependencies = dependencies;
    this.wakeMs = dependencies.wakeMs ?? WAKE_MS;
    this.looked = after;
    this.backTo = backTo;
  }

  hear(backTo?: number): void {
    if (backTo !== undefined) this.backTo = Math.min(backTo, this.backTo ?? backTo);
    this.news.abort();
  }

  /** Records the position that every subscription knows of. */
  beat(): void {
    const { passedOn: after, backTo } = this;
    if (backTo !== undefined) heartbeat({ after, backTo } satisfies Reached);
    else if (after !== null) heartbeat(after);
  }

  async run(patienceMs: number): Promise<Pumped> {
    const { store, feed, checkMs = CHECK_MS } = this.dependencies;
    const { cancellationSignal } = Context.current();
    const until = Date.now() + patienceMs;
    await this.findPlace();
    for (let check = Date.now() + checkMs; ;) {
      this.news = new AbortController();
      if (this.backTo !== undefined) await this.goBack(this.backTo);
      await this.look(feed.position);
      await this.wake();
      const now = Date.now();
      if (this.due.size === 0 && now >= check) {
        if ((await store.activeSubscriptions()).length === 0) return this.ended(true);
        check = now + checkMs;
      }
      if (now >= until) return this.ended(false);
      const ms = Math.max(0, Math.min(check, until, this.nextWaking) - now);
      const signal = AbortSignal.any([cancellationSignal, this.news.signal]);
      await pause(ms, undefined, { signal }).catch(() => undefined);
      cancellationSignal.throwIfAborted();
    }
  }

  /** A feed that has never reached the pump's position went back while no worker read it. */
  private async findPlace(): Promise<void> {
    const { feed } = this.dependencies;
    if (this.looked === null || (await feed.mayHave(this.looked))) return;
    log.warn('the feed went back', { had: this.looked, to: feed.position });
    this.hear(Math.max(0, feed.position - BACK));
  }

  /** Informs every subscription. Those informed before go back once more, and deliver some events again. */
  private async goBack(to: number): Promise<void> {
    const { store, workflows } = this.dependencies;
    await forEach(await store.activeSubscriptions(), (id) => workflows.goBack(id, to));
    this.looked = Math.min(this.looked ?? to, to);
    if (this.backTo === to) this.backTo = undefined;
    this.woken.clear();
  }

  /** When the next recently woken subscription may be woken again; milliseconds since the epoch. */
  private get nextWaking(): number {
    const ids = [...this.due.keys()];
    return Math.min(...ids.map((id) => (this.woken.get(id) ?? 0) + this.wakeMs));
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
    for (const [id, at] of this.woken) if (now - at >= this.wakeMs) this.woken.delete(id);
    const ids = [...this.due.keys()].filter((id) => !this.woken.has(id));
    await forEach(ids, async (id) => {
      // A missing workflow needs nothing, and one that accepts no more Signals has been woken thousands of times.
      await this.dependencies.workflows.wake(id, this.looked ?? 0);
      this.woken.set(id, now);
      this.due.delete(id);
    });
  }
}
