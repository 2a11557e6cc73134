import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerConfig } from '../contracts/server/config.js';
import type { IntentEvent, RunEvent } from '../contracts/intent/event.js';
import type { Sight, Subscription } from '../contracts/subscription/subscription.js';
import { toInstant } from '../domain/kernel/time.js';
import {
  isQuestionChange,
  isRunEvent,
  type FeedEntry,
  type SpaceScope,
} from '../contracts/subscription/feed.js';
import { maskedEvent } from '../domain/intent/masked-event.js';
import { shownOf, subscriptionSecret, type Shown } from '../domain/subscription/subscription.js';
import { ChannelError, asFailure } from './channels/try-outcome.js';
import type { WebhookMessage } from './channels/webhook/sender.js';
import type { ActivityDependencies } from './dependencies.js';
import type { EventFeed } from './ports/upkeep.js';
import type { ActivityStore } from './ports/store.js';
import { ownSpace } from './own-call.js';
import type { Delivered, EventDelivery } from './types.js';
import { WAKE_MS } from './wake-subscriptions.js';

export type EventDependencies = Pick<ActivityDependencies, 'feed' | 'sendWebhook'> & {
  readonly config: Pick<ServerConfig, 'subscriptions'>;
  readonly store: Pick<ActivityStore, 'presentSights' | 'noteWithheld' | 'hasEnded'>;
  /** How long a turn waits for the next event, in milliseconds. */
  readonly patienceMs?: number;
};

/** Longer than the time between two wakings, so that a turn continues while events keep coming. */
const PATIENCE_MS = WAKE_MS + 10_000;
/** How often a turn checks whether this worker has read far enough, in milliseconds. */
const SETTLING_MS = 50;
/**
 * How often a turn records its progress, in milliseconds. The SDK throttles this to what the activity's timeout
 * needs.
 */
const HEARTBEAT_MS = 2_000;
const PAGE = 50;
/** A turn ends after this time, so that the history regularly records its progress. */
const LONGEST_MS = 300_000;
/** How often a paused subscription checks whether it may continue. */
const PAUSE_MS = 60_000;
/** Longer than an API process takes to note a change of somebody's rights. */
const NOTED_WITHIN_MS = 60_000;
/** The store notes at most this often that something was withheld. */
const WITHHELD_MS = 60_000;

/**
 * Delivers the events of a subscription for one turn, at least those that exist when it begins, each once the one
 * before it was accepted. After a failure Temporal retries from that event on; if events were delivered before it,
 * the turn ends instead, so that its tries are counted from the first.
 *
 * The store is asked before each event whether the subscription has ended, because Temporal says so only with the
 * next heartbeat. Events that the maker may not see now are skipped; rights at the time of subscribing count for a
 * minute, because the store learns of rights later. While the maker cannot sign in at all, the activity fails, and is
 * retried every minute.
 */
export async function deliverEvents(
  { feed, sendWebhook, config, store, patienceMs = PATIENCE_MS }: EventDependencies,
  request: EventDelivery,
): Promise<Delivered> {
  const { secrets } = config.subscriptions;
  if (secrets === undefined) throw new Error('no secrets are configured for subscriptions');
  const { info } = Context.current();
  const reached: unknown = info.heartbeatDetails;
  const after = typeof reached === 'number' ? reached : request.after;
  const { id } = request.subscription;
  const own = secrets.map((secret) => subscriptionSecret(secret, id));
  const send = (message: Omit<WebhookMessage, 'secrets'>) =>
    sendWebhook({ ...message, secrets: own });
  const turn = new Turn({ feed, send, store }, request, after);
  const beats = setInterval(() => heartbeat(turn.after), HEARTBEAT_MS);
  await feed.join();
  const end = feed.watch(turn.scope, (backTo) => turn.wake(backTo));
  try {
    const more = await turn.run(patienceMs, await feed.end());
    return more ? { after: turn.after, more } : { after: turn.after };
  } catch (error) {
    heartbeat(turn.after);
    throw asFailure(error, info.attempt);
  } finally {
    clearInterval(beats);
    end();
    feed.leave();
  }
}

function scopeOf({ intent_id, portfolio_id }: Subscription): SpaceScope {
  const space = ownSpace();
  if (intent_id !== null) return { kind: 'intent', id: intent_id, space };
  if (portfolio_id !== null) return { kind: 'portfolio', id: portfolio_id, space };
  return { kind: 'all', space };
}

type Send = (message: Omit<WebhookMessage, 'secrets'>) => Promise<unknown>;

/** The failure that pauses a subscription until its maker can sign in and read events again. */
function paused(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'principal_disabled',
    message:
      'The principal of the subscription has no valid key, or none that lets it read events.',
    nextRetryDelay: PAUSE_MS,
    category: ApplicationFailureCategory.BENIGN,
  });
}

interface Means {
  readonly feed: EventFeed;
  readonly send: Send;
  readonly store: EventDependencies['store'];
}

