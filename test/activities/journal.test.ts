import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import { writeJournal } from '../../activities/store.js';
import type { JournalRow } from '../../contracts/journal.js';
import { anEvent, anIntent } from '../store/rows.js';

const ROWS: readonly JournalRow[] = [
  { kind: 'event', event: anEvent({ payload: { secret: 'iban' } }) },
  { kind: 'event', event: anEvent({ sequence: 2 }) },
  { kind: 'intent', intent: anIntent({ title: 'iban' }), last_sequence: 2 },
];

function environment(entries: LogEntry[] = []): MockActivityEnvironment {
  const logger = new DefaultLogger('DEBUG', (entry) => entries.push(entry));
  return new MockActivityEnvironment({}, { logger });
}

describe('journal activity', () => {
  it('hands the rows to the store', async () => {
    const written: (readonly JournalRow[])[] = [];
    const store = { writeRows: async (rows: readonly JournalRow[]) => void written.push(rows) };
    await environment().run(() => writeJournal(store, ROWS));
    assert.deepEqual(written, [ROWS]);
  });

  it('lets an error pass and logs counts, no values', async () => {
    const entries: LogEntry[] = [];
    const failure = new Error('the store is away');
    const store = { writeRows: () => Promise.reject(failure) };
    await assert.rejects(
      environment(entries).run(() => writeJournal(store, ROWS)),
      failure,
    );
    const entry = entries.find(({ message }) => message === 'journal rows not written');
    assert.deepEqual([entry?.level, entry?.meta?.['rows'], entry?.meta?.['event']], ['WARN', 3, 2]);
    assert.doesNotMatch(JSON.stringify(entry?.meta), /iban/);
  });
});
