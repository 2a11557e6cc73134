import { sql } from 'kysely';
import type { SentMessage } from '../../../contracts/channel/follow-up.js';
import type { EligibilityChange } from '../../../contracts/log/journal.js';
import type { SuspensionRecord, TimelineEntry } from '../../../contracts/suspension/suspension.js';
import type { Store } from '../../schema.js';

/** A message that is due for an update, with its question as it is now. */
export interface DueMessage extends SentMessage {
  readonly space: string;
  readonly intent_id: string | null;
  readonly settled: boolean;
  readonly question_version: number;
  readonly record: SuspensionRecord;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly next_attempt_at: string | null;
  readonly asked_by: string;
  readonly asked_as: string | null;
  readonly eligibility: EligibilityChange | null;
  readonly delegates: readonly string[] | null;
  readonly delegate_groups: Readonly<Record<string, readonly string[]>> | null;
  /** What people have edited, oldest first; empty until the question is settled. */
  readonly edits: readonly Pick<TimelineEntry, 'kind' | 'detail'>[];
  /** How often the update failed. */
  readonly tries: number;
  /** How often an update became due. */
  readonly news: number;
  /** Whether it is the person's newest message of this question over this channel. */
  readonly latest: boolean;
}

const QUESTION = sql`split_part(deliveries.delivery_id, ':', 1)`;

/**
 * Marks messages, in all spaces, whose question ended or changed unnoticed, because delivery and change were written
 * at the same moment.
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

interface DuePage {
  /** The present instant (ISO-8601). */
  readonly at: string;
  readonly limit: number;
  readonly except: readonly string[];
}

/** Returns the messages of all spaces that are due for an update, the longest waiting first. */
export async function dueFollowUps(
  db: Store,
  { at, limit, except }: DuePage,
): Promise<readonly DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    select deliveries.space, delivery_id, channel, reference, person, shows,
      follow_tries as tries, news, suspensions.intent_id, suspensions.state = 'settled' as settled,
      holdpoint_question_version(record) as question_version, record, attempt, max_attempts,
      next_attempt_at, suspensions.id as suspension_id, asked_by, asked_as, eligibility, delegates,
      delegate_groups,
      (
        select coalesce(json_agg(json_build_object('kind', kind, 'detail', detail) order by sequence), '[]')
        from suspension_timeline
        where suspension_timeline.suspension_id = suspensions.id
          and kind = 'proposal_edited' and suspensions.state = 'settled'
      ) as edits,
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

/** A message, and the state of news that an update was based on. */
type Placed = Pick<DueMessage, 'space' | 'delivery_id' | 'news'>;

/**
 * Records that a message was updated and shows this version; null if it needs no further update. It stays due if its
 * question has changed meanwhile.
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

/** Records that an update failed, and when to try again (ISO-8601). A change meanwhile keeps the message due at once. */
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
