import assert from 'node:assert/strict';
import { verifyRunEvents } from '../../api/usecases/approval/read.js';
import { queriesIn } from '../../api/parts/reads/from-store.js';
import { callOver } from '../api/support/parts.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import { appendToRun } from '../../store/queries/run-log.js';
import { useStore } from '../support/store.js';
import { instant } from './rows.js';

const RUN = 'run-7';

function noteAt(at: number, run_id = RUN): ApprovalNote {
  const approval_id = `approval-${at}`;
  return {
    key: `approval:${approval_id}:requested`,
    run_id,
    intent_id: null,
    event_type: 'approval_requested',
    actor: 'bot',
    principal: 'agent-1',
    payload: { approval_id, run_id },
    at: instant(at),
  };
}

describe('the log of a run', () => {
  const store = useStore('emptied');

  const append = (note: ApprovalNote, space = 'default') =>
    appendToRun(store.db, note, 'salt', space);

  async function recorded(count: number): Promise<void> {
    for (let at = 1; at <= count; at += 1) await append(noteAt(at));
  }

  /** What a check finds, as kinds and places. */
  async function found(space = 'default') {
    const call = callOver(queriesIn(store.db, space));
    const { value } = await verifyRunEvents.run(call, RUN);
    return { ...value, breaks: value.breaks.map(({ kind, sequence }) => [kind, sequence]) };
  }

  const cut = (after: number) =>
    store.db.deleteFrom('run_events').where('sequence', '>', after).execute();

  it('is whole as it was recorded, each event once', async () => {
    await recorded(3);
    await append(noteAt(2));
    const { chain_valid, event_count, last_sequence } = await found();
    assert.deepEqual([chain_valid, event_count, last_sequence], [true, 3, 3]);
  });

  it('is found out to be cut off at its end', async () => {
    await recorded(4);
    await cut(2);
    const report = await found();
    assert.deepEqual(
      [report.chain_valid, report.breaks, report.head_from],
      [false, [['missing', 3]], 'store'],
    );
  });

  it('is found out to be gone as a whole', async () => {
    await recorded(2);
    await cut(0);
    assert.deepEqual((await found()).breaks, [['missing', 1]]);
  });

  it('does not hide by later events that some were cut off', async () => {
    await recorded(3);
    await cut(2);
    await append(noteAt(4));
    const { rows } = await store.db
      .selectFrom('run_events')
      .select('sequence')
      .orderBy('sequence')
      .execute()
      .then((all) => ({ rows: all.map(({ sequence }) => sequence) }));
    assert.deepEqual(rows, [1, 2, 4]);
    assert.deepEqual((await found()).breaks, [['missing', 3]]);
  });

  it('is found out to end with another event, or with more', async () => {
    await recorded(2);
    await store.db.updateTable('runs').set({ head_hash: 'sha256:other' }).execute();
    assert.deepEqual((await found()).breaks, [['unlinked', 2]]);
    await store.db.updateTable('runs').set({ last_sequence: 1 }).execute();
    assert.deepEqual((await found()).breaks, [['unexpected', 2]]);
    await store.db.deleteFrom('runs').execute();
    assert.deepEqual((await found()).breaks, [['unexpected', 1]]);
  });

  it('is another one in each space', async () => {
    await recorded(2);
    await append(noteAt(9), 'team-b');
    await cut(1);
    assert.deepEqual((await found('team-b')).breaks, []);
    assert.equal((await found('team-b')).event_count, 1);
    assert.deepEqual((await found('team-c')).breaks, []);
    assert.deepEqual((await found()).breaks, [['missing', 2]]);
  });
});
