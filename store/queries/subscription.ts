import type { Subscription, SubscriptionFilter } from '../../contracts/subscription.js';
import { toJsonText, toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { journalWriter } from './upsert.js';

/** The subscription, or undefined. */
export async function findSubscription(db: Store, id: string): Promise<Subscription | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select('record')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.record;
}

export interface SubscriptionPage extends SubscriptionFilter {
  readonly limit: number;
  readonly offset: number;
}

/** A page of subscriptions, newest first, ended ones included. */
export async function listSubscriptions(
  db: Store,
  { intent_id, portfolio_id, created_by, limit, offset }: SubscriptionPage,
): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('record')
    .$if(intent_id !== undefined, (query) => query.where('intent_id', '=', intent_id ?? ''))
    .$if(portfolio_id !== undefined, (query) =>
      query.where('portfolio_id', '=', portfolio_id ?? ''),
    )
    .$if(created_by !== undefined, (query) =>
      query.where('created_by', '=', toText(created_by ?? '')),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ record }) => record);
}

/** A subscription that has ended stays ended. */
export const writeSubscriptions = journalWriter({
  kind: 'subscription',
  table: 'subscriptions',
  key: ['id'],
  version: ['not active'],
  columns: ({ subscription }) => ({
    id: subscription.id,
    intent_id: subscription.intent_id,
    portfolio_id: subscription.portfolio_id,
    created_by: toText(subscription.created_by),
    created_at: subscription.created_at,
    active: subscription.active,
    record: toJsonText(subscription),
  }),
});
