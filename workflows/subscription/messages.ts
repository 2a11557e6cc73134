import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Caller } from '../../contracts/people/caller.js';
import type { Created } from '../engine/messages.js';
import type { Sight, Subscription } from '../../contracts/subscription/subscription.js';

/** The input of a subscription, with what its creator could see then. */
export interface SubscriptionInput extends Sight, Created {
  readonly subscription: Subscription;
  /** The subscription starts after this position of the feed. */
  readonly after: number;
  /** Only tests set it. */
  readonly history_limit?: number;
}

export const subscriptionQuery = defineQuery<Subscription>('subscription');

/** There may be events for the subscription up to this position of the feed. */
export const wakeSignal = defineSignal<[upTo: number]>('wake');

/** The store has lost the events after this position of the feed, and reissues their numbers. */
export const goBackSignal = defineSignal<[to: number]>('goBack');

/** Ends a subscription; an event that is being delivered may still arrive. */
export const endSubscriptionSignal = defineSignal<[{ readonly by: Caller }]>('endSubscription');
