import type { Coordinator } from '../../contracts/coordinator.js';
import { toJsonText } from '../column-values.js';
import type { Store } from '../schema.js';
import { journalWriter } from './upsert.js';

/** The coordinator as of its last change of status, or undefined. */
export async function findCoordinator(db: Store, id: string): Promise<Coordinator | undefined> {
  const row = await db
    .selectFrom('coordinators')
    .select('record')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.record;
}

/** A page of the coordinators of an intent, oldest first. */
export async function coordinatorsOf(
  db: Store,
  intentId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Coordinator[]> {
  const rows = await db
    .selectFrom('coordinators')
    .select('record')
    .where('intent_id', '=', intentId)
    .orderBy('granted_at')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ record }) => record);
}

export const writeCoordinators = journalWriter({
  kind: 'coordinator',
  table: 'coordinators',
  key: ['id'],
  version: ['version'],
  columns: ({ coordinator }) => ({
    id: coordinator.id,
    version: coordinator.version,
    intent_id: coordinator.intent_id,
    portfolio_id: coordinator.portfolio_id,
    granted_at: coordinator.granted_at,
    record: toJsonText(coordinator),
  }),
});
