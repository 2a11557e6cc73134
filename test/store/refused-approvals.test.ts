import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Coordinator } from '../../contracts/coordinator/coordinator.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { settledBefore } from '../../domain/log/checkpoint.js';
import { writeRows } from '../../store/journal-writer.js';
import { eraseClosedIntent, eraseSuspension } from '../../store/queries/erasure/erasure.js';
import { setAside } from '../../store/queries/work/quarantine.js';
import { appendToRun, saveSnapshot } from '../../store/queries/run-log.js';
import { findSuspension } from '../../store/queries/suspension.js';
import { markSettled } from '../../store/retention/marks.js';
import { removeMarked } from '../../store/retention/removal.js';
import { useStore } from '../support/store.js';
import { tablesWith } from './erasure-columns.js';
import { approvalOf, asked, lived, snapshotOf } from './retention-samples.js';
import { SETTLEMENT, aRecord, instant, openedRow, settledRow } from './rows.js';

/** Stands in all that people were shown, and in what they wrote. */
const DATA = 'ada@example.com';
const ORDER = { by: 'root', actor: 'root', at: instant(1_000) };
/** The rows of the tests are of January. */
const NOW = new Date('2026-03-01T00:00:00.000Z');
const REASON = '54000';

/** An approval that people were shown personal data for, with the rows of itself and of its question. */
function shown(fields: Parameters<typeof approvalOf>[0] = {}) {
  const one = approvalOf(fields);
  const proposal = { ...one.view.proposal, prompt: `Wire to ${DATA}?` };
  const view = { ...one.view, proposal };
  const part = { proposal, proposal_hash: view.proposal_hash, stage: 0, tier: 0 };
  const row = (changes: object, revision: number): JournalRow => ({
    kind: 'approval',
    approval: { ...view, ...changes },
    proposed: proposal,
    revision,
  });
  const record = { ...one.question, question: DATA, approval: part };
  const opened = (question = record): JournalRow => ({
    ...(openedRow('', question) as Extract<JournalRow, { kind: 'suspension_opened' }>),
    intent_id: null,
  });
  return { ...one, view, part, row, record, opened };
}
type Shown = ReturnType<typeof shown>;

