import { sql } from 'kysely';
import type { RunSetAside } from '../../contracts/log/set-aside.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';

/** The names of a run. */
export type RunNames = Pick<RunSetAside, 'workflow_id' | 'run_id'>;

/** A recorded run, and when it was recorded. */
export type NotedRun = Omit<RunSetAside, 'tries'>;

/** Records a run that a worker has set aside, by the database's clock. An earlier record stays. */
export async function noteSetAside(db: Store, { workflow_id, run_id }: RunNames): Promise<void> {
  await sql`
    insert into runs_set_aside (run_id, workflow_id, since) values (${run_id}, ${workflow_id}, now())
    on conflict (run_id) do nothing`.execute(db);
}

/** Returns the recorded runs, newest first. */
export async function notedSetAside(db: Store, limit: number): Promise<readonly NotedRun[]> {
  return db
    .selectFrom('runs_set_aside')
    .select(['workflow_id', 'run_id', 'since'])
    .orderBy('since', 'desc')
    .orderBy('run_id')
    .limit(limit)
    .execute();
}

/** Deletes the records of runs that continue or have ended. */
export async function forgetSetAside(db: Store, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await wholeStore(db).deleteFrom('runs_set_aside').where('run_id', 'in', runIds).execute();
}
