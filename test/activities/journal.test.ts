import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import { createActivities } from '../../activities/index.js';
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

/** The activity over a store that writes like this. */
function journalOver(writeRows: ActivityDependencies['store']['writeRows']) {
  const activities = createActivities({ store: { writeRows } } as ActivityDependencies);
  return () => activities.writeJournal(ROWS);
}

describe('journal activity', () => {
  it('hands the rows to the store', async () => {
    const written: (readonly JournalRow[])[] = [];
    await environment().run(
      journalOver(async (rows) => {
        written.push(rows);
        return [];
      }),
    );
    assert.deepEqual(written, [ROWS]);
  });

  it('lets an error pass and logs counts, no values', async () => {
    const entries: LogEntry[] = [];
    const failure = new Error('the store is away');
    const failing = journalOver(() => Promise.reject(failure));
    await assert.rejects(environment(entries).run(failing), failure);
    const entry = entries.find(({ message }) => message === 'journal rows not written');
    assert.deepEqual([entry?.level, entry?.meta?.['rows'], entry?.meta?.['event']], ['WARN', 3, 2]);
    assert.doesNotMatch(JSON.stringify(entry?.meta), /iban/);
  });

  it('raises an alarm for each row that the store set aside, and is done', async () => {
    const entries: LogEntry[] = [];
    const refused = {
      kind: 'event',
      intent_id: anIntent().id,
      suspension_id: null,
      sequence: 2,
      reason: 'conflict',
    } as const;
    await environment(entries).run(journalOver(async () => [refused]));
    const alarms = entries.filter(({ level }) => level === 'ERROR');
    assert.deepEqual(
      alarms.map(({ message }) => message),
      ['journal row refused'],
    );
    const { kind, sequence, reason } = alarms[0]?.meta ?? {};
    assert.deepEqual([kind, sequence, reason], ['event', 2, 'conflict']);
  });
});
