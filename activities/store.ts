import { log } from '@temporalio/activity';
import type {
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
} from '../contracts/announcement.js';
import type { JournalRow } from '../contracts/journal.js';
import type { Ruling } from '../contracts/problem.js';
import type { ActivityStore } from './dependencies.js';

/**
 * Writes journal rows to the store. The workflow retries a failed write for ever. The log says how many rows of
 * which kind are waiting, and never what is in them.
 */
export async function writeJournal(
  { writeRows }: Pick<ActivityStore, 'writeRows'>,
  rows: readonly JournalRow[],
): Promise<void> {
  try {
    await writeRows(rows);
  } catch (error) {
    log.warn('journal rows not written', { rows: rows.length, ...countKinds(rows) });
    throw error;
  }
}

function countKinds(rows: readonly JournalRow[]): Partial<Record<JournalRow['kind'], number>> {
  const counts: Partial<Record<JournalRow['kind'], number>> = {};
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/**
 * Adds an edge to the graph. Only the store sees every edge, so only the store can refuse a cycle. On errors
 * the workflow tries again for a few seconds and then takes the edge back.
 */
export async function linkDependency(
  store: Pick<ActivityStore, 'linkDependency'>,
  edge: DependencyEdge,
): Promise<Ruling<true>> {
  try {
    return await store.linkDependency(edge);
  } catch (error) {
    log.warn('edge not added', { intent_id: edge.intent_id });
    throw error;
  }
}

/** Reads who belongs to a portfolio. Throws, to be retried, while the store has not reached `last_sequence`. */
export async function readMembers(
  { membershipChanges }: Pick<ActivityStore, 'membershipChanges'>,
  request: MembershipRequest,
): Promise<MembershipPage> {
  const page = await membershipChanges(request);
  if (page) return page;
  const { portfolio_id, last_sequence } = request;
  throw new Error(`portfolio ${portfolio_id} is not stored up to event ${last_sequence}`);
}
