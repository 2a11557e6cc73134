import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Caller } from '../../contracts/people/caller.js';
import type { Created } from '../engine/messages.js';
import type { Sight, Subscription } from '../../contracts/subscription/subscription.js';

/** What starts a subscription, with what its creator saw then. */
export interface SubscriptionInput extends Sight, Created {
  readonly subscription: Subscription;
  /** The position in the feed after which it begins. */
  readonly after: number;
  /** Only tests set it. */
  readonly history_limit?: number;
}

/** The subscription as it is now. */
export const subscriptionQuery = defineQuery<Subscription>('subscription');

/** There may be events for the subscription up to this position of the feed. */
export const wakeSignal = defineSignal<[upTo: number]>('wake');

/** The store has lost the events after this position of the feed, and issues their numbers again. */
export const goBackSignal = defineSignal<[to: number]>('goBack');

/** Ends a subscription; what is being delivered just then may still arrive. */
export const endSubscriptionSignal = defineSignal<[{ readonly by: Caller }]>('endSubscription');
