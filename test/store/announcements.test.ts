import assert from 'node:assert/strict';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { writeRows } from '../../store/journal-writer.js';
import { storedAnnouncement } from '../../store/queries/intent.js';
import { useStore } from '../support/store.js';
import { anIntent, aRecord, openedRow, progressRow, settledRow, SETTLEMENT } from './rows.js';

describe('stored announcements', () => {
  const store = useStore();

  it('tell what an intent has come to, with its last question', async () => {
    const record = aRecord();
    const settled = { ...record, ...SETTLEMENT } as unknown as JsonObject;
    const intent = anIntent({ status: 'completed', version: 6, state: { _suspension: settled } });
    await writeRows(store.db, [
      openedRow(intent.id, record),
      progressRow(record.id, 1, 2),
      settledRow(record.id, 2),
      { kind: 'intent', intent, last_sequence: 9 },
    ]);
    assert.deepEqual(await storedAnnouncement(store.db, intent.id), {
      intent_id: intent.id,
      version: 6,
      last_sequence: 9,
      status: 'completed',
      held: false,
      holds: 0,
      suspension: {
        suspension_id: record.id,
        attempt: 2,
        suspended_at: record.suspended_at,
        expires_at: record.expires_at,
        resolution: 'responded',
        settled_at: SETTLEMENT.settled_at,
      },
    });
  });

  it('tell of no question where there was none, and nothing of an unknown intent', async () => {
    const intent = anIntent({ status: 'abandoned' });
    await writeRows(store.db, [{ kind: 'intent', intent, last_sequence: 2 }]);
    assert.equal((await storedAnnouncement(store.db, intent.id))?.suspension, null);
    assert.equal(await storedAnnouncement(store.db, anIntent().id), undefined);
  });
});
