import assert from 'node:assert/strict';
import { Kysely, sql } from 'kysely';
import type { CompiledQuery } from 'kysely';
import type { JournalRow } from '../../contracts/log/journal.js';
import { isQuestionChange } from '../../contracts/subscription/feed.js';
import { createDialect } from '../../store/database.js';
import { FeedEndFinder } from '../../store/feed/end.js';
import { readFeed } from '../../store/feed/source.js';
import { writeRows } from '../../store/journal-writer.js';
import { recountBlocks } from '../../store/queries/blocks.js';
import type { Database } from '../../store/schema.js';
import { lookUntil } from '../support/looks.js';
import { PATIENCE } from '../support/patience.js';
import { withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';
import { progressRow } from './rows.js';
import {
  approvalOf,
  countedOf,
  intentOn,
  planOf,
  portfolioOf,
  questionOf,
} from './waiting-samples.js';

describe('how much waits for a question', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);

  const blocksOf = (id: string) => countedOf(store, id);
  async function blocksOfIntent(id: string): Promise<number | undefined> {
    const found = store.db.selectFrom('suspensions').select('blocks').where('intent_id', '=', id);
    return (await found.executeTakeFirst())?.blocks;
  }
  const due = () => store.db.selectFrom('blocks_due').select(['kind', 'id']).execute();

  it('is counted again when the graph around it changes', async () => {
    const refund = intentOn('Refund');
    const question = questionOf(refund.id);
    await write(...refund.rows, question.opened);
    assert.equal(await blocksOf(question.id), 1);
    const close = intentOn('Close', [refund.id]);
    await write(...close.rows);
    assert.equal(await blocksOf(question.id), 2);
    const report = intentOn('Report', [close.id]);
    await write(...report.rows);
    assert.equal(await blocksOf(question.id), 3, 'what depends on it over another');
    const portfolio = portfolioOf(close.id);
    await write(...portfolio.rows);
    assert.equal(await blocksOf(question.id), 4);
    const over = { ...report.intent, status: 'abandoned', version: 2 } as const;
    await write({ kind: 'intent', intent: over, last_sequence: 2 });
    assert.equal(await blocksOf(question.id), 3);
    const [begun] = portfolio.rows;
    assert.ok(begun?.kind === 'portfolio');
    const done = { ...begun.portfolio, status: 'completed', version: 9 } as const;
    await write({ ...begun, portfolio: done, last_sequence: 9 });
    assert.equal(await blocksOf(question.id), 2);
    const edge = { intent_id: close.id, dependency_id: refund.id, revision: 9 };
    await write({ kind: 'dependency', ...edge, present: false });
    assert.equal(await blocksOf(question.id), 1);
  });

  it('is counted again when the tasks of its plan change, or the plan ends', async () => {
    const refund = intentOn('Refund');
    const { plan, tasks, rows } = planOf(refund.id, ['pay', 'book', 'tell'], { workflow: null });
    const [pay, , tell] = tasks;
    const checkpoint = (suspension_id: string) => ({ after_task: pay?.id, suspension_id }) as never;
    const [ofIntent, ofPlan] = [questionOf(refund.id), questionOf(null, { plan_id: plan.id })];
    await write(...refund.rows, ...rows, ofIntent.opened, ofPlan.opened);
    const counts = async () => [await blocksOf(ofIntent.id), await blocksOf(ofPlan.id)];
    assert.deepEqual(await counts(), [5, 0], 'the plan has not asked it');
    const held = { ...plan, checkpoints: [checkpoint(ofPlan.id)], escalations: [] };
    await write({ kind: 'plan', plan: held, revision: 2 });
    assert.deepEqual(await counts(), [5, 3]);
    assert.ok(tell);
    await write({ kind: 'task', task: { ...tell, status: 'skipped' }, revision: 2 });
    assert.deepEqual(await counts(), [4, 2]);
    await write({ kind: 'plan', plan: { ...held, state: 'cancelled' }, revision: 3 });
    assert.deepEqual(await counts(), [3, 1]);
  });

  it('is counted again when what depends on the intent of an approval changes', async () => {
    const refund = intentOn('Refund');
    const { id, opened, approval } = approvalOf(refund.id, 'run-9');
    await write(...refund.rows, opened);
    assert.equal(await blocksOf(id), 1, 'the run: whose intent it is comes with the approval');
    await write(approval);
    assert.equal(await blocksOf(id), 2);
    await write(...intentOn('Close', [refund.id]).rows);
    assert.equal(await blocksOf(id), 3);
  });

  it('is not counted by a change of the question alone', async () => {
    const refund = intentOn('Refund');
    const question = questionOf(refund.id);
    await write(...refund.rows, question.opened);
    await writeUncounted(progressRow(question.id, 1, 2));
    assert.equal(await blocksOf(question.id), 1);
  });

  it('is told to streams when it changes', async () => {
    const refund = intentOn('Refund');
    const question = questionOf(refund.id);
    await write(...refund.rows, question.opened);
    const { settled: after } = await new FeedEndFinder(store.db).look();
    await write(...intentOn('Close', [refund.id]).rows, ...intentOn('Close too', [refund.id]).rows);
    const { settled: upTo } = await new FeedEndFinder(store.db).look();
    const scope = { kind: 'questions', space: 'default' } as const;
    const { rows } = await readFeed(store.db, scope, { after, upTo, limit: 10 });
    const [entry, ...more] = rows.map(({ event }) => event);
    assert.ok(entry && isQuestionChange(entry));
    assert.deepEqual([entry.suspension_id, entry.change, more], [question.id, 'blocks', []]);
  });

  it('is announced to who listens when it changes, and only then', async () => {
    const refund = intentOn('Refund');
    const question = questionOf(refund.id);
    await write(...refund.rows, question.opened);
    let notices = 0;
    // The embedded store is asked whether notices reach anybody before the first one.
    const log = ({ query }: { readonly query: CompiledQuery }): void => {
      if (/pg_notify|version\(\)/.test(query.sql)) notices += 1;
    };
    const db = new Kysely<Database>({
      dialect: createDialect(store.url, { patience: PATIENCE }),
      log,
    });
    await writeRows(db, intentOn('Alone').rows);
    await db.selectFrom('intents').select('id').limit(1).execute();
    assert.equal(notices, 0);
    await writeRows(db, intentOn('Close', [refund.id]).rows);
    await lookUntil(async () => notices > 0, 'nobody is told');
    await db.destroy();
  });

  it('is counted by the next writer, or the reconciler, where a count failed', async () => {
    const refund = intentOn('Refund');
    const question = questionOf(refund.id);
    await write(...refund.rows, question.opened);
    const failing = async (...rows: JournalRow[]) => {
      assert.deepEqual(await writeUncounted(...rows), [], 'the write stands');
      assert.deepEqual(await due(), [{ kind: 'intent', id: refund.id }]);
    };
    await failing(...intentOn('Close', [refund.id]).rows);
    assert.equal(await blocksOf(question.id), 1);
    await write(...intentOn('Another', [intentOn('Alone').id]).rows);
    assert.equal(await blocksOf(question.id), 2);
    await failing(...intentOn('Report', [refund.id]).rows);
    assert.equal(await recountBlocks(store.db), 1);
    assert.equal(await blocksOf(question.id), 3);
    assert.deepEqual([await recountBlocks(store.db), await due()], [0, []]);
  });

  it('is counted in parts, however much has moved', async () => {
    const many = Array.from(
      { length: 1_100 },
      (_, n) => ({ kind: 'intent', id: `i${n}` }) as const,
    );
    await store.db.insertInto('blocks_due').values(many).execute();
    assert.equal(await recountBlocks(store.db), 0);
    assert.deepEqual(await due(), []);
  });

  it('is counted of 100 questions at once, around one portfolio of 250', async () => {
    const intents = Array.from({ length: 250 }, (_, n) => intentOn(`Refund ${n}`));
    const portfolio = portfolioOf(intents[0]?.id ?? '');
    const members = intents.map(({ id }) => portfolioOf(id).rows[1]);
    await write(...portfolio.rows);
    for (let at = 0; at < 250; at += 50) {
      const part = intents.slice(at, at + 50);
      await write(...part.flatMap(({ id, rows }) => [...rows, questionOf(id).opened]));
      await write(
        ...members.slice(at, at + 50).map((row) => {
          assert.ok(row?.kind === 'portfolio_member' && row.membership);
          const ids = { portfolio_id: portfolio.id };
          return { ...row, ...ids, membership: { ...row.membership, ...ids } };
        }),
      );
    }
    await lookUntil(async () => (await due()).length === 0, 'not all is counted');
    await sql`alter table suspensions disable trigger user`.execute(store.db);
    await sql`update suspensions set blocks = 90 where state = 'pending'`.execute(store.db);
    await sql`alter table suspensions enable trigger user`.execute(store.db);
    await store.db
      .insertInto('blocks_due')
      .values({ kind: 'portfolio', id: portfolio.id })
      .execute();
    const { rows } = await sql<{ remaining: boolean; changed: number }>`
      select remaining, changed from holdpoint_recount(100)`.execute(store.db);
    assert.deepEqual(rows, [{ remaining: true, changed: 100 }]);
    assert.equal((await due()).length, 150);
    assert.equal(await recountBlocks(store.db), 150);
    assert.deepEqual(await due(), []);
    const [row] = portfolio.rows;
    assert.ok(row?.kind === 'portfolio');
    const ended = { ...row.portfolio, status: 'completed', version: 2 } as const;
    await write({ ...row, portfolio: ended, last_sequence: 2 });
    assert.ok((await due()).length > 0, 'who writes waits for the first part alone');
    await lookUntil(async () => (await due()).length === 0, 'not all is counted');
    const counts = await Promise.all(intents.map(({ id }) => blocksOfIntent(id)));
    assert.ok(counts.every((blocks) => blocks === 1));
  });

  /** Writes rows while the function that counts is away. */
  async function writeUncounted(...rows: JournalRow[]) {
    await sql`alter function holdpoint_blocks(suspensions) rename to holdpoint_away`.execute(
      store.db,
    );
    try {
      return await write(...rows);
    } finally {
      await sql`alter function holdpoint_away(suspensions) rename to holdpoint_blocks`.execute(
        store.db,
      );
    }
  }
});
