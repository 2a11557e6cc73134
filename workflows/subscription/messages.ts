import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Subscription } from '../../contracts/subscription.js';

/** What starts a subscription. */
export interface SubscriptionInput {
  readonly subscription: Subscription;
  /** Whether its receiver sees the ids of all suspensions, as its creator did. */
  readonly sees_all: boolean;
  /** The place in the feed after which it begins. */
  readonly after: number;
  /** Only tests set it. */
  readonly history_limit?: number;
}

/** The subscription as it is now. */
export const subscriptionQuery = defineQuery<Subscription>('subscription');

/** Ends a subscription; what is being delivered just then may still arrive. */
export const endSubscriptionSignal = defineSignal('endSubscription');
