import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerConfig } from '../contracts/config.js';
import type { IntentEvent } from '../contracts/event.js';
import type { FeedEntry, SpaceScope } from '../contracts/feed.js';
import type { RunEvent } from '../contracts/run-event.js';
import type { Sight, Subscription } from '../contracts/subscription.js';
import { isRunEvent } from '../domain/approval/run-event.js';
import { toInstant } from '../domain/kernel/time.js';
import { isQuestionChange } from '../domain/suspension/change.js';
import { maskedEvent } from '../domain/intent/masked-event.js';
import { subscriptionSecret } from '../domain/subscription/secret.js';
import { shownOf } from '../domain/subscription/sight.js';
import type { Shown } from '../domain/subscription/sight.js';
import { ChannelError, asFailure } from './channels/try-outcome.js';
import type { WebhookMessage } from './channels/webhook/sender.js';
import type { ActivityDependencies, ActivityStore, EventFeed } from './dependencies.js';
import { ownSpace } from './own-call.js';
import type { Delivered, EventDelivery } from './types.js';
import { WAKE_MS } from './wake-subscriptions.js';

export type EventDependencies = Pick<ActivityDependencies, 'feed' | 'sendWebhook'> & {
  readonly config: Pick<ServerConfig, 'subscriptions'>;
  readonly store: Pick<ActivityStore, 'presentSights' | 'noteWithheld'>;
  /** How long a turn waits for the next event, in milliseconds. */
  readonly patienceMs?: number;
};

/** Twice the time between two wakings, so that no event waits for one while events keep coming. */
const PATIENCE_MS = 2 * WAKE_MS;
/** How soon a turn looks again whether this worker has read as far as it must. */
const SETTLING_MS = 50;
/** How soon a turn notices its cancellation. */
const HEARTBEAT_MS = 2_000;
const PAGE = 50;
/** A turn ends after this many deliveries, so that the history records the progress now and then. */
const MOST = 500;
/** How often a paused subscription looks whether it may go on. */
const PAUSE_MS = 60_000;
/** Longer than it takes until an API process has noted what somebody sees by now. */
const NOTED_WITHIN_MS = 60_000;
/** The store notes no more often that something was withheld. */
const WITHHELD_MS = 60_000;

/**
 * Delivers the events of a subscription, one turn of it: each event is posted after the one before it was
 * accepted, signed with the secrets of its subscription, with the event's own id. It delivers at least all that
 * there is when it begins. Temporal retries a failed delivery from that event on. If other
 * events were delivered in the same turn, the turn ends instead, so that the tries of the failed event are
 * counted from the first. Before each event it is looked up what the subscription's maker sees now: an event that it may no
 * longer see is passed over. What it sees when it makes the subscription counts for a minute, for the store hears of rights
 * later. Nothing is delivered for somebody who can no longer sign in or read events at all: the activity
 * fails, and Temporal tries it again every minute, from where it stopped.
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
  const end = feed.watch(turn.scope, () => turn.wake());
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

/** Posts a message, signed for its subscription. */
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

/** One execution of the activity. */
class Turn {
  readonly scope: SpaceScope;
  /** All events up to this position have been delivered, or are not wanted. */
  after: number;
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
    this.after = after;
  }

  wake(): void {
    this.news.abort();
  }

  /** Returns whether there is more to deliver; `end` is the position that it has to come to. */
  async run(patienceMs: number, end: number): Promise<boolean> {
    for (let until = Date.now() + patienceMs; this.delivered < MOST;) {
      Context.current().cancellationSignal.throwIfAborted();
      this.news = new AbortController();
      const upTo = this.feed.position;
      const range = { after: this.after, upTo, limit: PAGE };
      const { rows, more } = await this.feed.read(this.scope, range);
      for (const entry of rows) if (!(await this.pass(entry))) return true;
      if (more) continue;
      this.after = Math.max(this.after, upTo);
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
    this.after = entry.position;
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
    if (before === 'nothing') return;
    const noted = await this.store.presentSights(created_by);
    const present = noted?.length && this.isNew ? [...noted, made] : noted;
    const shown = judge(present);
    if (shown !== before) await this.noteWithheld();
    if (present?.length === 0) throw paused();
    if (shown !== 'nothing') await this.post(event, shown);
  }

  /** Whether what the store knows of its maker may be older than the rights by which it was made. */
  private get isNew(): boolean {
    return Date.now() - Date.parse(this.request.subscription.created_at) < NOTED_WITHIN_MS;
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

/** A failure that neither is final nor says when to try again. */
function mayWait(error: unknown): boolean {
  if (!(error instanceof ChannelError)) return false;
  return error.details.final !== true && error.details.retryAfterMs === undefined;
}
