import { Context, log } from '@temporalio/activity';
import type { NotificationRequest, OpeningRest } from '../contracts/notification.js';
import { openingBeside } from '../domain/suspension/opening-row.js';
import type { ActivityStore } from './dependencies.js';
import { ownSpace } from './own-call.js';
import { tolerate } from './tolerate.js';

/** Where openings are written, and how long that may hold up a delivery, in milliseconds. */
export interface OpeningDependencies {
  readonly store: Pick<ActivityStore, 'writeRows' | 'findSuspension'>;
  readonly waitMs: number;
}

/**
 * Writes the opening row of a question beside its first delivery, and returns whether the store has it. Never rejects:
 * what fails, or is not done in time, is logged, and the question writes the row by itself.
 */
export async function writeOpening(
  { store, waitMs }: OpeningDependencies,
  request: NotificationRequest,
  rest: OpeningRest,
): Promise<boolean> {
  const written = await tolerate('opening_not_written', request, waitMs, async () => {
    if (await isThere(store, request)) return true;
    const refused = await store.writeRows([openingBeside(request, rest)]);
    for (const row of refused) log.error('journal row refused', { ...row });
    return true;
  });
  return written ?? false;
}

/** An earlier try may have written it. The first one need not look. */
async function isThere(
  store: OpeningDependencies['store'],
  { suspension_id }: NotificationRequest,
): Promise<boolean> {
  if (Context.current().info.attempt === 1) return false;
  return (await store.findSuspension(suspension_id, ownSpace())) !== undefined;
}
