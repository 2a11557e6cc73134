import type { Compilable } from 'kysely';
import { DEFAULT_SPACE } from '../contracts/constants/callers.js';
import type { IntentEvent } from '../contracts/intent/event.js';
import type { JournalRow, JournalWatch, RefusedRow } from '../contracts/log/journal.js';
import { sharedLock } from './advisory-locks.js';
import { announceFeed } from './feed/notices.js';
import { wholeStore } from './in-space.js';
import { writeApprovals } from './queries/approval.js';
import { writeCoordinators } from './queries/coordinator.js';
import { lockForErasures, writeErasures } from './queries/erasure/erasure.js';
import { admission, eventInsert, refuseConflicts, type EventPlace } from './queries/event-log.js';
import { writeDependencies } from './queries/graph.js';
import { writeIntents } from './queries/intent.js';
import { writePlans, writeTasks } from './queries/plan.js';
import { writeMemberships, writePortfolios } from './queries/portfolio.js';
import { claimQuestions, writeFacts } from './queries/question-facts.js';
import { reasonForGood, setAside } from './queries/work/quarantine.js';
import { writeSubscriptions } from './queries/people/subscription.js';
import {
  openSuspensions,
  progressSuspensions,
  settleSuspensions,
  writeTimeline,
} from './queries/suspension.js';
import { rowsOf, type RowsWrite } from './queries/upsert.js';
import type { Store } from './schema.js';
import { together, transactTogether, type Returned } from './together.js';

/** Every batch uses this order, so that two batches cannot wait for each other's rows. */
const WRITERS = [
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
  writeApprovals,
  claimQuestions,
  writeTimeline,
  writeFacts,
  writeSubscriptions,
] as const;

/** The kinds of rows with a position in the feed, or that give one to a question. */
const ON_FEED: ReadonlySet<JournalRow['kind']> = new Set([
  'event',
  'suspension_opened',
  'suspension_progress',
  'suspension_settled',
  'erasure',
]);

/**
 * Writes a batch of at most 200 journal rows in one short transaction, in any order and repeatedly. Events come last,
 * so that their positions in the feed settle soon.
 *
 * A permanently refused row is quarantined and returned, and the others are written. After any other error the batch
 * may be written again.
 *
 * @param db - the store, or the view of one space on it
 * @param space - the space of all rows
 * @param watch - called after each transaction
 */
export async function writeRows(
  db: Store,
  rows: readonly JournalRow[],
  space: string = DEFAULT_SPACE,
  watch: JournalWatch = () => undefined,
): Promise<readonly RefusedRow[]> {
  if (rows.length === 0) return [];
  const whole = wholeStore(db);
  let refused: readonly RefusedRow[] = [];
  try {
    await writeBatch(whole, rows, space, watch);
  } catch (error) {
    if (reasonForGood(error) === undefined) throw error;
    refused = await writeEach(whole, rows, space, watch);
  }
  if (rows.some(({ kind }) => ON_FEED.has(kind))) announceFeed(db);
  return refused;
}

async function writeEach(
  db: Store,
  rows: readonly JournalRow[],
  space: string,
  watch: JournalWatch,
): Promise<readonly RefusedRow[]> {
  const refused: RefusedRow[] = [];
  for (const row of rows) {
    try {
      await writeBatch(db, [row], space, watch);
    } catch (error) {
      const reason = reasonForGood(error);
      if (reason === undefined) throw error;
      const aside = await setAside(db, row, reason, space);
      watch({ rows: [row], refused: [aside], news: [] });
      refused.push(aside);
    }
  }
  return refused;
}

async function writeBatch(
  db: Store,
  rows: readonly JournalRow[],
  space: string,
  watch: JournalWatch,
): Promise<void> {
  const write = rows.some(({ kind }) => kind === 'erasure') ? writeInParts : writeAtOnce;
  watch({ rows, refused: [], news: await write(db, rows, space) });
}

/**
 * Writes a batch in one round trip, or in two if it has events: on the embedded store, all others wait for the end of
 * a transaction.
 */
async function writeAtOnce(
  db: Store,
  rows: readonly JournalRow[],
  space: string,
): Promise<readonly JournalRow[]> {
  const writes = writesOf(db, rows, space);
  const events = eventsOf(rows);
  const statements = [...writes.map(({ query }) => query), ...appendsOf(db, events, space)];
  const newsIn = (returned: readonly (readonly Returned[])[]) =>
    writes.flatMap(({ news }, index) => news(returned[index] ?? []));
  if (events.length === 0) return newsIn(await together(db, statements));
  return transactTogether(db, statements, async (transaction, returned) => {
    await refuseConflicts(transaction, events, placesIn(returned));
    return newsIn(returned);
  });
}

async function writeInParts(
  db: Store,
  rows: readonly JournalRow[],
  space: string,
): Promise<readonly JournalRow[]> {
  const news: JournalRow[] = [];
  await db.transaction().execute(async (transaction) => {
    await lockForErasures(transaction, rows);
    for (const part of partsOf(rows)) {
      for (const write of writesOf(transaction, part, space)) {
        const [returned] = await together(transaction, [write.query]);
        news.push(...write.news(returned ?? []));
      }
      await writeErasures(transaction, part);
    }
    const events = eventsOf(rows);
    const returned = await together(transaction, appendsOf(transaction, events, space));
    await refuseConflicts(transaction, events, placesIn(returned));
  });
  return news;
}

function writesOf(db: Store, rows: readonly JournalRow[], space: string): readonly RowsWrite[] {
  return WRITERS.flatMap((writer) => writer(db, rows, space) ?? []);
}

const eventsOf = (rows: readonly JournalRow[]): readonly IntentEvent[] =>
  rowsOf(rows, 'event').map(({ event }) => event);

/** Returns the statements that append events, if any. The last one selects what `refuseConflicts` compares. */
function appendsOf(
  db: Store,
  events: readonly IntentEvent[],
  space: string,
): readonly Compilable[] {
  if (events.length === 0) return [];
  const admitted = admission(db, events);
  return [...(admitted ? [admitted] : []), sharedLock(db, 'feed'), eventInsert(db, events, space)];
}

function placesIn(returned: readonly (readonly Returned[])[]): readonly EventPlace[] {
  return (returned.at(-1) ?? []) as unknown as readonly EventPlace[];
}

/** Cuts the rows after each erasure, which erases only the questions before it. */
function partsOf(rows: readonly JournalRow[]): readonly (readonly JournalRow[])[] {
  const end = rows.findIndex(({ kind }) => kind === 'erasure') + 1;
  if (end === 0 || end === rows.length) return [rows];
  return [rows.slice(0, end), ...partsOf(rows.slice(end))];
}
