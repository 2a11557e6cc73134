import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** What of a record is left out of lists, because it may be large and readers of a list do not need it. */
const LEFT_OUT = {
  intents: ['state', 'constraints', 'governance_policy'],
  plans: ['checkpoints', 'conditions', 'members', 'metadata'],
  portfolios: ['metadata'],
  tasks: [
    'input',
    'inputs',
    'output',
    'outputs',
    'artifacts',
    'permissions',
    'memory_policy',
    'metadata',
  ],
} as const;

/**
 * Where an event comes from, as its client says; and how many bytes of JSON a row adds to a list. A list ends at
 * a number of bytes, which has to be known without reading the rows. Sizes and summaries are generated, so that
 * nothing that writes a row can forget them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table events
      add column trace_id text,
      add column parent_event_id text,
      add column bytes integer not null
        generated always as (octet_length(payload::text)) stored`.execute(db);
  for (const table of ['agents', 'coordinators', 'subscriptions', 'suspensions']) {
    await sql`
      alter table ${sql.table(table)}
        add column bytes integer not null
          generated always as (octet_length(record::text)) stored`.execute(db);
  }
  for (const [table, names] of Object.entries(LEFT_OUT)) {
    const summary = sql`record - ${sql.lit(`{${names.join(',')}}`)}::text[]`;
    await sql`
      alter table ${sql.table(table)}
        add column bytes integer not null
          generated always as (octet_length(record::text)) stored,
        add column summary jsonb not null generated always as (${summary}) stored,
        add column summary_bytes integer not null
          generated always as (octet_length((${summary})::text)) stored`.execute(db);
  }
}
