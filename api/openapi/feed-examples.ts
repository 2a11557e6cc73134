import type { IntentEvent } from '../../contracts/event.js';
import type { Subscription } from '../../contracts/subscription.js';

/** What a stream sends first, and an event. */
export function streamedExample(event: IntentEvent): string {
  return [
    'retry: 1000\nid: 41\n\n',
    `id: 42\nevent: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`,
  ].join('');
}

/** A webhook subscription, asked for and made. */
export function subscriptionExamples(
  ids: { readonly intentId: string; readonly subscriptionId: string },
  created_at: string,
) {
  const subscribe = {
    intent_id: ids.intentId,
    event_types: ['intent.suspended', 'intent.resumed'],
    webhook_url: 'https://refunds.example.com/events',
  };
  const subscription: Subscription = {
    id: ids.subscriptionId,
    ...subscribe,
    portfolio_id: null,
    subscriber_id: 'refund-agent',
    active: true,
    expires_at: null,
    created_by: 'refund-agent',
    created_at,
    ended_at: null,
    end_reason: null,
  };
  return { subscribe, subscription };
}
