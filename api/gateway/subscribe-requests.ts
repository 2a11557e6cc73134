import { randomUUID } from 'node:crypto';
import type { ServerConfig } from '../../contracts/config.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { SubscribeRequest, Subscription } from '../../contracts/subscription.js';
import { toInstant, toMillis } from '../../domain/time.js';
import { refused } from './refusals.js';
import type { Caller } from './types.js';

/** A new subscription, as it was asked for. */
export function subscriptionOf(
  { principal }: Caller,
  request: SubscribeRequest,
  created_at: string,
): Subscription {
  return {
    id: randomUUID(),
    intent_id: request.intent_id ?? null,
    portfolio_id: request.portfolio_id ?? null,
    subscriber_id: request.subscriber_id ?? principal,
    event_types: request.event_types,
    webhook_url: request.webhook_url,
    active: true,
    expires_at: request.expires_at === undefined ? null : toInstant(toMillis(request.expires_at)),
    created_by: principal,
    created_at,
    ended_at: null,
    end_reason: null,
  };
}

/**
 * Refuses what no schema can tell: it follows from the configuration, the clock, or two fields at once.
 *
 * @param now - milliseconds since the epoch
 * @throws RefusalError `webhooks_not_configured`, `deadline_in_past` or `invalid_request`
 */
export function checkSubscribe(
  request: SubscribeRequest,
  { subscriptions }: ServerConfig,
  now: number,
): void {
  if (subscriptions.secrets === undefined) {
    throw refused('webhooks_not_configured', 'Nothing could be signed that is posted to it.', {
      accepted: 'a server whose configuration has subscriptions.secrets',
    });
  }
  if (request.intent_id !== undefined && request.portfolio_id !== undefined) {
    throw refused('invalid_request', 'A subscription is for an intent or for a portfolio.', {
      field: 'portfolio_id',
      accepted: 'one of intent_id and portfolio_id, or neither for all intents',
    });
  }
  if (request.expires_at !== undefined) checkEnd(toMillis(request.expires_at), now);
  if (request.webhook_url.startsWith('http:') && !subscriptions.allow_private_network) {
    throw refused('invalid_request', 'Nothing is posted without TLS.', {
      field: 'webhook_url',
      accepted: 'an https:// URL',
    });
  }
}

/** The end of a subscription: to come, and within what a timer can hold. */
function checkEnd(end: number, now: number): void {
  const field = 'expires_at';
  if (end <= now) {
    const accepted = 'an instant to come';
    throw refused('deadline_in_past', 'The subscription would be over already.', {
      field,
      accepted,
    });
  }
  if (end - now <= LIMITS.windowSeconds * 1_000) return;
  const accepted = `an instant within ${LIMITS.windowSeconds} seconds`;
  throw refused('invalid_request', 'The subscription would be too long.', { field, accepted });
}
