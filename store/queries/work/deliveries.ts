import { sql, type RawBuilder, type Selectable } from 'kysely';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import type { DeliveryTry } from '../../../contracts/channel/notification.js';
import type { Store } from '../../schema.js';
import { toText, toTextOrNull } from '../../column-values.js';
import {
  CHECK_COUNTS_MINUTES,
  type ChannelCheck,
  type ChannelReport,
} from '../../../contracts/channel/follow-up.js';
import type { ChannelChecksTable } from '../../tables.js';

export interface Delivery {
  readonly delivery_id: string;
  readonly channel: string;
  /** The channel's own id of the message, if it has one. */
  readonly reference: string | null;
  readonly delivered_at: string;
}

export interface Followed {
  readonly person: string | null;
  readonly shows: number;
}

export async function deliveryOf(db: Store, deliveryId: string): Promise<Delivery | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['delivery_id', 'channel', 'reference', 'delivered_at'])
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst();
}

/** Selects the messages of a question over a channel, to a person or to all. */
interface OfQuestion extends Pick<Followed, 'person'> {
  readonly space: string;
  readonly suspension_id: string;
  readonly channel: string;
}

/** Returns the channel's own id of the first such message, or undefined. */
export async function firstReferenceOf(
  db: Store,
  { space, suspension_id, channel, person }: OfQuestion,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('deliveries')
    .select('reference')
    .where('space', '=', space)
    .where(sql`split_part(delivery_id, ':', 1)`, '=', suspension_id)
    .where('channel', '=', toText(channel))
    .where('person', person === null ? 'is' : '=', toTextOrNull(person))
    .where('reference', 'is not', null)
    .orderBy('delivered_at')
    .orderBy('delivery_id')
    .limit(1)
    .executeTakeFirst();
  return found?.reference ?? undefined;
}

/** Records a delivery; an earlier record of the same id stays. A `followed` message is updated later. */
export async function recordDelivery(
  db: Store,
  delivery: Delivery,
  space: string = DEFAULT_SPACE,
  followed?: Followed,
): Promise<void> {
  await db
    .insertInto('deliveries')
    .values({
      space,
      delivery_id: delivery.delivery_id,
      channel: toText(delivery.channel),
      reference: toTextOrNull(delivery.reference),
      delivered_at: delivery.delivered_at,
      person: toTextOrNull(followed?.person),
      shows: followed?.shows ?? null,
    })
    .onConflict((conflict) => conflict.columns(['space', 'delivery_id']).doNothing())
    .execute();
}

/** Records a try of a delivery; an earlier record of the same try stays. */
export async function recordTry(
  db: Store,
  tried: DeliveryTry,
  space: string = DEFAULT_SPACE,
): Promise<void> {
  await db
    .insertInto('delivery_tries')
    .values({ ...tried, space, channel: toText(tried.channel) })
    .onConflict((conflict) =>
      conflict.columns(['space', 'delivery_id', 'at', 'try_number']).doNothing(),
    )
    .execute();
}

/** The newest delivery over a channel, and the newest try that failed because of the channel; null without one. */
type NewestTries = Pick<ChannelReport, 'last_delivered' | 'last_failed'>;

const DELIVERED = sql<boolean>`outcome = 'delivered'`;

/**
 * Tries that failed because of the channel: not those that were called off, because the question was answered or the worker
 * stopped, nor those that were never made. The database uses its index only for the exact words of this condition.
 */
const FAILED = sql<boolean>`outcome not in ('delivered', 'called_off', 'channel_not_configured',
  'recipient_not_allowed', 'recipient_unknown')`;

export async function newestTries(db: Store, channel: string): Promise<NewestTries> {
  const newest = (which: RawBuilder<boolean>) =>
    db
      .selectFrom('delivery_tries')
      .select(['at', 'status_code', 'outcome'])
      .where('channel', '=', toText(channel))
      .where(which)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
  const [delivered, failed] = [await newest(DELIVERED), await newest(FAILED)];
  return {
    last_delivered: delivered ? { at: delivered.at, status_code: delivered.status_code } : null,
    last_failed: failed ?? null,
  };
}

export type NewCheck = Pick<
  Selectable<ChannelChecksTable>,
  'channel' | 'worker' | 'outcome' | 'reason'
>;

/**
 * Stores the result of a check in place of this worker's last one, and deletes day-old results. It uses the
 * database's clock, because the clocks of workers and API may differ.
 */
export async function recordCheck(
  db: Store,
  { channel, worker, outcome, reason }: NewCheck,
): Promise<void> {
  await sql`delete from channel_checks where at < now() - interval '1 day'`.execute(db);
  await sql`
    insert into channel_checks (channel, worker, at, outcome, reason)
    values (${toText(channel)}, ${worker}, now(), ${outcome}, ${reason})
    on conflict (channel, worker) do update
      set at = excluded.at, outcome = excluded.outcome, reason = excluded.reason`.execute(db);
}

/** Deletes the results of a worker that stops: its credentials no longer matter. */
export async function forgetChecks(db: Store, worker: string): Promise<void> {
  await db.deleteFrom('channel_checks').where('worker', '=', worker).execute();
}

const COUNTS = sql<boolean>`at > now() - make_interval(mins => ${CHECK_COUNTS_MINUTES})`;

/**
 * Returns the check that counts for each channel: the newest failure of any worker within some minutes, else the
 * newest result.
 */
export async function channelChecks(db: Store): Promise<ReadonlyMap<string, ChannelCheck>> {
  const rows = await db
    .selectFrom('channel_checks')
    .distinctOn('channel')
    .select(['channel', 'at', 'outcome', 'reason', COUNTS.as('counts')])
    .orderBy('channel')
    .orderBy(sql`${COUNTS} and outcome is not null`, 'desc')
    .orderBy('at', 'desc')
    .execute();
  return new Map(
    rows.map(({ channel, counts, ...check }) => {
      const known = check.outcome === null ? 'ok' : 'failed';
      return [channel, { state: counts ? known : 'unknown', ...check }];
    }),
  );
}
