import { sql } from 'kysely';
import { lastTaken } from '../feed/end.js';
import { newestPosition } from '../feed/source.js';
import type { Store } from '../schema.js';

/** The open questions over one channel, each counted in one state. Pauses do not count. */
export interface OpenQuestions {
  /** A configured channel, or `other`. */
  readonly channel: string;
  /** Questions on their first attempt. */
  readonly waiting: number;
  /** Questions on a later attempt: people got a reminder, or others were asked. */
  readonly reminded: number;
  /** Questions whose next attempt or expiry should have been written over a minute ago. */
  readonly overdue: number;
  /** The age of the oldest of them, in seconds. */
  readonly oldest_seconds: number;
}

/** The configured channels; a question without a channel belongs to the default one. */
export interface KnownChannels {
  readonly names: readonly string[];
  readonly usual: string;
}

export interface StoreFigures {
  readonly questions: readonly OpenQuestions[];
  readonly refused_rows: number;
  /** The position in the feed of the newest event. */
  readonly newest_position: number;
}

/** Reads figures whose cost is bounded by what is open: none counts rows that only accumulate. Throws the driver's errors. */
export async function storeFigures(db: Store, channels: KnownChannels): Promise<StoreFigures> {
  return {
    questions: await openQuestions(db, channels),
    refused_rows: await refusedCount(db),
    newest_position: await newestPosition(db, await lastTaken(db)),
  };
}

async function openQuestions(
  db: Store,
  { names, usual }: KnownChannels,
): Promise<readonly OpenQuestions[]> {
  const { rows } = await sql<OpenQuestions>`
    select
      case
        when coalesce(channel_hint, ${usual}::text) = any(${[...names]}::text[])
          then coalesce(channel_hint, ${usual}::text)
        else 'other'
      end as channel,
      (count(*) filter (where not late and attempt <= 1))::integer as waiting,
      (count(*) filter (where not late and attempt > 1))::integer as reminded,
      (count(*) filter (where late))::integer as overdue,
      greatest(0, extract(epoch from now() - min(suspended_at)))::double precision
        as oldest_seconds
    from suspensions
    cross join lateral (
      select coalesce(least(next_attempt_at, expires_at) < now() - interval '1 minute', false) as late
    ) as due
    where state = 'pending' and suspended_at is not null and pause_reason is null
    group by 1 order by 1`.execute(db);
  return rows;
}

async function refusedCount(db: Store): Promise<number> {
  const { rows } = await sql<{ refused: number }>`
    select count(*)::integer as refused from journal_quarantine`.execute(db);
  return rows[0]?.refused ?? 0;
}
