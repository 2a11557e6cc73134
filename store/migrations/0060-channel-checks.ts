import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** What the services of channels said when workers last asked them, one row for each channel and worker. Of no space. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table channel_checks (
      channel text not null,
      worker text not null,
      at timestamptz not null,
      outcome text,
      reason text,
      primary key (channel, worker)
    )`.execute(db);
}
