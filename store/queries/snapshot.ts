import { sql } from 'kysely';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Snapshot, StoredSnapshot } from '../../contracts/approval/snapshot.js';
import { migrate } from '../../domain/approval/asking/snapshot.js';
import { toJsonText, toText } from '../column-values.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';
import { lockRuns } from './run-log.js';

/** Stores a snapshot under its hash; an existing one stays. Returns the instant at which it was saved (ISO-8601). */
export async function saveSnapshot(
  db: Store,
  { snapshot, hash }: StoredSnapshot,
  saved_at: string,
  space: string = DEFAULT_SPACE,
): Promise<string> {
  const { run_id, turn_index } = snapshot;
  const values = { space, hash, run_id: toText(run_id), turn_index, saved_at };
  await wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      await lockRuns(transaction);
      await transaction
        .insertInto('snapshots')
        .values({ ...values, snapshot: toJsonText(snapshot) })
        .onConflict((conflict) => conflict.columns(['space', 'hash']).doNothing())
        .execute();
      await sql`
        insert into runs (space, run_id, last_at)
        values (${space}, ${values.run_id}, ${saved_at})
        on conflict (space, run_id) do update set
          last_at = greatest(runs.last_at, excluded.last_at), kept = true`.execute(transaction);
    });
  const { saved_at: at } = await wholeStore(db)
    .selectFrom('snapshots')
    .select('saved_at')
    .where('space', '=', space)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return at;
}

/** Returns the newest snapshot of a run in the current form, or undefined. Throws if it cannot be upgraded. */
export async function latestSnapshot(
  db: Store,
  runId: string,
): Promise<StoredSnapshot | undefined> {
  const row = await db
    .selectFrom('snapshots')
    .select(['snapshot', 'hash'])
    .where('run_id', '=', toText(runId))
    .orderBy('turn_index', 'desc')
    .orderBy('saved_at', 'desc')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { snapshot: state, hash } = row;
  const migrated = migrate(state as unknown as JsonObject, state.schema_version);
  if (!migrated.ok) throw new TypeError(migrated.refusal.detail);
  return { snapshot: migrated.value as unknown as Snapshot, hash };
}
