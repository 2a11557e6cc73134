import type { Coordinator } from '../../contracts/coordinator/coordinator.js';
import { toJsonText } from '../column-values.js';
import type { Store } from '../schema.js';
import { findRecord, listRecords } from './records.js';
import type { Page, Part } from './bounded.js';
import { journalWriter } from './upsert.js';

/** Returns the coordinator as of its last change of status, or undefined. */
export function findCoordinator(db: Store, id: string): Promise<Coordinator | undefined> {
  return findRecord(db, 'coordinators', id);
}

export function coordinatorsOf(
  db: Store,
  intent_id: string,
  page: Page,
): Promise<Part<Coordinator>> {
  return listRecords(db, 'coordinators', { ...page, first: 'oldest', where: { intent_id } });
}

export const writeCoordinators = journalWriter({
  kind: 'coordinator',
  table: 'coordinators',
  version: ['version'],
  columns: ({ coordinator, creation_hash }) => ({
    id: coordinator.id,
    version: coordinator.version,
    intent_id: coordinator.intent_id,
    portfolio_id: coordinator.portfolio_id,
    granted_at: coordinator.granted_at,
    creation_hash: creation_hash ?? null,
    record: toJsonText(coordinator),
  }),
});
