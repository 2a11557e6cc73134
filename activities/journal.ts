import { log } from '@temporalio/activity';
import type { JournalRow } from '../contracts/journal.js';
import type { Activities } from './types.js';

/** Where journal rows go. */
export interface JournalPort {
  readonly write: (rows: readonly JournalRow[]) => Promise<void>;
}

/**
 * The activity that hands journal rows to the store. Its errors propagate and are retried by the
 * workflow for ever; the log tells how many rows of which kind wait, never what is in them.
 */
export function createJournalActivities({ write }: JournalPort): Pick<Activities, 'writeJournal'> {
  return {
    async writeJournal(rows) {
      try {
        await write(rows);
      } catch (error) {
        log.warn('journal rows not written', { rows: rows.length, ...countKinds(rows) });
        throw error;
      }
    },
  };
}

function countKinds(rows: readonly JournalRow[]): Partial<Record<JournalRow['kind'], number>> {
  const counts: Partial<Record<JournalRow['kind'], number>> = {};
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
