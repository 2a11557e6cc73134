import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { WrittenRows } from '../../contracts/log/journal.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import { FeedHub } from '../../store/feed/hub.js';
import { feedSourceOf } from '../../store/feed/source.js';
import { activityDependencies } from '../../workers/activity-adapters.js';
import { useStore } from '../support/store.js';
import { SETTLEMENT, aRecord, openedRow, settledRow } from '../store/rows.js';

describe('what a worker writes to the store', () => {
  const store = useStore();

  it('is told, whether the journal writes it or the reconciler', async () => {
    const told: WrittenRows[] = [];
    const log = { warn: () => undefined, info: () => undefined, error: () => undefined };
    const worker = activityDependencies({
      db: store.db,
      feed: new FeedHub(feedSourceOf(store.db, store.url), log),
      channels: new Map(),
      config: serverConfigSchema.parse({}),
      watch: (written) => void told.push(written),
    });
    const [answered, lost] = [aRecord(), aRecord()];
    const opened = [answered, lost].map((record) => openedRow(randomUUID(), record));
    const settled = settledRow(answered.id, 1);
    await new MockActivityEnvironment().run(() => worker.store.writeRows(opened));
    await worker.reconciliation.writeRows([settled], 'default');
    await worker.store.settleSuspension(lost.id, SETTLEMENT, 'default');
    assert.deepEqual(
      told.map(({ rows, news }) => [rows.map(({ kind }) => kind), news.map(({ kind }) => kind)]),
      [
        [
          ['suspension_opened', 'suspension_opened'],
          ['suspension_opened', 'suspension_opened'],
        ],
        [['suspension_settled'], ['suspension_settled']],
        [['suspension_settled', 'timeline'], ['suspension_settled']],
      ],
    );
  });
});
