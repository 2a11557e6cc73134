import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/dependencies.js';
import { createActivities, journalFailure } from '../../activities/index.js';
import type { JournalRow } from '../../contracts/log/journal.js';
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
    const { message } = failure;
    await assert.rejects(environment(entries).run(failing), (error) => {
      assert.ok(error instanceof ApplicationFailure);
      assert.deepEqual([error.message, error.nonRetryable], [message, false]);
      const pauseMs = Number(error.nextRetryDelay);
      assert.ok(pauseMs >= 250 && pauseMs <= 375, String(pauseMs));
      return true;
    });
    const entry = entries.find(({ message }) => message === 'journal rows not written');
    assert.deepEqual([entry?.level, entry?.meta?.['rows'], entry?.meta?.['event']], ['WARN', 3, 2]);
    assert.doesNotMatch(JSON.stringify(entry?.meta), /iban/);
  });

  it('is tried again soon at first, then at most once a minute, and by all at other times', () => {
    const pausesOf = (random: number) =>
      [1, 2, 3, 4, 5, 6, 600].map((attempt) =>
        Number(journalFailure(new Error('away'), attempt, random).nextRetryDelay),
      );
    const [soonest, latest] = [pausesOf(0), pausesOf(1)];
    assert.deepEqual(soonest, [250, 1_000, 4_000, 16_000, 60_000, 60_000, 60_000]);
    assert.deepEqual(latest, [375, 1_500, 6_000, 24_000, 90_000, 90_000, 90_000]);
    const inSecond = new Map<number, number>();
    for (let workflow = 0; workflow < 10_000; workflow += 1) {
      const { nextRetryDelay } = journalFailure(new Error('away'), 9);
      const second = Math.floor(Number(nextRetryDelay) / 1_000);
      inSecond.set(second, (inSecond.get(second) ?? 0) + 1);
    }
    const most = Math.max(...inSecond.values());
    assert.ok(most < 500, `${most} in one second`);
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
