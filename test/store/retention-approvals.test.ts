import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { verifyRunEvents } from '../../api/usecases/approval/read.js';
import { queriesIn } from '../../api/parts/reads/from-store.js';
import { callOver } from '../api/support/parts.js';
import type { RedemptionView } from '../../contracts/approval/approval.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { settledBefore } from '../../domain/log/checkpoint.js';
import { writeRows } from '../../store/journal-writer.js';
import { findApproval } from '../../store/queries/approval.js';
import { appendToRun, latestSnapshot, saveSnapshot } from '../../store/queries/run-log.js';
import { findSuspension } from '../../store/queries/suspension.js';
import { isRemoved } from '../../store/queries/erasure/erasure-marks.js';
import { markSettled } from '../../store/retention/marks.js';
import { removeMarked, removeRuns } from '../../store/retention/removal.js';
import { useStore } from '../support/store.js';
import { approvalOf, lived, snapshotOf } from './retention-samples.js';
import { instant } from './rows.js';

/** The rows of the tests are of January. */
const NOW = new Date('2026-03-01T00:00:00.000Z');
const BEFORE = settledBefore(NOW, 30);
const RECENT = '2026-02-20T00:00:00.000Z';
const SALT = 'salt';

const LEASE = { call_id: 'call-1', token: 1, lease_until: instant(60) };
const LEFT: RedemptionView = { checkpoint: null, request_hash: null, calls: [LEASE] };

type Approval = ReturnType<typeof approvalOf>;

