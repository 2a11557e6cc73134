import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { queriesOf } from '../../api/parts/reads/from-store.js';
import { exportLogs } from '../../api/usecases/log/checkpoints.js';
import type { Checkpoint } from '../../contracts/log/checkpoint.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { settledBefore } from '../../domain/log/checkpoint.js';
import { checkpointKeyOf } from '../../runtime/checkpoint-key.js';
import { callerOf } from '../api/support/fakes.js';
import { fakeParts } from '../api/support/parts.js';
import { checkWholeExport } from '../../store/checked-export.js';
import { writeRows } from '../../store/journal-writer.js';
import { eraseClosedIntent } from '../../store/queries/erasure/erasure.js';
import { insertEvents } from '../../store/queries/event-log.js';
import { refusedRows } from '../../store/queries/work/quarantine.js';
import { isRemoved } from '../../store/queries/erasure/erasure-marks.js';
import { markSettled } from '../../store/retention/marks.js';
import { removeMarked, removeRuns } from '../../store/retention/removal.js';
import { takeCheckpoint } from '../../store/take-checkpoint.js';
import { useStore } from '../support/store.js';
import { FATES, tablesWith as allTablesWith } from './erasure-columns.js';
import { asked, lived, wholeLife } from './retention-samples.js';
import { instant } from './rows.js';

const KEY = checkpointKeyOf(new Uint8Array(32).fill(7));
const DAYS = 30;
/** The rows of the tests are of January. */
const NOW = new Date('2026-03-01T00:00:00.000Z');
const now = () => NOW;
const OPTIONS = { at: NOW, before: settledBefore(NOW, DAYS) };
/** What stays of a thing that is removed. */
const LEFT = new Set(['retention_tombstones', 'checkpoint_leaves', 'runs']);