class Turn {
  readonly scope: SpaceScope;
  private reached: number;
  /** The position to continue from if the feed was reset to an earlier one meanwhile. */
  private backTo = Infinity;
  private readonly feed: EventFeed;
  private readonly send: Send;
  private readonly store: EventDependencies['store'];
  private readonly request: EventDelivery;
  private readonly url: URL;
  private delivered = 0;
  private notedAt = 0;
  private news = new AbortController();

  constructor({ feed, send, store }: Means, request: EventDelivery, after: number) {
    this.feed = feed;
    this.send = send;
    this.store = store;
    this.request = request;
    this.scope = scopeOf(request.subscription);
    this.url = new URL(request.subscription.webhook_url);
    this.reached = after;
  }

  /** All events up to this position were delivered or are not wanted. */
  get after(): number {
    return Math.min(this.reached, this.backTo);
  }

  wake(backTo = Infinity): void {
    this.backTo = Math.min(this.backTo, backTo);
    this.news.abort();
  }

  /** Returns whether there is more to deliver. The turn does not stop before position `end`. */
  async run(patienceMs: number, end: number): Promise<boolean> {
    const begun = Date.now();
    for (let until = begun + patienceMs; Date.now() - begun < LONGEST_MS;) {
      Context.current().cancellationSignal.throwIfAborted();
      this.news = new AbortController();
      this.reached = this.after;
      this.backTo = Infinity;
      const upTo = this.feed.position;
      const range = { after: this.after, upTo, limit: PAGE };
      const { rows, more } = await this.feed.read(this.scope, range);
      for (const entry of rows) if (!(await this.pass(entry))) return true;
      if (more) continue;
      this.reached = Math.max(this.reached, upTo);
      if (this.backTo < Infinity) continue;
      if (rows.length > 0) until = Date.now() + patienceMs;
      const left = until - Date.now();
      if (left <= 0 && upTo >= end) return false;
      await this.waitForNews(upTo < end ? SETTLING_MS : left);
    }
    return true;
  }

  /** Whether the turn may go on after an event. */
  private async pass(entry: FeedEntry): Promise<boolean> {
    const { event } = entry;
    try {
      if (!isQuestionChange(event) && this.isWanted(event)) await this.show(entry, event);
    } catch (error) {
      if (this.delivered === 0 || !mayWait(error)) throw error;
      return false;
    }
    this.reached = entry.position;
    return true;
  }

  private isWanted({ event_type }: IntentEvent | RunEvent): boolean {
    const { event_types } = this.request.subscription;
    return event_types.length === 0 || event_types.includes(event_type);
  }

  /** Posts what the receiver may see of an event, judged at this moment. */
  private async show(entry: FeedEntry, event: IntentEvent | RunEvent): Promise<void> {
    const { subscription, ...made } = this.request;
    const { created_by } = subscription;
    const { guarded, owner } = entry;
    const seen = { guarded, isOfRun: isRunEvent(event), isOwn: owner === created_by };
    const judge = (present?: readonly Sight[]) => shownOf(made, present, seen, Date.now());
    const before = judge();
    if (before === 'nothing' || (await this.hasEnded())) return;
    const noted = await this.store.presentSights(created_by);
    const present = noted?.length && this.isNew ? [...noted, made] : noted;
    const shown = judge(present);
    if (shown !== before) await this.noteWithheld();
    if (present?.length === 0) throw paused();
    if (shown !== 'nothing') await this.post(event, shown);
  }

  /** Whether the store's knowledge of the maker may be older than the rights at the time of subscribing. */
  private get isNew(): boolean {
    return Date.now() - Date.parse(this.request.subscription.created_at) < NOTED_WITHIN_MS;
  }

  private async hasEnded(): Promise<boolean> {
    const { id, expires_at } = this.request.subscription;
    if (expires_at !== null && Date.now() >= Date.parse(expires_at)) return true;
    return this.store.hasEnded(id);
  }

  private async noteWithheld(): Promise<void> {
    const now = Date.now();
    if (now - this.notedAt < WITHHELD_MS) return;
    await this.store.noteWithheld(this.request.subscription.id, toInstant(now));
    this.notedAt = now;
  }

  private async post(event: IntentEvent | RunEvent, shown: Shown): Promise<void> {
    const { subscription } = this.request;
    const isWhole = shown === 'all' || isRunEvent(event);
    await this.send({
      url: this.url,
      id: event.id,
      body: JSON.stringify({
        subscription_id: subscription.id,
        event: isWhole ? event : maskedEvent(event),
      }),
      signal: Context.current().cancellationSignal,
    });
    this.delivered += 1;
  }

  private async waitForNews(ms: number): Promise<void> {
    const { cancellationSignal } = Context.current();
    const signal = AbortSignal.any([cancellationSignal, this.news.signal]);
    await pause(ms, undefined, { signal }).catch(() => undefined);
    cancellationSignal.throwIfAborted();
  }
}

/** Whether a failure is neither final nor says when to try again. */
function mayWait(error: unknown): boolean {
  if (!(error instanceof ChannelError)) return false;
  return error.details.final !== true && error.details.retryAfterMs === undefined;
}
