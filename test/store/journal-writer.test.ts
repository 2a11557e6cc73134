import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JournalRow } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { listEvents } from '../../store/queries/event-log.js';
import { findIntent } from '../../store/queries/intent.js';
import { findAnswer, findSuspension } from '../../store/queries/suspension.js';
import { useStore } from '../support/store.js';
import {
  SETTLEMENT,
  aRecord,
  anEvent,
  anIntent,
  openedRow,
  progressRow,
  settledRow,
  ANSWER,
} from './rows.js';

const PAGE = { limit: 10, offset: 0 };

describe('journal writer', () => {
  const store = useStore();
  const write = (...rows: JournalRow[]): Promise<unknown> => writeRows(store.db, rows);

  it('writes nothing for an empty batch', async () => {
    await write();
    assert.equal((await store.db.selectFrom('events').selectAll().execute()).length, 0);
  });

  it('keeps a settlement that came before the opening', async () => {
    const record = aRecord();
    const intentId = randomUUID();
    await write(settledRow(record.id, 5), progressRow(record.id, 4, 2));
    assert.equal(await findSuspension(store.db, record.id), undefined);
    assert.equal(await findAnswer(store.db, record.id, ANSWER.key), undefined);
    await write(openedRow(intentId, record));
    const view = await findSuspension(store.db, record.id);
    assert.equal(view?.intent_id, intentId);
    assert.equal(view.state, 'settled');
    assert.equal(view.attempt, 2);
    assert.deepEqual(view.record, { ...record, ...SETTLEMENT });
  });

  it('stores text that the database cannot hold as it is', async () => {
    const odd = 'nul \0, half \ud83d, noncharacter \ufdd0, emoji 😀';
    const record = aRecord({ question: odd, context: { [odd]: [odd, { odd }] } });
    const event = anEvent({ actor: odd, event_type: odd, payload: { [odd]: odd } });
    const intent = anIntent({ title: odd, created_by: odd, state: { odd } });
    const settled = settledRow(record.id, 2);
    await write({ kind: 'event', event }, { kind: 'intent', intent, last_sequence: 1 });
    await write(openedRow(randomUUID(), record), settled);
    assert.deepEqual(
      (await listEvents(store.db, event.intent_id, { ...PAGE, event_type: odd })).rows,
      [event],
    );
    assert.deepEqual(await findIntent(store.db, intent.id), intent);
    const view = await findSuspension(store.db, record.id);
    assert.deepEqual(view?.record, { ...record, ...SETTLEMENT });
  });
});