describe('rows of approvals that the store refused', () => {
  const store = useStore('emptied');

  const write = (...rows: readonly JournalRow[]) => writeRows(store.db, rows);
  const aside = async (...rows: readonly JournalRow[]) => {
    for (const row of rows) await setAside(store.db, row, REASON);
  };
  const erase = ({ record }: Pick<Shown, 'record'>) => eraseSuspension(store.db, record.id, ORDER);

  /** The rows that are set aside, each with what is left of it. */
  const left = () =>
    store.db.selectFrom('journal_quarantine').select(['kind', 'content']).orderBy('kind').execute();

  const tablesWithData = () => tablesWith(store.db, DATA);

  async function retire(): Promise<void> {
    await markSettled(store.db, { at: NOW, before: settledBefore(NOW, 30) });
    await removeMarked(store.db, { at: NOW, signs: false });
  }

  /** A row of each kind that has a copy of what was proposed. */
  const copies = (one: Shown): readonly JournalRow[] => [
    one.row({}, 9),
    one.opened(),
    {
      kind: 'suspension_progress',
      suspension_id: randomUUID(),
      revision: 1,
      attempt: 1,
      max_attempts: 1,
      next_attempt_at: null,
      approval: one.part,
    },
    {
      kind: 'suspension_settled',
      suspension_id: randomUUID(),
      revision: 1,
      settlement: { ...SETTLEMENT, approval: one.part },
    },
  ];

  describe('are erased', () => {
    it('with an approval without an intent, before the erasure and after it', async () => {
      const one = shown();
      const other = shown();
      await write(one.row({}, 1), one.opened(), settledRow(one.record.id, 1));
      await aside(...copies(one), other.row({}, 1));
      assert.ok((await erase(one))?.ok);
      await aside(...copies(one));
      const kept = (await left()).filter(({ content }) => content !== '');
      assert.deepEqual(
        kept.map(({ content }) => JSON.parse(content) as JournalRow),
        [other.row({}, 1)],
      );
      assert.equal((await left()).length, 9);
    });

    it('where the store has no row of the approval, with its run', async () => {
      const one = shown();
      await write(one.opened(), settledRow(one.record.id, 1));
      await aside(one.row({ status: 'pending' }, 1), one.row({}, 2));
      const note = { ...one.note('resolved', instant(9)), payload: { proposal: DATA } };
      await appendToRun(store.db, note, 'salt', 'default');
      await saveSnapshot(store.db, snapshotOf(one), instant(1));
      assert.ok((await erase(one))?.ok);
      assert.deepEqual(await tablesWithData(), []);
    });

    it('not while people decide, as the newest row says', async () => {
      const one = shown();
      await write(one.opened(), settledRow(one.record.id, 1));
      await aside(one.row({ status: 'pending' }, 2), one.row({ status: 'pending' }, 1));
      const ruling = await erase(one);
      assert.equal(ruling?.ok === false && ruling.refusal.code, 'question_open');
      await write(one.row({}, 3));
      assert.ok((await erase(one))?.ok);
      assert.deepEqual(await tablesWithData(), []);
    });

    it('with questions of other tiers whose openings were among them', async () => {
      const one = shown();
      const later = { ...aRecord(), question: DATA, approval: { ...one.part, tier: 1 } };
      const settlement = { ...SETTLEMENT, reason: DATA };
      await write(one.row({}, 1), one.opened(), settledRow(one.record.id, 1));
      await write({ ...settledRow(later.id, 1), settlement });
      await aside(one.opened(later));
      assert.ok((await erase(one))?.ok);
      assert.deepEqual(await tablesWithData(), []);
    });

    it('by that question whose opening was among them', async () => {
      const one = shown();
      await write(one.row({}, 1), settledRow(one.record.id, 1));
      await aside(one.opened());
      assert.ok((await erase(one))?.ok);
      assert.deepEqual(await tablesWithData(), []);
    });

    it('with an intent, also openings of its questions', async () => {
      const intent = lived();
      const one = shown({ intent_id: intent.id });
      const record = { ...aRecord(), question: DATA };
      const settlement = { ...SETTLEMENT, reason: DATA };
      await write(...intent.rows, { ...settledRow(record.id, 1), settlement });
      await aside(one.row({}, 1), one.opened(), openedRow(intent.id, record));
      await saveSnapshot(store.db, snapshotOf(one), instant(1));
      assert.ok((await eraseClosedIntent(store.db, intent.id, ORDER))?.ok);
      assert.deepEqual(await tablesWithData(), []);
    });

    it('with an intent, but nothing that was asked since, if that comes late', async () => {
      const intent = lived();
      const since = { suspended_at: instant(1_001), question: DATA };
      const [open, ended] = [aRecord(since), aRecord(since)];
      const later = shown({ intent_id: intent.id });
      const settlement = { ...SETTLEMENT, settled_at: instant(1_002), reason: DATA };
      await write(...intent.rows, { ...settledRow(ended.id, 1), settlement });
      await aside(openedRow(intent.id, open), openedRow(intent.id, ended));
      await aside(later.row({ created_at: instant(1_001) }, 1));
      await aside(openedRow(intent.id, aRecord({ suspended_at: 'never', question: DATA })));
      const order = { erased_at: ORDER.at, erased_by: 'root', through_sequence: 3 };
      await write({ kind: 'erasure', intent_id: intent.id, ...order, event_sequence: 4 });
      const erased = await store.db.selectFrom('erasures').select('id').execute();
      assert.equal(erased.length, 2);
      assert.ok(erased.every(({ id }) => ![open.id, ended.id, later.id].includes(id)));
      assert.deepEqual(await tablesWithData(), ['suspensions']);
    });

    it('without the question of another space that has the same id', async () => {
      const one = shown();
      const foreign = { ...aRecord(), question: DATA };
      await writeRows(store.db, [openedRow(randomUUID(), foreign)], 'team-b');
      await write(one.row({}, 1), one.opened(), settledRow(one.record.id, 1));
      const [refused] = await write(one.opened({ ...one.record, id: foreign.id }));
      assert.equal(refused?.approval_id, one.id);
      assert.ok((await erase(one))?.ok);
      assert.deepEqual(await tablesWithData(), ['suspensions']);
      assert.equal((await findSuspension(store.db, foreign.id))?.record.question, DATA);
    });
  });

  describe('are removed', () => {
    it('with the approval, and come back no more', async () => {
      const one = shown();
      await write(one.row({}, 1), one.opened(), settledRow(one.record.id, 1));
      await aside(...copies(one));
      await retire();
      assert.deepEqual(await left(), []);
      await aside(...copies(one));
      assert.deepEqual(await left(), []);
    });

    it('not before the approval is', async () => {
      const one = shown({ resolved_at: null });
      await write(one.row({}, 1));
      await aside(one.row({}, 2));
      await retire();
      assert.equal((await left()).length, 1);
    });

    it('with the portfolio that a coordinator has, as those of its events', async () => {
      const id = randomUUID();
      await sql`
        insert into portfolios (id, version, status, created_by, created_at, last_sequence, record)
        values (${id}, 1, 'completed', 'agent-1', ${instant(0)}, 1, '{}')`.execute(store.db);
      const coordinator = { id: randomUUID(), intent_id: null, portfolio_id: id } as Coordinator;
      const question = asked(null);
      const [opened] = question.rows;
      await aside({ kind: 'coordinator', coordinator }, opened ?? assert.fail());
      await retire();
      assert.deepEqual(
        (await left()).map(({ kind }) => kind),
        ['suspension_opened'],
      );
    });
  });
});
