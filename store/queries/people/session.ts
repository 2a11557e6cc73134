import { sql } from 'kysely';
import type { SessionProof } from '../../../contracts/people/session.js';
import { lockAlone } from '../../advisory-locks.js';
import { toJsonText, toText } from '../../column-values.js';
import type { Store } from '../../schema.js';

/** A session that was not ended. */
export interface StoredSession {
  readonly id: string;
  readonly space: string;
  readonly principal: string;
  readonly proof: SessionProof;
  readonly seen_at: string;
  readonly expires_at: string;
}

/** The most sessions of one principal; more than a person has browsers. */
const MOST_SESSIONS = 20;

/**
 * Stores a new session in one transaction, and deletes the one it replaces, all that are over, and the least recently
 * used ones of its principal above `MOST_SESSIONS`.
 * @param replaced - the id of the session that the browser had
 */
export async function addSession(
  db: Store,
  session: StoredSession,
  replaced?: string,
): Promise<void> {
  const { id, space, principal, proof, seen_at, expires_at } = session;
  const isOver = sql<boolean>`expires_at < ${seen_at}::timestamptz or ended_at is not null`;
  await db.transaction().execute(async (transaction) => {
    await lockAlone(transaction, 'sessions');
    await transaction.deleteFrom('sessions').where(isOver).execute();
    if (replaced !== undefined) {
      await transaction.deleteFrom('sessions').where('id', '=', replaced).execute();
    }
    await endOldest(transaction, { space, principal });
    await transaction
      .insertInto('sessions')
      .values({
        id,
        space: toText(space),
        principal: toText(principal),
        proof: toJsonText(proof),
        started_at: seen_at,
        seen_at,
        expires_at,
      })
      .execute();
  });
}

async function endOldest(
  db: Store,
  { space, principal }: Pick<StoredSession, 'space' | 'principal'>,
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('space', '=', toText(space))
        .where('principal', '=', toText(principal))
        .orderBy('seen_at', 'desc')
        .orderBy('id')
        .offset(MOST_SESSIONS - 1),
    )
    .execute();
}

/** Returns the sessions that were not ended. The caller checks whether they have expired. */
export async function findSessions(
  db: Store,
  ids: readonly string[],
): Promise<readonly StoredSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'space', 'principal', 'proof', 'seen_at', 'expires_at'])
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .where('ended_at', 'is', null)
    .execute();
}

export async function noteSessionSeen(db: Store, id: string, at: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ seen_at: at })
    .where('id', '=', id)
    .where('seen_at', '<', at)
    .execute();
}

export async function endSession(db: Store, id: string, at: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

interface SignInLink {
  readonly id: string;
  readonly key_digest: string;
  readonly expires_at: string;
}

/** Stores a new link, and deletes those that expired a day ago. */
export async function addSignInLink(db: Store, link: SignInLink, now: string): Promise<void> {
  await sql`delete from sign_in_links where expires_at < ${now}::timestamptz - interval '1 day'`.execute(
    db,
  );
  await db.insertInto('sign_in_links').values(link).execute();
}

type LinkUse =
  | { readonly is: 'taken'; readonly key_digest: string }
  | { readonly is: 'used' | 'expired'; readonly at: string }
  | { readonly is: 'unknown' };

/** Uses a link, if it is unused and has not expired. Of two simultaneous uses one succeeds. */
export async function takeSignInLink(db: Store, id: string, now: string): Promise<LinkUse> {
  const taken = await db
    .updateTable('sign_in_links')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('key_digest')
    .executeTakeFirst();
  if (taken !== undefined) return { is: 'taken', key_digest: taken.key_digest };
  const found = await db
    .selectFrom('sign_in_links')
    .select(['used_at', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) return { is: 'unknown' };
  const { used_at, expires_at } = found;
  return used_at === null ? { is: 'expired', at: expires_at } : { is: 'used', at: used_at };
}