describe('retention of approvals', () => {
  const store = useStore('emptied');

  const write = (...rows: readonly JournalRow[]) => writeRows(store.db, rows);
  const note = (one: Approval, name: string, at: string) =>
    appendToRun(store.db, one.note(name, at), SALT, 'default');

  async function retire(now = NOW): Promise<void> {
    const before = settledBefore(now, 30);
    await markSettled(store.db, { at: now, before });
    await removeMarked(store.db, { at: now, signs: false });
    await removeRuns(store.db, before);
  }

  /** Stores an approval with the log and the snapshot of its run. */
  async function stored(fields: Parameters<typeof approvalOf>[0] = {}): Promise<Approval> {
    const one = approvalOf(fields);
    await write(...one.rows);
    await saveSnapshot(store.db, snapshotOf(one), instant(1));
    await note(one, 'requested', instant(1));
    await note(one, 'resolved', instant(9));
    return one;
  }

  const isKept = async ({ id }: Approval) => (await findApproval(store.db, id)) !== undefined;

  async function verified({ run_id }: Approval) {
    const call = callOver(queriesIn(store.db, 'default'));
    const { value } = await verifyRunEvents.run(call, run_id);
    const { breaks, event_count, last_sequence } = value;
    return { breaks: breaks.map(({ kind }) => kind), event_count, last_sequence };
  }

  it('removes one that is over with its questions, its log and its snapshots', async () => {
    const one = await stored();
    await retire();
    assert.equal(await isKept(one), false);
    assert.equal(await isRemoved(store.db, 'approval', one.id), true);
    assert.equal(await findSuspension(store.db, one.question.id), undefined);
    assert.equal(await latestSnapshot(store.db, one.run_id), undefined);
    assert.deepEqual(await verified(one), { breaks: [], event_count: 0, last_sequence: 2 });
  });

  describe('keeps', () => {
    for (const [name, fields] of [
      ['one that waits', { resolved_at: null }],
      ['one that was decided not long ago', { resolved_at: RECENT }],
      [
        'one whose calls may still run',
        { redemption: { ...LEFT, redeemable_until: '2026-03-02T00:00:00.000Z' } },
      ],
      [
        'one whose agent is hibernated',
        {
          status: 'rejected' as const,
          redemption: { ...LEFT, calls: [], checkpoint: { status: 'hibernated', token: 0 } },
        },
      ],
    ] as const) {
      it(name, async () => {
        const one = await stored(fields);
        await retire();
        assert.equal(await isKept(one), true);
        assert.notEqual(await findSuspension(store.db, one.question.id), undefined);
        assert.notEqual(await latestSnapshot(store.db, one.run_id), undefined);
        assert.deepEqual(await verified(one), { breaks: [], event_count: 2, last_sequence: 2 });
      });
    }

    it('the whole log of a run as long as one of its approvals is kept', async () => {
      const over = await stored();
      const open = await stored({ run_id: over.run_id, resolved_at: null });
      await retire();
      assert.deepEqual([await isKept(over), await isKept(open)], [false, true]);
      assert.deepEqual(await verified(over), { breaks: [], event_count: 4, last_sequence: 4 });
      assert.notEqual(await latestSnapshot(store.db, over.run_id), undefined);
    });

    it('the log of a run in which something happened not long ago', async () => {
      const one = await stored();
      await note(one, 'sla', RECENT);
      await retire();
      assert.equal(await isKept(one), false);
      assert.equal((await verified(one)).event_count, 3);
    });

    it('a closed intent as long as an approval of it is not over for long enough', async () => {
      const intent = lived();
      const one = approvalOf({ intent_id: intent.id, resolved_at: RECENT });
      await write(...intent.rows, ...one.rows);
      await retire();
      assert.equal(await isRemoved(store.db, 'intent', intent.id), false);
      assert.equal(await isKept(one), true);
      await retire(new Date('2026-04-01T00:00:00.000Z'));
      assert.equal(await isRemoved(store.db, 'intent', intent.id), true);
      assert.equal(await isKept(one), false);
    });

    it('the approvals of an intent that is open', async () => {
      const intent = lived(3, 'active');
      const one = approvalOf({ intent_id: intent.id });
      await write(...intent.rows, ...one.rows);
      await retire();
      assert.equal(await isKept(one), true);
      assert.notEqual(await findSuspension(store.db, one.question.id), undefined);
    });
  });

  it('takes no late rows, and appends no late events', async () => {
    const one = await stored();
    await retire();
    await write(...one.rows);
    await note(one, 'requested', instant(1));
    await note(one, 'late', instant(9));
    assert.equal(await isKept(one), false);
    assert.equal((await verified(one)).event_count, 0);
  });

  it('goes on after what it removed if the run goes on', async () => {
    const one = await stored();
    await retire();
    const next = approvalOf({ run_id: one.run_id, resolved_at: null });
    await write(...next.rows);
    await note(next, 'requested', RECENT);
    assert.deepEqual(await verified(next), { breaks: [], event_count: 1, last_sequence: 3 });
    await sql`update run_events set previous_event_hash = null`.execute(store.db);
    assert.deepEqual((await verified(next)).breaks, ['changed']);
  });

  it('shows nothing of a log that is half removed, and goes on with it', async () => {
    const one = await stored();
    for (let at = 0; at < 230; at += 1) await note(one, `vote:${at}`, instant(9));
    await markSettled(store.db, { at: NOW, before: BEFORE });
    await removeMarked(store.db, { at: NOW, signs: false });
    let steps = 0;
    const cut = removeRuns(store.db, BEFORE, () => {
      if (++steps === 1) throw new Error('killed');
    });
    await assert.rejects(cut, /killed/);
    const left = await store.db.selectFrom('run_events').select('sequence').execute();
    assert.ok(left.length > 0 && left.length < 232);
    assert.deepEqual(await verified(one), { breaks: [], event_count: 0, last_sequence: 232 });
    await removeRuns(store.db, BEFORE);
    assert.deepEqual(await store.db.selectFrom('run_events').select('sequence').execute(), []);
    const runs = await store.db.selectFrom('runs').select('kept').execute();
    assert.deepEqual(runs, [{ kept: false }]);
  });

  it('leaves the runs of other spaces alone', async () => {
    const one = await stored();
    await appendToRun(store.db, one.note('requested', RECENT), SALT, 'team-b');
    await retire();
    const left = await store.db.selectFrom('run_events').select('space').execute();
    assert.deepEqual(left, [{ space: 'team-b' }]);
  });
});
