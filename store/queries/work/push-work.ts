import { sql } from 'kysely';
import type { Caller } from '../../../contracts/people/caller.js';
import type { PushTarget, QuietHours } from '../../../contracts/people/noticing.js';
import type { NoticedQuestion } from '../../../domain/suspension/telling/notice.js';
import { toText } from '../../column-values.js';
import type { Store } from '../../schema.js';
import { forMeOf, inView, isDelegatedTo } from '../inbox.js';
import { isSnoozed, isSnoozedBy } from '../people/snooze.js';

/** Whether the session of a browser is over; an idle one is not. */
const isOver = (at: string) => sql<boolean>`(
  sessions.ended_at is not null or sessions.expires_at <= ${at}::timestamptz
)`;

/** Whether the person of a browser has snoozed the question to be pushed. */
const isPutOff = (at: string) => isSnoozedBy(sql<string>`caller ->> 'principal'`, at);

/**
 * Deletes the browsers of ended sessions and the pushes of ended questions, and makes questions due whose snooze has
 * ended.
 *
 * @param at - the present instant (ISO-8601)
 */
export async function sweepPushes(db: Store, at: string): Promise<void> {
  await sql`
    delete from push_subscriptions using sessions
    where sessions.id = session_id and ${isOver(at)}`.execute(db);
  await sql`
    delete from pushes where not exists (
      select from suspensions where id = suspension_id and state = 'pending'
    )`.execute(db);
  await sql`
    update push_subscriptions set send_at = ${at}::timestamptz
    where send_at is null and exists (
      select from pushes join suspensions on suspensions.id = suspension_id
      where pushes.session_id = push_subscriptions.session_id and due and not ${isPutOff(at)}
    )`.execute(db);
}

/** The most questions that one transaction processes, and the most that one push is about. */
const MOST_NEWS = 200;
const MOST_PUSHED = 1_000;

/**
 * Determines the recipients of the questions since the last call, and makes those due that a browser has not got yet.
 * Returns whether there may be more.
 */
export async function fanOutPushes(
  db: Store,
  separationOfDuties: boolean,
  at: string,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { rows: news } = await sql<{ suspension_id: string; space: string }>`
      delete from push_news where suspension_id in (
        select suspension_id from push_news order by at limit ${MOST_NEWS} for update skip locked
      ) returning suspension_id, space`.execute(transaction);
    if (news.length === 0) return false;
    const subscriptions = await transaction
      .selectFrom('push_subscriptions')
      .select(['session_id', 'space', 'caller'])
      .where(sql<boolean>`space = any(${[...new Set(news.map(({ space }) => space))]}::text[])`)
      .execute();
    for (const { session_id, space, caller } of subscriptions) {
      const ids = news.filter((one) => one.space === space).map((one) => one.suspension_id);
      const view = forMeOf(caller, separationOfDuties);
      if (view === undefined) continue;
      await sql`
        with found as (
          insert into pushes (session_id, suspension_id, mark, due)
          select ${session_id}, id, attempt * 2 + (
            coalesce(${isDelegatedTo(caller)}, false)
          )::integer, true
          from suspensions
          where space = ${space} and id = any(${ids}::text[]) and ${inView(view)}
          on conflict (session_id, suspension_id) do update set mark = excluded.mark, due = true
            where pushes.mark < excluded.mark
          returning 1
        )
        update push_subscriptions set send_at = coalesce(send_at, ${at}::timestamptz)
        where session_id = ${session_id} and exists (select from found)`.execute(transaction);
    }
    return news.length === MOST_NEWS;
  });
}

export interface DuePush extends PushTarget {
  readonly session_id: string;
  readonly caller: Caller;
  /** The host of its push service. */
  readonly channel: string;
  readonly tries: number;
  readonly quiet_hours: QuietHours | null;
  /** Whether its session was unused for so long that it shows no page any more. */
  readonly is_idle: boolean;
}

export interface DuePushRange {
  /** The present instant (ISO-8601). */
  readonly at: string;
  /** After how long a session without use shows no page any more, in seconds. */
  readonly idleSeconds: number;
  readonly limit: number;
  readonly except: readonly string[];
}

