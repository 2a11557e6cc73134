import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { CHECK_COUNTS_MINUTES } from '../../contracts/channel/report.js';
import type { ChannelCheck } from '../../contracts/channel/report.js';
import { toText } from '../column-values.js';
import type { ChannelChecksTable } from '../delivery-tables.js';
import type { Store } from '../schema.js';

/** The result of a worker's check of a channel's service. */
export type NewCheck = Pick<
  Selectable<ChannelChecksTable>,
  'channel' | 'worker' | 'outcome' | 'reason'
>;

/**
 * Stores the result of a check in place of this worker's last one, and deletes results that are a day old. It uses the
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
 * Returns the check that counts for each channel: the newest failure of any worker within the minutes that count, else the
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
