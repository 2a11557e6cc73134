import assert from 'node:assert/strict';
import { sql, type RawBuilder } from 'kysely';
import { listBlocked } from '../../store/queries/blocks.js';
import { countSuspensions, listSuspensions, type InboxView } from '../../store/queries/inbox.js';
import type { Store } from '../../store/schema.js';
import { withStore, type TestStore } from '../support/store.js';
import { openExplained, rowsRead, type Explained } from './explained.js';
import { fillGraph } from './filled-graph.js';

const ROWS = 10_000;
const PAGE = { state: 'pending', limit: 100 } as const;
const NOW = '2026-01-02T00:00:00.000Z';

/** Open questions that name one of a hundred other people; three concern zoe, each in another way, and one her group. */
async function fill({ db }: Explained): Promise<void> {
  await sql`alter table suspensions disable trigger user`.execute(db);
  await sql`
    insert into suspensions (id, asked_by, question, response_type, suspended_at, expires_at,
      schedule, record, claim, delegates, state)
    select 's' || n, 'agent', 'Refund order ' || n || '?', 'text',
      timestamptz '2026-01-01Z' + n * interval '1 second',
      timestamptz '2026-02-01Z' + n * interval '1 second',
      '{"attempts": []}'::jsonb,
      jsonb_build_object('decision_rule', jsonb_build_object('eligible', case n
        when 9001 then '{"principals": ["zoe"]}'
        when 9002 then '{"groups": ["eu"]}'
        else jsonb_build_object('principals', jsonb_build_array('person-' || n % 100)) end)),
      case when n % 10 = 0 or n = 9003 then jsonb_build_object(
        'holder', case when n = 9003 then 'zoe' else 'person-' || n % 100 end,
        'claimed_at', '2026-01-01T00:00:00.000Z', 'expires_at', '2026-03-01T00:00:00.000Z') end,
      case when n = 9004 then '["zoe"]'::jsonb
        when n % 20 = 0 then jsonb_build_array('person-' || n % 50) end,
      'pending'
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
  await sql`alter table suspensions enable trigger user`.execute(db);
  await fillGraph(db, ROWS);
}

describe('the views of the inbox at 10,000 open questions', () => {
  let store: TestStore;
  let explained: Explained;
  before(async () => {
    store = await withStore();
    explained = openExplained(store.url);
    await fill(explained);
  });
  after(async () => {
    await explained.close();
    await store.close();
  });

  const ZOE: InboxView = {
    kind: 'for_me',
    by: { space: 'default', principal: 'zoe', roles: ['operator'], groups: [] },
    separation_of_duties: true,
    as_initiator: false,
  };
  const VIEWS: Readonly<Record<string, readonly [InboxView, string[]]>> = {
    'what waits for one person': [ZOE, ['s9001', 's9004']],
    'what one person has claimed': [{ kind: 'claimed', holder: 'zoe', now: NOW }, ['s9003']],
    'what names a group': [{ kind: 'groups', groups: ['eu'] }, ['s9002']],
  };

  /** Zoe has put nothing off that is in these views; the rows of others must not matter either. */
  const snoozed = { by: 'zoe', now: NOW, are: 'left out' } as const;

  for (const [name, [view, ids]] of Object.entries(VIEWS)) {
    it(`find ${name} without looking at the others`, async () => {
      const list = () => listSuspensions(explained.db, { ...PAGE, sort: 'urgency', view, snoozed });
      assert.deepEqual(
        (await list()).rows.map(({ entry }) => entry.id),
        ids,
      );
      const count = () => countSuspensions(explained.db, { view, snoozed });
      for (const query of [list, count]) {
        const nodes = await explained.planOf(query, { analyze: true });
        assert.ok(rowsRead(nodes) < 50, `${rowsRead(nodes)} rows are read`);
      }
    });
  }

  it('read once for all rows what a person has put off', async () => {
    const count = () => countSuspensions(explained.db, { snoozed });
    assert.equal((await count()).pending, ROWS);
    const nodes = await explained.planOf(count, { analyze: true });
    const reads = nodes.filter((node) => node['Relation Name'] === 'snoozes');
    const loops = reads.map((node) => node['Actual Loops'] ?? NaN);
    assert.ok(loops.length > 0 && Math.max(...loops) <= 10, `${String(loops)} times`);
  });

  it('read a page of everything by urgency, and no more than the page', async () => {
    for (const after of [undefined, ['2026-02-01T01:00:00.000Z', -1, NOW, 's1']]) {
      const nodes = await explained.planOf(
        () => listSuspensions(explained.db, { ...PAGE, sort: 'urgency', after }),
        { analyze: true },
      );
      assert.ok(rowsRead(nodes) <= 210, `${rowsRead(nodes)} rows are read`);
    }
  });

  /** Questions, and how much waits for each. */
  const WAITS: Readonly<Record<string, readonly [question: string, number]>> = {
    'an intent with a plan': ['s10', 7],
    'an intent of no plan': ['s7', 3],
    'an approval': ['s25', 4],
    'a plan that asks at a checkpoint': ['s23', 3],
  };

  for (const [name, [question, most]] of Object.entries(WAITS)) {
    it(`find what waits for the question of ${name} without looking at the rest`, async () => {
      const { db } = explained;
      // The first walk of a session plans it, and looks at the catalog.
      assert.equal((await listBlocked(db, question)).length, most);
      const walk = sql`select * from holdpoint_waits_of(${question}, 100)`;
      const pages = await pagesOf(db, walk);
      assert.ok(pages < 160, `${pages} pages are read`);
      assert.equal(await scannedBy((transaction) => walk.execute(transaction)), 0);
    });
  }

  /** How many rows a transaction reads of tables from end to end, functions included. */
  async function scannedBy(work: (transaction: Store) => Promise<unknown>): Promise<number> {
    return explained.db.transaction().execute(async (transaction) => {
      // The session counts since it has last told its figures, which may be before the transaction.
      const scanned = async () => {
        const { rows } = await sql<{ rows: number }>`
          select coalesce(sum(seq_tup_read), 0)::integer as rows from pg_stat_xact_user_tables`.execute(
          transaction,
        );
        return rows[0]?.rows ?? 0;
      };
      const before = await scanned();
      await work(transaction);
      return (await scanned()) - before;
    });
  }
});

/** How many pages of tables and indexes a query reads, those that are in memory and functions included. */
async function pagesOf(db: Store, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>`
    explain (analyze, buffers, format json) ${query}`.execute(db);
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? assert.fail();
  return (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
}
