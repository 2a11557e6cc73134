import type { JournalRow } from '../contracts/journal.js';
import { enterFeed } from './feed/end.js';
import { announceFeed } from './feed/notice.js';
import { writeDependencies } from './journal/dependencies.js';
import { upsertCoordinators } from './journal/coordinators.js';
import { admitAgents, insertEvents } from './journal/events.js';
import { upsertIntents } from './journal/intents.js';
import { upsertMembers, upsertPortfolios } from './journal/portfolios.js';
import { upsertPlans, upsertTasks } from './journal/plans.js';
import { rowsOf } from './journal/rows.js';
import { upsertSubscriptions } from './journal/subscriptions.js';
import { openSuspensions, progressSuspensions, settleSuspensions } from './journal/suspensions.js';
import { insertTimeline } from './journal/timeline.js';
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
