import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { JournalRow } from '../../contracts/log/journal.js';
import { lockShared } from '../../store/advisory-locks.js';
import { openDatabase } from '../../store/database.js';
import { writeRows } from '../../store/journal-writer.js';
import { recountBlocks } from '../../store/queries/blocks.js';
import { linkDependency } from '../../store/queries/graph.js';
import { openSuspensions } from '../../store/queries/suspension.js';
import type { Store } from '../../store/schema.js';
import { together } from '../../store/together.js';
import { lookUntil } from '../support/looks.js';
import { PATIENCE } from '../support/patience.js';
import { SERVER_URL } from '../support/postgres.js';
import { withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';
import { countedOf, intentOn, planOf, portfolioOf, questionOf } from './waiting-samples.js';

/** The embedded store has one transaction at a time: there what comes second waits for the end of the first. */
const AT_ONCE = SERVER_URL !== '';

/** What moves in the graph around a question, and how much waits for the question before and after. */
interface Move {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly question: ReturnType<typeof questionOf>;
  /** What is there before anything else. */
  readonly first: readonly JournalRow[];
  readonly move: (db: Store) => Promise<unknown>;
}

function moves(): readonly Move[] {
  const refund = intentOn('Refund');
  const question = questionOf(refund.id);
  const first = refund.rows;
  const later = intentOn('Report');
  const edge = { intent_id: later.id, dependency_id: refund.id, revision: 2 };
  const held = planOf(refund.id, ['pay', 'book'], { workflow: null });
  const ofPlan = questionOf(null, { plan_id: held.plan.id });
  const checkpoint = { after_task: held.ids[0], suspension_id: ofPlan.id } as never;
  const asked = { ...held.plan, checkpoints: [checkpoint], escalations: [] };
  const writing =
    (...rows: JournalRow[]) =>
    (db: Store) =>
      writeRows(db, rows);
  const one = { before: 1, after: 2, question, first };
  return [
    {
      ...one,
      name: 'an intent begins that depends on it',
      move: writing(...intentOn('Close', [refund.id]).rows),
    },
    {
      ...one,
      name: 'an intent comes to depend on it',
      first: [...first, ...later.rows],
      move: (db) => linkDependency(db, edge),
    },
    { ...one, name: 'its intent joins a portfolio', move: writing(...portfolioOf(refund.id).rows) },
    {
      ...one,
      name: 'its intent becomes a task of a plan',
      after: 4,
      move: writing(...planOf(refund.id, ['pay', 'book'], { workflow: null }).rows),
    },
    {
      name: 'its plan says that it asks',
      before: 0,
      after: 2,
      question: ofPlan,
      first: [...first, ...held.rows],
      move: writing({ kind: 'plan', plan: asked, revision: 2 }),
    },
  ];
}

describe('how much waits for a question that is opened while the graph moves', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);

  const blocksOf = (id: string) => countedOf(store, id);

  for (const [index, { name }] of moves().entries()) {
    const fresh = async (): Promise<Move> => {
      const move = moves()[index] ?? assert.fail();
      await write(...move.first);
      return move;
    };

    it(`is right where ${name} before the opening is committed`, async () => {
      const { question, move, after } = await fresh();
      let moved: Promise<unknown> = Promise.resolve();
      await store.db.transaction().execute(async (transaction) => {
        const opening = openSuspensions(transaction, [question.opened], 'default');
        await together(transaction, opening ? [opening.query] : []);
        moved = move(store.db);
        if (AT_ONCE) await lookUntil(() => countWaits(transaction), 'nobody waits');
      });
      await moved;
      // A writer that waited in vain leaves the count to whoever comes next.
      await recountBlocks(store.db);
      assert.equal(await blocksOf(question.id), after);
    });

    it(`is right where ${name}, and that is committed after the opening`, async () => {
      const { question, move, before, after } = await fresh();
      let moved: Promise<unknown> = Promise.resolve();
      await store.db.transaction().execute(async (transaction) => {
        await sql`lock table blocks_due in exclusive mode`.execute(transaction);
        moved = move(store.db);
        if (!AT_ONCE) return;
        await lookUntil(() => moveWaits(transaction), 'nobody waits');
        await write(question.opened);
        assert.equal(await blocksOf(question.id), before, 'nothing has moved yet');
      });
      if (!AT_ONCE) await write(question.opened);
      await moved;
      assert.equal(await blocksOf(question.id), after);
    });

    it(`is right where ${name}, and it is opened during the count`, async () => {
      const { question, move, after } = await fresh();
      await sql`alter function holdpoint_recount(integer) rename to holdpoint_away`.execute(
        store.db,
      );
      try {
        await move(store.db);
      } finally {
        await sql`alter function holdpoint_away(integer) rename to holdpoint_recount`.execute(
          store.db,
        );
      }
      let opened: Promise<unknown> = Promise.resolve();
      await store.db.transaction().execute(async (transaction) => {
        await recountBlocks(transaction);
        opened = write(question.opened);
        if (AT_ONCE) await lookUntil(() => countWaits(transaction), 'nobody waits');
      });
      await opened;
      assert.equal(await blocksOf(question.id), after);
    });
  }

  it('is counted while an erasure waits for the count', async () => {
    if (!AT_ONCE) return;
    const refund = intentOn('Refund');
    const [asked, next] = [questionOf(refund.id), questionOf(refund.id)];
    await write(...refund.rows, asked.opened);
    let erased: Promise<unknown> = Promise.resolve();
    await store.db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(1212370020, 2)`.execute(transaction);
      const erasure = { intent_id: refund.id, through_sequence: 0, event_sequence: 1 };
      const mark = { erased_at: '2026-03-24T10:00:00.000Z', erased_by: 'root' };
      erased = write({ kind: 'erasure', ...erasure, ...mark }, next.opened);
      await lookUntil(() => countWaits(transaction), 'nobody waits');
      await sql`set local lock_timeout = '2s'`.execute(transaction);
      await sql`update suspensions set blocks = 7 where id = ${asked.id}`.execute(transaction);
    });
    await erased;
    assert.equal(await blocksOf(asked.id), 7);
  });

  for (const name of ['an edge is added', 'rows are written'] as const) {
    it(`is left to the next count where ${name} and an opening takes long`, async () => {
      if (!AT_ONCE) return;
      const [refund, later] = [intentOn('Refund'), intentOn('Report')];
      const question = questionOf(refund.id);
      await write(...refund.rows, question.opened, ...later.rows);
      const edge = { intent_id: later.id, dependency_id: refund.id, revision: 2 };
      // Here no statement ends before the opening does, so who waits for the lock without an end waits in vain.
      const db = openDatabase(store.url, { patience: PATIENCE, statementTimeoutMs: 120_000 });
      await store.db.transaction().execute(async (transaction) => {
        await lockShared(transaction, 'counts');
        if (name === 'an edge is added') {
          assert.deepEqual(await linkDependency(db, edge), { ok: true, value: true });
        } else {
          await writeRows(db, [{ kind: 'dependency', ...edge, present: true }]);
        }
      });
      await db.destroy();
      assert.equal(await blocksOf(question.id), 1);
      assert.equal(await recountBlocks(store.db), 1);
      assert.equal(await blocksOf(question.id), 2);
    });
  }

  /** Whether a count waits for an opening, or an opening for a count. */
  async function countWaits(db: Store): Promise<boolean> {
    return waits(db, sql`locktype = 'advisory' and classid = 1212370020 and objid = 2`);
  }

  /** Whether what has moved the graph waits to leave that. */
  async function moveWaits(db: Store): Promise<boolean> {
    return waits(db, sql`locktype = 'relation' and relation = 'blocks_due'::regclass`);
  }
});

async function waits(db: Store, what: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (select from pg_locks where ${what} and not granted
      and database = (select oid from pg_database where datname = current_database())) as waits`.execute(
    db,
  );
  return rows[0]?.waits === true;
}
