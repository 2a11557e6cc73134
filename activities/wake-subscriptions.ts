import { Context, heartbeat, log } from '@temporalio/activity';
import { setTimeout as pause } from 'node:timers/promises';
import { forEach } from './announce.js';
import type { ActivityDependencies } from './dependencies.js';
import type { ActivityStore } from './ports/store.js';
import type { WorkflowMessages } from './ports/workflow-messages.js';
import type { Pumped } from './types.js';

export type PumpDependencies = Pick<ActivityDependencies, 'feed'> & {
  readonly store: Pick<ActivityStore, 'activeSubscriptions' | 'subscriptionsToWake'>;
  readonly workflows: Pick<WorkflowMessages, 'wake' | 'goBack'>;
  /** How long one execution lasts at most, how often it looks whether anybody is left, and how often it wakes one. Milliseconds. */
  readonly patienceMs?: number;
  readonly checkMs?: number;
  readonly wakeMs?: number;
};

const PATIENCE_MS = 50 * 60_000;
const CHECK_MS = 60_000;
/** How often it notes where it is. The SDK passes on only as many notes as the timeout of the activity needs. */
const HEARTBEAT_MS = 2_000;
/** A subscription is woken at most so often, in milliseconds. A turn of it lasts longer, so no event waits for that. */
export const WAKE_MS = 30_000;
/** How far a pump goes back that finds the feed before its own place, and does not know which numbers were lost. */
const BACK = 1_000;

/** How far an execution has come, for the next try. */
interface Reached {
  readonly after: number | null;
  /** Where subscriptions have to go on that were not told yet that the feed went back. */
  readonly backTo?: number;
}

/** Reads what a heartbeat noted: a position, or more. */
function reachedIn(details: unknown, after: number | null): Reached {
  if (typeof details === 'number') return { after: details };
  return typeof details === 'object' && details !== null ? (details as Reached) : { after };
}

/**
 * Follows the feed for all subscriptions and wakes the workflows of those that an event may be for. Without a position it begins
 * by waking every one. If a try ends half-way, the next one goes on from what had been passed on; a second waking changes
 * nothing. If the feed went back, because a store failed over and has lost its last events, all subscriptions go back too.
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

/** One execution of the activity. */
class Pump {
  /** How far the feed was looked through; null before the first look. */
  private looked: number | null;
  /** Subscriptions that are still to be woken, and the position before the first event that they lack. */
  private readonly due = new Map<string, number>();
  /** When subscriptions were woken, as long as that is not long ago. */
  private readonly woken = new Map<string, number>();
  /** Where subscriptions have to go on because the feed went back, until they are told. */
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

  /** Notes how far every subscription knows of the feed. */
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

  /** A feed that has never reached the place of the pump went back while no worker read it. */
  private async findPlace(): Promise<void> {
    const { feed } = this.dependencies;
    if (this.looked === null || (await feed.mayHave(this.looked))) return;
    log.warn('the feed went back', { had: this.looked, to: feed.position });
    this.hear(Math.max(0, feed.position - BACK));
  }

  /** Tells every subscription; those that were told before go back once more, and deliver some events again. */
  private async goBack(to: number): Promise<void> {
    const { store, workflows } = this.dependencies;
    await forEach(await store.activeSubscriptions(), (id) => workflows.goBack(id, to));
    this.looked = Math.min(this.looked ?? to, to);
    if (this.backTo === to) this.backTo = undefined;
    this.woken.clear();
  }

  /** When somebody may be woken again who was woken just now; milliseconds since the epoch. */
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
      // One that is gone needs nothing, and one that is full has been woken thousands of times.
      await this.dependencies.workflows.wake(id, this.looked ?? 0);
      this.woken.set(id, now);
      this.due.delete(id);
    });
  }
}
