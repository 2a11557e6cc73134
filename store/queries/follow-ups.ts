import { sql } from 'kysely';
import type { SentMessage } from '../../contracts/follow-up.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import type { Store } from '../schema.js';

/** A message that has something to be told, with its question as it stands. */
export interface DueMessage extends SentMessage {
  readonly space: string;
  readonly intent_id: string | null;
  readonly settled: boolean;
  readonly question_version: number;
  readonly record: SuspensionRecord;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly next_attempt_at: string | null;
  /** How often it could not be told. */
  readonly tries: number;
  /** How often there was something to tell. */
  readonly news: number;
  /** Whether its person has no newer message of this question over this channel. */
  readonly latest: boolean;
}

const QUESTION = sql`split_part(deliveries.delivery_id, ':', 1)`;

/**
 * Marks the messages of questions that have ended or changed without that being noted: both were written at the same
 * moment, in two transactions. Over all spaces.
 */
export async function sweepFollowUps(db: Store): Promise<void> {
  await sql`
    update deliveries set due = true
    from suspensions
    where shows is not null and not due
      and suspensions.id = ${QUESTION} and suspensions.space = deliveries.space
      and (suspensions.state = 'settled'
        or holdpoint_question_version(suspensions.record) <> shows)`.execute(db);
}

/**
 * The messages of all spaces that have something to be told at an instant (ISO-8601), those that wait longest first, except
 * for those of some channels.
 */
export async function dueFollowUps(
  db: Store,
  {
    at,
    limit,
    except,
  }: { readonly at: string; readonly limit: number; readonly except: readonly string[] },
): Promise<readonly DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    select deliveries.space, delivery_id, channel, reference, person, shows,
      follow_tries as tries, news, suspensions.intent_id, suspensions.state = 'settled' as settled,
      holdpoint_question_version(record) as question_version, record, attempt, max_attempts,
      next_attempt_at, suspensions.id as suspension_id,
      not exists (
        select from deliveries newer
        where split_part(newer.delivery_id, ':', 1) = ${QUESTION}
          and newer.space = deliveries.space and newer.channel = deliveries.channel
          and newer.person is not distinct from deliveries.person
          and (newer.delivered_at, newer.delivery_id) > (deliveries.delivered_at, deliveries.delivery_id)
          and newer.reference is not null
      ) as latest
    from deliveries
    join suspensions on suspensions.id = ${QUESTION} and suspensions.space = deliveries.space
    where due and (follow_at is null or follow_at <= ${at})
      and channel <> all(${[...except]}::text[])
    order by follow_at nulls first
    limit ${limit}`.execute(db);
  return rows;
}

/** Which message is meant, and what it was told of. */
type Placed = Pick<DueMessage, 'space' | 'delivery_id' | 'news'>;

/**
 * Notes that a message was told, and shows this version now; null if nothing more is to be told. It stays due if its
 * question has ended or changed meanwhile.
 */
export async function noteFollowed(
  db: Store,
  { space, delivery_id, news }: Placed,
  shows: number | null,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      due: shows === null ? false : sql<boolean>`news <> ${news}`,
      shows,
      follow_tries: 0,
      follow_at: null,
    })
    .where('space', '=', space)
    .where('delivery_id', '=', delivery_id)
    .execute();
}

/** Notes that a message could not be told, and when to try again (ISO-8601); what has happened meanwhile is told at once. */
export async function notePutOff(
  db: Store,
  { space, delivery_id, news }: Placed,
  until: string,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set((row) => ({ follow_tries: row('follow_tries', '+', 1), follow_at: until }))
    .where('space', '=', space)
    .where('delivery_id', '=', delivery_id)
    .where('news', '=', news)
    .execute();
}
