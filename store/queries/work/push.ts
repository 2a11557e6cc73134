import { sql } from 'kysely';
import type { Caller } from '../../../contracts/people/caller.js';
import type { PushTarget } from '../../../contracts/people/noticing.js';
import { toJsonText, toText } from '../../column-values.js';
import { wholeStore } from '../../in-space.js';
import type { Store } from '../../schema.js';
import type { StoredSession } from '../people/session.js';

/** A browser that gets pushes about questions, and its owner. */
export interface PushSubscription extends PushTarget {
  readonly session_id: string;
  readonly caller: Caller;
}

/** The mark of a question without any push to the browser. */
const UNTOLD = 0;

/**
 * Stores the browser of a session, in place of an earlier one. An address belongs to the session that named it last,
 * because another person may use the browser now. Returns whether the session goes on.
 */
export async function putPushSubscription(
  db: Store,
  { session_id, caller, endpoint, ...keys }: PushSubscription,
  at: string,
): Promise<boolean> {
  return wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      const { rows } = await sql`
        select from sessions where id = ${session_id} and ended_at is null
        for no key update`.execute(transaction);
      if (rows.length === 0) return false;
      const { space, principal } = caller;
      await transaction
        .deleteFrom('push_subscriptions')
        .where((eb) => eb.or([eb('endpoint', '=', endpoint), eb('session_id', '=', session_id)]))
        .execute();
      await transaction
        .insertInto('push_subscriptions')
        .values({
          session_id,
          space: toText(space),
          caller: toJsonText(caller),
          endpoint,
          ...keys,
          noted_at: at,
        })
        .execute();
      // Snoozed questions come back by a push.
      await sql`
        insert into pushes (session_id, suspension_id, mark, due)
        select ${session_id}, suspension_id, ${UNTOLD}::integer, true from snoozes
        where space = ${toText(space)} and principal = ${toText(principal)}
          and ends_at > ${at}::timestamptz`.execute(transaction);
      return true;
    });
}

export async function isSubscribedToPush(db: Store, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('push_subscriptions')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Deletes the browser of a session, with its pending pushes. */
export async function endPushSubscription(db: Store, sessionId: string): Promise<void> {
  await wholeStore(db)
    .deleteFrom('push_subscriptions')
    .where('session_id', '=', sessionId)
    .execute();
}

/** Returns the sessions whose browsers get pushes. */
export async function sessionsWithPush(db: Store): Promise<readonly StoredSession[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('push_subscriptions', 'push_subscriptions.session_id', 'sessions.id')
    .select(['sessions.id', 'sessions.space', 'principal', 'proof', 'seen_at', 'expires_at'])
    .where('ended_at', 'is', null)
    .execute();
}

/** The owner of a session is recorded again after so many seconds, or if it has changed. */
const NOTED_AGAIN_SECONDS = 60;

export async function notePushCallers(
  db: Store,
  noted: readonly (readonly [sessionId: string, caller: Caller])[],
  at: string,
): Promise<void> {
  const [ids, callers] = [noted.map(([id]) => id), noted.map(([, one]) => toJsonText(one))];
  await sql`
    update push_subscriptions set caller = now.caller, noted_at = ${at}::timestamptz
    from unnest(${ids}::text[], ${callers}::jsonb[]) as now (id, caller)
    where session_id = now.id and (
      push_subscriptions.caller <> now.caller
      or noted_at <= ${at}::timestamptz - make_interval(secs => ${NOTED_AGAIN_SECONDS})
    )`.execute(db);
}