describe('retention', () => {
  const store = useStore('emptied');

  const write = (...rows: readonly JournalRow[]) => writeRows(store.db, rows);
  const mark = () => markSettled(store.db, OPTIONS);
  const remove = (signs = false) => removeMarked(store.db, { at: NOW, signs });
  const sign = async (settledDays: number | undefined = DAYS) =>
    takeCheckpoint(store.db, { key: KEY, now, settledDays });

  async function retire(): Promise<void> {
    await mark();
    await remove();
    await removeRuns(store.db, OPTIONS.before);
  }

  /** The tables that have something about an id. */
  async function tablesWith(id: string): Promise<string[]> {
    return (await allTablesWith(store.db, id)).filter((table) => !LEFT.has(table));
  }

  async function isThere(id: string): Promise<boolean> {
    return (await tablesWith(id)).length > 0;
  }

  /** Checks an export of the store against a checkpoint, as an auditor does. */
  async function check({ number }: Checkpoint) {
    const { parts } = fakeParts({ deps: { store: queriesOf(store.db) } });
    const { checkpoint, lines } = await exportLogs.run(
      { caller: callerOf('admin'), parts },
      number,
    );
    async function* texts() {
      for await (const line of lines) yield JSON.stringify(line);
      yield JSON.stringify({ end_of_export: {} });
    }
    const { faults, ...counts } = await checkWholeExport(texts(), checkpoint);
    return { ...counts, faults: faults.map(({ kind }) => kind) };
  }

  it('removes a closed intent with everything that belongs to it', async () => {
    const { id, question, approval } = await wholeLife(store.db);
    const young = lived(2, 'completed', { updated_at: NOW.toISOString() });
    const open = lived(2, 'active');
    await write(...young.rows, ...open.rows);
    const before = [...(await tablesWith(id)), ...(await tablesWith(question.id))];
    const kept = [
      'portfolios',
      'portfolio_memberships',
      'agents',
      'channel_checks',
      'checkpoints',
      'key_principals',
      'looks',
      'principal_sights',
      'push_news',
      'push_subscriptions',
      'pushes',
      'quiet_hours',
      'runs_set_aside',
      'saved_views',
      'sessions',
      'sign_in_links',
    ];
    const without = Object.keys(FATES).filter((table) => !before.includes(table));
    assert.deepEqual(new Set(without), new Set([...kept, ...LEFT]));
    await retire();
    assert.deepEqual(await tablesWith(id), []);
    assert.deepEqual(await tablesWith(question.id), []);
    assert.deepEqual(await tablesWith(approval.id), []);
    assert.equal(await isRemoved(store.db, 'intent', id), true);
    assert.equal(await isRemoved(store.db, 'approval', approval.id), true);
    for (const other of [young, open]) assert.ok(await isThere(other.id));
  });

  it('removes questions without an intent, and portfolios', async () => {
    const settled = asked(null);
    const pending = asked(null, 'pending');
    const portfolios = (['completed', 'active'] as const).map((status) => ({
      id: randomUUID(),
      status,
    }));
    await write(...settled.rows, ...pending.rows);
    for (const { id, status } of portfolios) {
      await sql`
        insert into portfolios (id, version, status, created_by, created_at, last_sequence, record)
        values (${id}, 1, ${status}, 'agent-1', ${instant(0)}, 1, '{}')`.execute(store.db);
    }
    await retire();
    assert.deepEqual(await tablesWith(settled.id), []);
    assert.ok(await isThere(pending.id));
    const there = await Promise.all(portfolios.map(({ id }) => isThere(id)));
    assert.deepEqual(there, [false, true]);
  });

  it('writes at most 200 rows a transaction, however much there is', async () => {
    const long = lived(450);
    const many = Array.from({ length: 230 }, () => lived(1));
    for (let from = 0; from < 450; from += 150) await write(...long.rows.slice(from, from + 150));
    await write(...long.rows.slice(450));
    for (let from = 0; from < many.length; from += 50) {
      await write(...many.slice(from, from + 50).flatMap(({ rows }) => rows));
    }
    const questions = Array.from({ length: 210 }, () => asked(long.id));
    for (let from = 0; from < 210; from += 60) {
      await write(...questions.slice(from, from + 60).flatMap(({ rows }) => rows));
    }
    await sql`create table written (transaction bigint)`.execute(store.db);
    await sql`
      create function count_row() returns trigger language plpgsql as $$
      begin insert into written values (txid_current()); return null; end $$`.execute(store.db);
    for (const table of Object.keys(FATES)) {
      await sql`
        create trigger counted after insert or update or delete on ${sql.table(table)}
        for each row execute function count_row()`.execute(store.db);
    }
    await retire();
    const { rows } = await sql<{ most: number; all: number }>`
      select max(count)::integer as most, sum(count)::integer as all
      from (select count(*) from written group by transaction) each`.execute(store.db);
    const [{ most, all } = assert.fail()] = rows;
    assert.ok(most <= 200, `${most} rows in one transaction`);
    assert.ok(all > 1_500, `${all} rows in all`);
    assert.deepEqual(await tablesWith(long.id), []);
    assert.ok(!(await isThere(many.at(-1)?.id ?? '')));
  });

  describe('keeps an intent', () => {
    /** A closed intent that something keeps, until that lets it go. */
    async function assertKept(
      hold: (id: string) => Promise<unknown>,
      release: (id: string) => Promise<unknown>,
    ): Promise<void> {
      const { id, rows } = lived();
      await write(...rows);
      await hold(id);
      await retire();
      assert.ok(await isThere(id), 'it is gone');
      await release(id);
      await retire();
      assert.ok(!(await isRemoved(store.db, 'intent', randomUUID())));
      assert.ok(await isRemoved(store.db, 'intent', id), 'it is still there');
    }
    const run = (query: ReturnType<typeof sql>) => query.execute(store.db);

    it('that belongs to an open portfolio', async () => {
      const portfolio = randomUUID();
      await assertKept(
        async (id) => {
          await run(sql`
            insert into portfolios (id, version, status, created_by, created_at, last_sequence, record)
            values (${portfolio}, 1, 'active', 'agent-1', ${instant(0)}, 1, '{}')`);
          await run(sql`
            insert into portfolio_memberships (portfolio_id, intent_id, revision, membership)
            values (${portfolio}, ${id}, 1, '{}')`);
        },
        () => run(sql`update portfolios set status = 'completed'`),
      );
    });

    it('that an open one depends on', async () => {
      const open = lived(2, 'active');
      await assertKept(
        (id) =>
          write(...open.rows, {
            kind: 'dependency',
            intent_id: open.id,
            dependency_id: id,
            revision: 1,
            present: true,
          }),
        () => run(sql`update intents set status = 'abandoned'`),
      );
    });

    it('that has a child which is kept, and goes after it', async () => {
      await assertKept(
        (id) => write(...lived(2, 'active', { parent_intent_id: id }).rows),
        () => run(sql`update intents set status = 'abandoned'`),
      );
    });

    it('that has an open question, plan, task or coordinator', async () => {
      await assertKept(
        (id) => write(...asked(id, 'pending').rows),
        () => run(sql`update suspensions set state = 'settled', settled_at = ${instant(3)}`),
      );
      await assertKept(
        (id) =>
          run(sql`
            insert into plans (id, intent_id, state, revision, created_at, record)
            values (${randomUUID()}, ${id}, 'paused', 1, now(), '{}')`),
        () => run(sql`update plans set state = 'cancelled'`),
      );
      await assertKept(
        (id) =>
          run(sql`
            insert into tasks (id, intent_id, status, revision, created_at, record)
            values (${randomUUID()}, ${id}, 'failed', 1, now(), '{}')`),
        () => run(sql`update tasks set status = 'cancelled'`),
      );
      await assertKept(
        (id) =>
          run(sql`
            insert into coordinators (id, version, intent_id, granted_at, record)
            values (${randomUUID()}, 1, ${id}, now(), '{"status": "active"}')`),
        () => run(sql`update coordinators set record = '{"status": "completed"}'`),
      );
    });

    it('whose task another one waits for', async () => {
      const task = randomUUID();
      const other = lived(2, 'active');
      await assertKept(
        async (id) => {
          await write(...other.rows);
          await run(sql`
            insert into tasks (id, intent_id, status, revision, created_at, record) values
              (${task}, ${id}, 'completed', 1, now(), '{}'),
              (${randomUUID()}, ${other.id}, 'pending', 1, now(),
                ${JSON.stringify({ depends_on: [task] })}::jsonb)`);
        },
        () => run(sql`update tasks set status = 'cancelled'`),
      );
    });
  });

  it('writes nothing of a batch that comes late, and refuses nothing of it', async () => {
    const intent = lived();
    const question = asked(intent.id);
    const rows = [...intent.rows, ...question.rows];
    await write(...rows);
    await retire();
    assert.deepEqual(await write(...rows, ...lived(1).rows), []);
    assert.deepEqual(await tablesWith(intent.id), []);
    assert.deepEqual(await tablesWith(question.id), []);
    assert.deepEqual(await refusedRows(store.db, intent.id), []);
  });

  it('waits for what is under way, and removes that too', async () => {
    const { db } = store;
    const { id, rows, log } = lived(4);
    await write(...rows.filter((row) => row.kind === 'intent' || row.event.sequence < 4));
    await mark();
    // Opens a second connection before the first is taken.
    await Promise.all([1, 2].map(() => sql`select 1`.execute(db)));
    let removal: Promise<number> | undefined;
    await db.transaction().execute(async (transaction) => {
      await insertEvents(transaction, log.slice(3), 'default');
      removal = remove();
      for (let looks = 0; looks < 10; looks += 1) await sql`select 1`.execute(transaction);
    });
    assert.equal(await removal, 1);
    assert.deepEqual(await tablesWith(id), []);
  });

  it('and an erasure that comes at once do not block each other', async () => {
    const all = Array.from({ length: 3 }, () => lived());
    await write(...all.flatMap(({ rows }) => rows));
    await mark();
    const order = { by: 'root', actor: 'root', at: instant(9) };
    const erasures = all.map(({ id }) => eraseClosedIntent(store.db, id, order));
    await Promise.all([remove(), ...erasures]);
    await remove();
    for (const { id } of all) assert.deepEqual(await tablesWith(id), []);
  });

  it('goes on where it was cut off, and every checkpoint in between is proven', async () => {
    const long = lived(450);
    for (let from = 0; from < 451; from += 200) await write(...long.rows.slice(from, from + 200));
    const other = lived(2, 'active');
    const question = asked(long.id);
    await write(...other.rows, ...question.rows);
    const first = (await sign()).checkpoint;
    assert.deepEqual(await check(first), { proven: 3, retired: 0, events: 453, faults: [] });
    assert.equal(await mark(), 2);
    // Nothing goes before a checkpoint says so.
    assert.equal(await remove(true), 0);
    assert.deepEqual((await check(first)).faults, []);
    const second = (await sign()).checkpoint;
    assert.deepEqual(await check(second), { proven: 1, retired: 2, events: 2, faults: [] });
    let steps = 0;
    const cut = removeMarked(store.db, { at: NOW, signs: true }, () => {
      if (++steps === 9) throw new Error('killed');
    });
    await assert.rejects(cut, /killed/);
    const left = await tablesWith(long.id);
    assert.deepEqual(left, ['events'], 'half of the log is gone');
    const { checkpoint: third, broken } = await sign();
    assert.deepEqual([broken, third.root_hash], [[], second.root_hash]);
    assert.deepEqual((await check(third)).faults, []);
    await remove(true);
    assert.deepEqual(await tablesWith(long.id), []);
    const { checkpoint: fourth } = await sign();
    assert.deepEqual(await check(fourth), { proven: 1, retired: 2, events: 2, faults: [] });
    const leaf = await store.db
      .selectFrom('checkpoint_leaves')
      .select(['sequence', 'head_hash', 'removed'])
      .where('id', '=', long.id)
      .orderBy('checkpoint', 'desc')
      .executeTakeFirst();
    const head_hash = long.log.at(-1)?.event_hash;
    assert.deepEqual(leaf, { sequence: 450, head_hash, removed: 'retention' });
  });

  it('does not cover up for a log that somebody took away', async () => {
    const [taken, forged, young] = [lived(), lived(), lived(2, 'completed')];
    await write(...taken.rows, ...forged.rows, ...young.rows);
    await sign();
    const { db } = store;
    const gone = [taken.id, forged.id];
    await db.deleteFrom('events').where('intent_id', 'in', gone).execute();
    await db.deleteFrom('intents').where('id', 'in', gone).execute();
    const tomb = { kind: 'intent', reason: 'retention', marked_at: NOW.toISOString() } as const;
    const end = { last_sequence: 3, head_hash: forged.log.at(-1)?.event_hash ?? '' };
    await db
      .insertInto('retention_tombstones')
      .values([
        { ...tomb, ...end, id: forged.id, removed_at: NOW.toISOString() },
        { ...tomb, ...end, id: young.id, removed_at: null },
      ])
      .execute();
    // With 90 days, the marked one is too young, whatever the store says.
    const { checkpoint } = await sign(90);
    assert.deepEqual((await check(checkpoint)).faults, ['removed', 'removed']);
    assert.equal((await check(checkpoint)).retired, 0);
    const without = (await takeCheckpoint(db, { key: KEY, now })).checkpoint;
    assert.equal((await check(without)).retired, 0);
  });

  it('takes a mark back from what is held by now, in the next checkpoint too', async () => {
    const { id, rows } = lived();
    await write(...rows);
    await mark();
    await sign();
    await write(...lived(2, 'active', { parent_intent_id: id }).rows);
    assert.equal(await remove(true), 0);
    assert.equal(await mark(), 0);
    const { checkpoint } = await sign();
    assert.deepEqual(await check(checkpoint), { proven: 2, retired: 0, events: 5, faults: [] });
  });
});
