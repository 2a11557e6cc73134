import { sql } from 'kysely';
import type { RunSetAside } from '../../contracts/set-aside.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';

/** A run by its names. */
export type RunNames = Pick<RunSetAside, 'workflow_id' | 'run_id'>;

/** A run that is noted, and since when. */
export type NotedRun = Omit<RunSetAside, 'tries'>;

/** Notes a run that a worker has set aside; one that is noted stays as it is. The clock is that of the database. */
export async function noteSetAside(db: Store, { workflow_id, run_id }: RunNames): Promise<void> {
  await sql`
    insert into runs_set_aside (run_id, workflow_id, since) values (${run_id}, ${workflow_id}, now())
    on conflict (run_id) do nothing`.execute(db);
}

/** The runs that are noted, at most so many, the newest first. */
export async function notedSetAside(db: Store, limit: number): Promise<readonly NotedRun[]> {
  return db
    .selectFrom('runs_set_aside')
    .select(['workflow_id', 'run_id', 'since'])
    .orderBy('since', 'desc')
    .orderBy('run_id')
    .limit(limit)
    .execute();
}

/** Forgets runs that go on, or have ended. */
export async function forgetSetAside(db: Store, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await wholeStore(db).deleteFrom('runs_set_aside').where('run_id', 'in', runIds).execute();
}
