import { sql } from 'kysely';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import type {
  Subscription,
  SubscriptionFilter,
} from '../../../contracts/subscription/subscription.js';
import { toJsonText, toText } from '../../column-values.js';
import { wholeStore } from '../../in-space.js';
import type { Store } from '../../schema.js';
import { findRecord, listRecords } from '../records.js';
import { isAny, type Page, type Part } from '../bounded.js';
import { journalWriter } from '../upsert.js';

export function findSubscription(db: Store, id: string): Promise<Subscription | undefined> {
  return findRecord(db, 'subscriptions', id);
}

export interface SubscriptionPage extends SubscriptionFilter, Page {}

/** Returns a page of subscriptions, newest first, including ended ones. */
export function listSubscriptions(
  db: Store,
  { intent_id, portfolio_id, created_by, ...page }: SubscriptionPage,
): Promise<Part<Subscription>> {
  const where = { intent_id, portfolio_id, created_by };
  return listRecords(db, 'subscriptions', { ...page, first: 'newest', where });
}

/** Counts the active subscriptions: of one principal in its space, and in all spaces together. */
export async function countSubscriptions(
  db: Store,
  principal: string,
  space: string = DEFAULT_SPACE,
): Promise<{ readonly own: number; readonly all: number }> {
  const { rows } = await sql<{ own: number; all: number }>`
    select
      count(*) filter (where created_by = ${toText(principal)} and space = ${space})::int as own,
      count(*)::int as "all"
    from subscriptions where active`.execute(wholeStore(db));
  return rows[0] ?? { own: 0, all: 0 };
}

export interface PlacedSubscription {
  readonly id: string;
  readonly space: string;
}

export async function activeSubscriptions(db: Store): Promise<readonly PlacedSubscription[]> {
  return db
    .selectFrom('subscriptions')
    .select(['id', 'space'])
    .where('active', '=', true)
    .execute();
}

/**
 * Returns the active subscriptions that may want an event between two positions, by intent, portfolio or space, and
 * type. An event of a run goes only to subscriptions for its whole space.
 */
export async function subscriptionsToWake(
  db: Store,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly PlacedSubscription[]> {
  const { rows } = await sql<PlacedSubscription>`
    with stretch as (
      select distinct space, intent_id, event_type from events
      where feed_position > ${String(after)}::bigint and feed_position <= ${String(upTo)}::bigint
      union all
      select distinct space, null, event_type from run_events
      where feed_position > ${String(after)}::bigint and feed_position <= ${String(upTo)}::bigint
    ), portfolios as (
      select intent_id as id from stretch
      union select portfolio_id from portfolio_intents
        where intent_id in (select intent_id from stretch)
      union select audience from feed_members
        where kind = 'portfolio' and intent_id in (select intent_id from stretch)
    )
    select id, space from subscriptions
    where active
      and (
        intent_id in (select intent_id from stretch)
        or portfolio_id in (select id from portfolios)
        or (intent_id is null and portfolio_id is null and exists (
          select from stretch where stretch.space = subscriptions.space
        ))
      )
      and (
        jsonb_array_length(record -> 'event_types') = 0
        or record -> 'event_types' ?| (select array_agg(event_type) from stretch)
      )`.execute(db);
  return rows;
}

/** Whether a subscription is over; false for one that is not stored. */
export function hasEnded(db: Store, id: string): Promise<boolean> {
  return isAny(db, sql`select from subscriptions where id = ${id} and not active`);
}

/**
 * Records that an event was withheld from a subscription, at most once a minute.
 *
 * @param at - ISO-8601
 */
export async function noteWithheld(
  db: Store,
  id: string,
  at: string,
  space: string = DEFAULT_SPACE,
): Promise<void> {
  await sql`
    update subscriptions set record = record || jsonb_build_object('withheld_at', ${at}::text)
    where id = ${id} and space = ${space} and (
      not record ? 'withheld_at'
      or (record ->> 'withheld_at')::timestamptz < ${at}::timestamptz - interval '1 minute'
    )`.execute(wholeStore(db));
}

/** A subscription that has ended stays ended. */
export const writeSubscriptions = journalWriter({
  kind: 'subscription',
  table: 'subscriptions',
  version: ['not active'],
  // Only the activity that delivers events knows what it withheld.
  merge: {
    record: sql`excluded.record || case when subscriptions.record ? 'withheld_at'
      then jsonb_build_object('withheld_at', subscriptions.record -> 'withheld_at')
      else '{}' end`,
  },
  columns: ({ subscription, creation_hash }) => ({
    id: subscription.id,
    intent_id: subscription.intent_id,
    portfolio_id: subscription.portfolio_id,
    created_by: toText(subscription.created_by),
    created_at: subscription.created_at,
    active: subscription.active,
    creation_hash: creation_hash ?? null,
    record: toJsonText(subscription),
  }),
});
