import type { JournalRow } from '../contracts/journal.js';
import { enterFeed } from './feed/end.js';
import { announceFeed } from './feed/notices.js';
import { upsertCoordinators } from './queries/coordinator.js';
import { admitAgents, insertEvents } from './queries/event-log.js';
import { writeDependencies } from './queries/graph.js';
import { upsertIntents } from './queries/intent.js';
import { upsertPlans, upsertTasks } from './queries/plan.js';
import { upsertMembers, upsertPortfolios } from './queries/portfolio.js';
import { upsertSubscriptions } from './queries/subscription.js';
import {
  insertTimeline,
  openSuspensions,
  progressSuspensions,
  settleSuspensions,
} from './queries/suspension.js';
import { rowsOf } from './queries/upsert.js';
import type { Store } from './schema.js';

/**
 * Writes a batch of journal rows (design: at most 200) in one short transaction, one statement per
 * kind. Rows may come again and in any order: the end state is the same. The events come last, so that
 * their places in the feed are soon settled. Throws `EventConflictError` where a sequence is taken by
 * another event, or the driver's error; then nothing of the batch is stored.
 */
export async function writeRows(db: Store, rows: readonly JournalRow[]): Promise<void> {
  if (rows.length === 0) return;
  const events = rowsOf(rows, 'event').map(({ event }) => event);
  await db.transaction().execute(async (transaction) => {
    await writeDependencies(transaction, rowsOf(rows, 'dependency'));
    await upsertIntents(transaction, rowsOf(rows, 'intent'));
    await openSuspensions(transaction, rowsOf(rows, 'suspension_opened'));
    await progressSuspensions(transaction, rowsOf(rows, 'suspension_progress'));
    await settleSuspensions(transaction, rowsOf(rows, 'suspension_settled'));
    await upsertPortfolios(transaction, rowsOf(rows, 'portfolio'));
    await upsertMembers(transaction, rowsOf(rows, 'portfolio_member'));
    await upsertTasks(transaction, rowsOf(rows, 'task'));
    await upsertPlans(transaction, rowsOf(rows, 'plan'));
    await upsertCoordinators(transaction, rowsOf(rows, 'coordinator'));
    await insertTimeline(transaction, rowsOf(rows, 'timeline'));
    await upsertSubscriptions(transaction, rowsOf(rows, 'subscription'));
    if (events.length === 0) return;
    await admitAgents(transaction, events);
    await enterFeed(transaction);
    await insertEvents(transaction, events);
  });
  if (events.length > 0) announceFeed(db);
}