/** How lately, in seconds, an API process must have found the session valid. */
const TRUSTED_SECONDS = 300;

/** Returns the browsers of all spaces with pushes that are due now, the longest waiting first. */
export async function duePushes(db: Store, range: DuePushRange): Promise<readonly DuePush[]> {
  const { at, idleSeconds, limit, except } = range;
  const host = sql`split_part(endpoint, '/', 3)`;
  const { rows } = await sql<DuePush>`
    select session_id, caller, endpoint, p256dh, auth, public_key, shows_words, tries,
      ${host} as channel, hours as quiet_hours,
      seen_at <= ${at}::timestamptz - make_interval(secs => ${idleSeconds}) as is_idle
    from push_subscriptions
    join sessions on sessions.id = session_id
    left join quiet_hours on quiet_hours.space = push_subscriptions.space
      and quiet_hours.principal = caller ->> 'principal'
    where send_at <= ${at}::timestamptz and not ${isOver(at)}
      and noted_at > ${at}::timestamptz - make_interval(secs => ${TRUSTED_SECONDS})
      and ${host} <> all(${[...except]}::text[])
    order by send_at limit ${limit}`.execute(db);
  return rows;
}

export interface PushedQuestion extends NoticedQuestion {
  readonly expires_at: string | null;
  /** Identifies the attempt that the push is about. */
  readonly mark: number;
}

/**
 * Returns the questions to push to a browser, as they are now, without snoozed ones. Those that no longer wait for
 * its person are dropped.
 *
 * @param at - the present instant (ISO-8601)
 */
export async function questionsToPush(
  db: Store,
  { session_id, caller }: Pick<DuePush, 'session_id' | 'caller'>,
  separationOfDuties: boolean,
  at: string,
): Promise<readonly PushedQuestion[]> {
  const view = forMeOf(caller, separationOfDuties);
  const waits =
    view === undefined
      ? sql<boolean>`false`
      : sql<boolean>`space = ${toText(caller.space)} and asked_by is not null
          and not record ? 'erased_at' and ${inView(view)}`;
  await sql`
    update pushes set due = false where session_id = ${session_id} and due and not exists (
      select from suspensions where id = suspension_id and ${waits}
    )`.execute(db);
  const { rows } = await sql<PushedQuestion>`
    select id, question, asked_by, attempt, max_attempts, expires_at, mark
    from pushes join suspensions on suspensions.id = suspension_id
    where session_id = ${session_id} and due and ${waits}
      and not ${isSnoozed({ by: caller.principal, now: at })}
    order by suspended_at desc, id limit ${MOST_PUSHED}`.execute(db);
  return rows;
}

/**
 * Records that questions were pushed to a browser. Snoozed questions and later news stay due.
 *
 * @param next - when the rest may be sent (ISO-8601)
 */
export async function notePushed(
  db: Store,
  sessionId: string,
  told: readonly Pick<PushedQuestion, 'id' | 'mark'>[],
  next: string,
): Promise<void> {
  const [ids, marks] = [told.map(({ id }) => id), told.map(({ mark }) => mark)];
  await db.transaction().execute(async (transaction) => {
    await sql`
      update pushes set due = false
      from unnest(${ids}::text[], ${marks}::integer[]) as told (id, mark)
      where session_id = ${sessionId} and suspension_id = told.id and pushes.mark = told.mark`.execute(
      transaction,
    );
    await sql`
      update push_subscriptions set tries = 0, send_at = case when exists (
        select from pushes join suspensions on suspensions.id = suspension_id
        where session_id = ${sessionId} and due and not ${isPutOff(next)}
      ) then ${next}::timestamptz end
      where session_id = ${sessionId}`.execute(transaction);
  });
}

/** Records when to try again (ISO-8601): after a failure, or after quiet hours. */
export async function putPushOff(
  db: Store,
  sessionId: string,
  until: string,
  hasFailed: boolean,
): Promise<void> {
  await db
    .updateTable('push_subscriptions')
    .set((row) => ({ send_at: until, ...(hasFailed && { tries: row('tries', '+', 1) }) }))
    .where('session_id', '=', sessionId)
    .execute();
}
