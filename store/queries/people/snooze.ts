import { sql, type RawBuilder } from 'kysely';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Snooze } from '../../../contracts/suspension/personal.js';
import type { JudgedSnooze } from '../../../domain/suspension/people/snooze.js';
import { toText } from '../../column-values.js';
import { wholeStore } from '../../in-space.js';
import type { Store } from '../../schema.js';

/** The person whose snoozes count, and when. */
export interface Snoozing {
  readonly by: string;
  readonly now: string;
}

/**
 * Whether a person has snoozed the question of a row. The person's few snoozes are read once for all rows: a read for
 * each row would dominate the cost of a count.
 */
export function isSnoozed({ by, now }: Snoozing): RawBuilder<boolean> {
  return sql<boolean>`suspensions.id in (
    select snoozes.suspension_id from snoozes
      join suspensions on suspensions.id = snoozes.suspension_id
      where snoozes.principal = ${toText(by)} and ${stillHides(now)})`;
}

/** Returns the same for the person in an expression. */
export function isSnoozedBy(principal: RawBuilder<string>, now: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from snoozes where snoozes.suspension_id = suspensions.id
      and snoozes.principal = ${principal} and ${stillHides(now)})`;
}

/**
 * Whether a snooze still hides its open question: its end has not come and is before the question expires, and the
 * question, and for `next_reminder` also its attempt, has not changed.
 */
function stillHides(now: string): RawBuilder<boolean> {
  return sql<boolean>`suspensions.state = 'pending' and snoozes.ends_at > ${now}::timestamptz
    and (suspensions.expires_at is null or suspensions.expires_at > snoozes.ends_at)
    and (snoozes.attempt is null or snoozes.attempt = suspensions.attempt)
    and snoozes.question_version = coalesce(
      (suspensions.record #>> '{approval,proposal,version}')::integer,
      (suspensions.record ->> 'question_version')::integer, 1)`;
}

/** Returns the snoozes of a person that still hide a question; those that end first come first. */
export async function listSnoozes(db: Store, { by, now }: Snoozing): Promise<readonly Snooze[]> {
  const rows = await db
    .selectFrom('snoozes')
    .innerJoin('suspensions', 'suspensions.id', 'snoozes.suspension_id')
    .select(['suspension_id', 'ends_at', 'snoozes.attempt', 'snoozed_at'])
    .where('principal', '=', toText(by))
    .where(stillHides(now))
    .orderBy('ends_at')
    .orderBy('suspension_id')
    .execute();
  return rows.map(({ suspension_id, ends_at, attempt, snoozed_at }) => ({
    suspension_id,
    until: ends_at,
    until_reminder: attempt !== null,
    snoozed_at,
  }));
}

/**
 * Stores a person's snooze in place of an earlier one of the same question, and deletes those that are over. Returns
 * false, and stores nothing, if the person already has as many others as the limit.
 */
export async function putSnooze(
  db: Store,
  { space, by, now }: Snoozing & { readonly space: string },
  { suspension_id, until, snoozed_at, attempt, question_version }: JudgedSnooze,
): Promise<boolean> {
  const principal = toText(by);
  const own = sql<boolean>`space = ${space} and principal = ${principal}`;
  return wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      await transaction
        .deleteFrom('snoozes')
        .where(own)
        .where(
          sql<boolean>`(ends_at <= ${now}::timestamptz or exists (select from suspensions
            where suspensions.id = snoozes.suspension_id and state = 'settled'))`,
        )
        .execute();
      const { count } = await transaction
        .selectFrom('snoozes')
        .select(sql<number>`count(*)::integer`.as('count'))
        .where(own)
        .where('suspension_id', '<>', suspension_id)
        .executeTakeFirstOrThrow();
      if (count >= LIMITS.snoozes) return false;
      const values = { ends_at: until, attempt, question_version, snoozed_at };
      await transaction
        .insertInto('snoozes')
        .values({ space, principal, suspension_id, ...values })
        .onConflict((conflict) =>
          conflict.columns(['space', 'principal', 'suspension_id']).doUpdateSet(values),
        )
        .execute();
      // The question is pushed to the person's browsers once more, when the snooze ends.
      await sql`
        insert into pushes (session_id, suspension_id, mark, due)
        select session_id, ${suspension_id}, 0, true from push_subscriptions
        where space = ${space} and caller ->> 'principal' = ${principal}
        on conflict (session_id, suspension_id) do update set due = true`.execute(transaction);
      return true;
    });
}

/** Deletes a person's snooze of a question, if any. The person knows the question then, so no push is sent. */
export async function deleteSnooze(
  db: Store,
  { space, by }: Pick<Snoozing, 'by'> & { readonly space: string },
  suspension_id: string,
): Promise<void> {
  const principal = toText(by);
  const { numDeletedRows } = await wholeStore(db)
    .deleteFrom('snoozes')
    .where('space', '=', space)
    .where('principal', '=', principal)
    .where('suspension_id', '=', suspension_id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return;
  await sql`
    update pushes set due = false from push_subscriptions as browsers
    where suspension_id = ${suspension_id} and pushes.session_id = browsers.session_id
      and browsers.space = ${space} and caller ->> 'principal' = ${principal}`.execute(
    wholeStore(db),
  );
}
