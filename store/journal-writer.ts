import type { JournalRow } from '../contracts/journal.js';
import { enterFeed } from './feed/end.js';
import { announceFeed } from './feed/notices.js';
import { writeCoordinators } from './queries/coordinator.js';
import { admitAgents, insertEvents } from './queries/event-log.js';
import { writeDependencies } from './queries/graph.js';
import { writeIntents } from './queries/intent.js';
import { writePlans, writeTasks } from './queries/plan.js';
import { writeMemberships, writePortfolios } from './queries/portfolio.js';
import { writeSubscriptions } from './queries/subscription.js';
import {
  openSuspensions,
  progressSuspensions,
  settleSuspensions,
  writeTimeline,
} from './queries/suspension.js';
import { rowsOf } from './queries/upsert.js';
import type { JournalWriter } from './queries/upsert.js';
import type { Store } from './schema.js';

/** The same order for every batch, so that two batches cannot wait for each other's rows. */
const WRITERS: readonly JournalWriter[] = [
  writeDependencies,
  writeIntents,
  openSuspensions,
  progressSuspensions,
  settleSuspensions,
  writePortfolios,
  writeMemberships,
  writeTasks,
  writePlans,
  writeCoordinators,
  writeTimeline,
  writeSubscriptions,
];

/**
 * Writes a batch of at most 200 journal rows in one short transaction, with one statement for each kind.
 * Rows may be repeated and come in any order: the end state is the same. The events come last, so that
 * their positions in the feed settle soon. Throws `EventConflictError` if a sequence belongs to another
 * event, or the driver's error; nothing of the batch is stored then.
 */
export async function writeRows(db: Store, rows: readonly JournalRow[]): Promise<void> {
  if (rows.length === 0) return;
  const events = rowsOf(rows, 'event').map(({ event }) => event);
  await db.transaction().execute(async (transaction) => {
    for (const write of WRITERS) await write(transaction, rows);
    if (events.length === 0) return;
    await admitAgents(transaction, events);
    await enterFeed(transaction);
    await insertEvents(transaction, events);
  });
  if (events.length > 0) announceFeed(db);
}
