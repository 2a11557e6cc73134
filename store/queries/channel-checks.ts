import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { CHECK_COUNTS_MINUTES } from '../../contracts/channel-report.js';
import type { ChannelCheck } from '../../contracts/channel-report.js';
import { toText } from '../column-values.js';
import type { ChannelChecksTable } from '../delivery-tables.js';
import type { Store } from '../schema.js';

/** What the service of a channel has just said to a worker. */
export type NewCheck = Pick<
  Selectable<ChannelChecksTable>,
  'channel' | 'worker' | 'outcome' | 'reason'
>;

/**
 * Keeps what a service has just said, in place of what it said to this worker before, and forgets what is a day old. The
 * clock is that of the database, for those of workers and API may differ.
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

/** Forgets what services said to a worker that stops: whatever is wrong with its credentials harms nobody from now on. */
export async function forgetChecks(db: Store, worker: string): Promise<void> {
  await db.deleteFrom('channel_checks').where('worker', '=', worker).execute();
}

const COUNTS = sql<boolean>`at > now() - make_interval(mins => ${CHECK_COUNTS_MINUTES})`;

/**
 * What counts of each channel of which an answer is kept: if the newest answer to any worker, within the minutes that count, is a
 * failure, the newest of those; else the newest answer.
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
      const said = check.outcome === null ? 'ok' : 'failed';
      return [channel, { state: counts ? said : 'unknown', ...check }];
    }),
  );
}
