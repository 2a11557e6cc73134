import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** By table: of which removed things a row is, as kind and the expression of its id. */
const OWNERS: Readonly<Record<string, readonly (readonly [kind: string, id: string])[]>> = {
  intents: [['intent', 'new.id']],
  events: [
    ['intent', 'new.intent_id'],
    ['portfolio', 'new.intent_id'],
  ],
  dependencies: [['intent', 'new.intent_id']],
  feed_members: [['intent', 'new.intent_id']],
  portfolios: [['portfolio', 'new.id']],
  portfolio_memberships: [
    ['portfolio', 'new.portfolio_id'],
    ['intent', 'new.intent_id'],
  ],
  suspensions: [
    ['suspension', 'new.id'],
    ['intent', 'new.intent_id'],
  ],
  suspension_timeline: [['suspension', 'new.suspension_id']],
  deliveries: [['suspension', `split_part(new.delivery_id, ':', 1)`]],
  delivery_tries: [['suspension', `split_part(new.delivery_id, ':', 1)`]],
  tasks: [['intent', 'new.intent_id']],
  plans: [['intent', 'new.intent_id']],
  coordinators: [
    ['intent', 'new.intent_id'],
    ['portfolio', 'new.portfolio_id'],
  ],
  subscriptions: [['subscription', 'new.id']],
  journal_quarantine: [
    ['intent', 'new.intent_id'],
    ['portfolio', 'new.intent_id'],
    ['suspension', 'new.suspension_id'],
  ],
  erasures: [['new.kind', 'new.id']],
};

/**
 * What retention removes, and triggers that keep it removed: a row about it that comes late is not written
 * (docs/adr/0042). Without `removed_at` it is only meant to be removed, and all of it is still there. `swept` says that
 * no row of it is left.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('retention_tombstones')
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('id', 'text', (col) => col.notNull())
    .addColumn('last_sequence', 'integer')
    .addColumn('head_hash', 'text')
    .addColumn('reason', 'text', (col) => col.notNull())
    .addColumn('marked_at', 'timestamptz', (col) => col.notNull())
    .addColumn('removed_at', 'timestamptz')
    .addColumn('swept', 'boolean', (col) => col.notNull().defaultTo(false))
    .addPrimaryKeyConstraint('retention_tombstones_pkey', ['kind', 'id'])
    .execute();
  await sql`
    create index retention_tombstones_at_work on retention_tombstones (kind, removed_at, id)
      where not swept`.execute(db);
  for (const [table, owners] of Object.entries(OWNERS)) await keepAway(db, table, owners);
  await indexes(db);
}

async function keepAway(
  db: Kysely<unknown>,
  table: string,
  owners: readonly (readonly [kind: string, id: string])[],
): Promise<void> {
  const pairs = owners.map(([kind, id]) => {
    const kindOf = kind.startsWith('new.') ? kind : `'${kind}'`;
    return `(${kindOf}, ${id})`;
  });
  const name = sql.ref(`holdpoint_removed_${table}`);
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if exists (
        select from retention_tombstones
        where removed_at is not null and (kind, id) in (${sql.raw(pairs.join(', '))})
      ) then
        return null;
      end if;
      return new;
    end $$`.execute(db);
  // Its name comes before that of the trigger `forget`: what is not written need not be erased.
  await sql`
    create trigger drop_removed before insert on ${sql.table(table)}
      for each row execute function ${name}()`.execute(db);
}

/** What retention looks for: what has ended, oldest first, and what still refers to it. */
async function indexes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index intents_closed on intents (updated_at)
      where status in ('completed', 'abandoned')`.execute(db);
  await sql`
    create index suspensions_settled_alone on suspensions (settled_at)
      where intent_id is null and state = 'settled'`.execute(db);
  await sql`
    create index delivery_tries_by_suspension on delivery_tries (split_part(delivery_id, ':', 1))`.execute(
    db,
  );
  await sql`
    create index tasks_waiting on tasks using gin ((record -> 'depends_on'))
      where status not in ('completed', 'failed', 'cancelled', 'skipped')`.execute(db);
  await sql`
    create index coordinators_by_portfolio on coordinators (portfolio_id)`.execute(db);
  await sql`
    create index coordinators_by_own_intent on coordinators ((record ->> 'own_intent_id'))`.execute(
    db,
  );
}
