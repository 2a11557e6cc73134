import { toInstant } from '../domain/kernel/time.js';
import type { LostEntities, PlacedEntity } from './ports/reconciliation.js';
import type { Failed, Finding } from './types.js';

/**
 * Ends in the store what lost its workflow: it was terminated, or failed. Otherwise it would be active for ever, and whoever waits
 * for it would wait as long. Returns the finding; undefined if it needs no repair.
 */
export async function lostFinding(
  { entities, now }: { readonly entities: LostEntities; readonly now: () => Date },
  placed: PlacedEntity,
  cancelMissing: boolean,
): Promise<Finding | undefined> {
  const end = await entities.endOf(placed);
  if (end === undefined) return undefined;
  if (end === 'missing' && !cancelMissing) return 'missing';
  return (await entities.end(placed, toInstant(now().getTime()))) ? 'lost' : undefined;
}

/** Whether a failed thing is one of those. */
export function isEntity(failed: Failed): failed is PlacedEntity {
  return failed.type !== 'suspension' && failed.type !== 'approval';
}
