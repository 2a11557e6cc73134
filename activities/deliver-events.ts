import { Context, heartbeat } from '@temporalio/activity';
import { setTimeout as pause } from 'node:timers/promises';
import type { FeedEntry, FeedScope } from '../contracts/feed.js';
import type { Subscription } from '../contracts/subscription.js';
import { maskedEvent } from '../domain/intent/masked-event.js';
import { ChannelError, asFailure } from './channels/try-outcome.js';
import type { WebhookSender } from './channels/webhook/sender.js';
import type { ActivityDependencies, EventFeed } from './dependencies.js';
import type { EventDelivery } from './types.js';

export type EventDependencies = Pick<ActivityDependencies, 'feed' | 'sendWebhook'> & {
  /** How long a turn waits for more events, in milliseconds. */
  readonly patienceMs?: number;
};

const PATIENCE_MS = 10 * 60_000;
/** How soon a turn notices its cancellation. */
const HEARTBEAT_MS = 2_000;
const PAGE = 50;
/** A turn ends after this many deliveries, so that the history records the progress now and then. */
const MOST = 500;

/**
 * Delivers the events of a subscription, one turn of it: each event is posted after the one before it was
 * accepted, signed, with the event's own id. Temporal retries a failed delivery from that event on. If other
 * events were delivered in the same turn, the turn ends instead, so that the tries of the failed event are
 * counted from the first.
 */
export async function deliverEvents(
  { feed, sendWebhook, patienceMs = PATIENCE_MS }: EventDependencies,
  request: EventDelivery,
): Promise<{ readonly after: number }> {
  if (sendWebhook === undefined) throw new Error('no secrets are configured for subscriptions');
  const { info } = Context.current();
  const reached: unknown = info.heartbeatDetails;
  const after = typeof reached === 'number' ? reached : request.after;
  const turn = new Turn(feed, sendWebhook, request, after);
  const beats = setInterval(() => heartbeat(turn.after), HEARTBEAT_MS);
  await feed.join();
  const end = feed.watch(turn.scope, () => turn.wake());
  try {
    await turn.run(patienceMs);
    return { after: turn.after };
  } catch (error) {
    heartbeat(turn.after);
    throw asFailure(error, info.attempt);
  } finally {
    clearInterval(beats);
    end();
    feed.leave();
  }
}

function scopeOf({ intent_id, portfolio_id }: Subscription): FeedScope {
  if (intent_id !== null) return { kind: 'intent', id: intent_id };
  if (portfolio_id !== null) return { kind: 'portfolio', id: portfolio_id };
  return { kind: 'all' };
}

/** One execution of the activity. */
class Turn {
  readonly scope: FeedScope;
  /** All events up to this position have been delivered, or are not wanted. */
  after: number;
  private readonly feed: EventFeed;
  private readonly send: WebhookSender;
  private readonly request: EventDelivery;
  private readonly url: URL;
  private delivered = 0;
  private news = new AbortController();

  constructor(feed: EventFeed, send: WebhookSender, request: EventDelivery, after: number) {
    this.feed = feed;
    this.send = send;
    this.request = request;
    this.scope = scopeOf(request.subscription);
    this.url = new URL(request.subscription.webhook_url);
    this.after = after;
  }

  wake(): void {
    this.news.abort();
  }

  async run(patienceMs: number): Promise<void> {
    const until = Date.now() + patienceMs;
    while (this.delivered < MOST) {
      this.news = new AbortController();
      const upTo = this.feed.position;
      const entries = await this.feed.read(this.scope, { after: this.after, upTo, limit: PAGE });
      for (const entry of entries) if (!(await this.pass(entry))) return;
      if (entries.length === PAGE) continue;
      this.after = Math.max(this.after, upTo);
      const left = until - Date.now();
      if (left <= 0) return;
      await this.waitForNews(left);
    }
  }

  /** Whether the turn may go on after an event. */
  private async pass(entry: FeedEntry): Promise<boolean> {
    try {
      if (this.wants(entry)) await this.post(entry);
    } catch (error) {
      if (this.delivered === 0 || !mayWait(error)) throw error;
      return false;
    }
    this.after = entry.position;
    return true;
  }

  private wants({ event }: FeedEntry): boolean {
    const { event_types } = this.request.subscription;
    return event_types.length === 0 || event_types.includes(event.event_type);
  }

  private async post({ event, owner }: FeedEntry): Promise<void> {
    const { subscription, sees_all } = this.request;
    const seesAll = sees_all || owner === subscription.created_by;
    const shown = seesAll ? event : maskedEvent(event);
    await this.send({
      url: this.url,
      id: event.id,
      body: JSON.stringify({ subscription_id: subscription.id, event: shown }),
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
