import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { listEvents } from '../../store/queries/event-log.js';
import { listIntents } from '../../store/queries/intent.js';
import { countSuspensions, listSuspensions, type InboxView } from '../../store/queries/inbox.js';
import {
  approvalOfQuestion,
  questionsOfApprovals,
} from '../../store/queries/erasure/erase-approvals.js';
import { runLogEnd } from '../../store/queries/run-log.js';
import { inSpace } from '../../store/in-space.js';
import { removeRuns } from '../../store/retention/removal.js';
import { listPortfolios } from '../../store/queries/portfolio.js';
import { listSubscriptions } from '../../store/queries/people/subscription.js';
import { findSettled, findSuspension } from '../../store/queries/suspension.js';
import {
  openQuestions,
  openQuestionsOf,
  waitingApprovals,
} from '../../store/queries/work/unsettled.js';
import type { Store } from '../../store/schema.js';
import { withStore, type TestStore } from '../support/store.js';
import { openExplained, type Explained, type PlanNode } from '../store/explained.js';

const ROWS = 100_000;

/** What reads the rows of a page; all before it works on the page alone, to end it where its bytes are used up. */
function reading(nodes: readonly PlanNode[]): readonly PlanNode[] {
  return nodes.slice(nodes.findIndex((node) => node['Node Type'] === 'Limit'));
}

const TABLES = [
  'suspensions',
  'intents',
  'events',
  'subscriptions',
  'portfolios',
  'approvals',
  'runs',
  'run_events',
];

/**
 * Fills the tables, and then builds each index in one go: row by row it takes several times as long. The triggers
 * look for what was erased, and here nothing was.
 */
async function fill(db: Store): Promise<void> {
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.schemaname = current_schema() and i.tablename = any(${TABLES})
      and not exists (select from pg_constraint c where c.conname = i.indexname)`.execute(db);
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(db);
  for (const table of TABLES) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  }
  await insertRows(db);
  for (const { definition } of indexes) await sql.raw(definition).execute(db);
  for (const table of TABLES) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}

/** Rows as the journal would have left them: half of them open, every hundredth by Slack or for a group, every tenth for an approval. */
async function insertRows(db: Store): Promise<void> {
  await sql`
    insert into suspensions (id, intent_id, asked_by, question, response_type, suspended_at,
      expires_at, schedule, record, state, resolution, settled_at)
    select 's' || n, 'i' || n, 'agent-' || n % 500, 'Refund order ' || n || '?', 'choice',
      timestamptz '2026-01-01Z' + n * interval '1 second',
      case when n % 3 > 0 then timestamptz '2026-01-02Z' + n * interval '1 second' end,
      jsonb_build_object('attempts', jsonb_build_array(jsonb_build_object('attempt', 1,
        'channel_hint', case when n % 100 = 0 then 'slack' end,
        'notify_to', case when n % 1000 = 0 then 'lead' end, 'ladder', '[]'::jsonb))),
      case when n % 10 = 0 then jsonb_build_object('approval', jsonb_build_object('proposal',
        jsonb_build_object('approval_id', 'a' || n))) else '{}'::jsonb end
        || case when n % 100 = 2 then jsonb_build_object('decision_rule', jsonb_build_object(
          'eligible', jsonb_build_object('groups', jsonb_build_array('eu'))))
          else '{}'::jsonb end,
      case when n % 2 = 0 then 'pending' else 'settled' end,
      case when n % 2 = 1 then 'responded' end, null
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
  // What all questions have in common is looked at once, for it takes long.
  await sql`
    update suspensions set searched = lower(question), grams = alike.grams || holdpoint_grams(id)
    from (select holdpoint_grams('refund order') as grams) alike`.execute(db);
  await sql`
    insert into intents (id, version, status, title, created_by, created_at, updated_at,
      last_sequence, record)
    select 'i' || n, 1, case when n % 50 = 0 then 'blocked' else 'active' end, 'Refund', 'agent',
      timestamptz '2026-01-01Z' + n * interval '1 second', now(), 1, '{}'::jsonb
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
  await sql`
    insert into events (intent_id, sequence, id, event_type, actor, principal, payload, created_at,
      payload_commitment, event_hash)
    select 'i' || n % 4, n, 'e' || n, case when n % 500 = 0 then 'rare' else 'note' end, 'agent', 'agent',
      '{}'::jsonb, now(), '', ''
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
  await sql`
    insert into subscriptions (id, portfolio_id, created_by, created_at, active, record)
    select 's' || n, 'p' || n % 500, 'agent-' || n % 500,
      timestamptz '2026-01-01Z' + n * interval '1 second', true, '{}'::jsonb
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
  await sql`
    insert into portfolios (id, version, status, created_by, created_at, last_sequence, record)
    select 'p' || n, 1, case when n % 500 = 0 then 'abandoned' else 'active' end,
      'agent-' || n % 500, timestamptz '2026-01-01Z' + n * interval '1 second', 1,
      jsonb_build_object('id', 'p' || n)
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
  await insertApprovals(db);
}

/** Every fiftieth waits; a run has ten. */
async function insertApprovals(db: Store): Promise<void> {
  await sql`
    insert into approvals (id, revision, run_id, asked_by, status, risk_class, created_at,
      resolved_at, ended_at, proposed, record)
    select 'a' || n, 1, 'r' || n / 10, 'agent-' || n % 500,
      case when n % 50 = 0 then 'pending' else 'approved' end, 'high',
      timestamptz '2026-01-01Z' + n * interval '1 second',
      case when n % 50 > 0 then timestamptz '2026-01-02Z' + n * interval '1 second' end,
      case when n % 50 > 0 then timestamptz '2026-01-02Z' + n * interval '1 second' end,
      '{}'::jsonb, '{}'::jsonb
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
  await sql`
    insert into runs (run_id, last_sequence, last_at)
    select 'r' || n, 10, timestamptz '2026-01-01Z' + n * interval '1 second'
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
  await sql`
    insert into run_events (run_id, sequence, key, id, event_type, actor, principal, payload,
      payload_commitment, created_at, event_hash)
    select 'r' || n / 10, 1 + n % 10, 'approval:a' || n, 'e' || n, 'note', 'agent', 'agent',
      '{}'::jsonb, '', now(), ''
    from generate_series(1, ${ROWS}::integer) n`.execute(db);
}

describe('plans at 100,000 rows', () => {
  let store: TestStore;
  let db: Store;
  let explained: Explained;
  before(async () => {
    store = await withStore();
    explained = openExplained(store.url);
    ({ db } = explained);
    await fill(db);
  });
  after(async () => {
    await explained.close();
    await store.close();
  });

  const planOf = (query: () => Promise<unknown>) => explained.planOf(query);

  const PAGE = { state: 'pending', limit: 100 } as const;
  const FIRST = { limit: 100, offset: 0 } as const;
  const AT = '2026-01-01T10:00:00.000Z';
  const FOR_ALICE: InboxView = {
    kind: 'for_me',
    by: { space: 'default', principal: 'alice', roles: ['operator'], groups: ['eu'] },
    separation_of_duties: true,
    as_initiator: false,
  };
  const QUERIES: Readonly<Record<string, () => Promise<unknown>>> = {
    'the inbox by urgency': () => listSuspensions(db, { ...PAGE, sort: 'urgency' }),
    'a later page by urgency': () =>
      listSuspensions(db, { ...PAGE, sort: 'urgency', after: ['infinity', -1, AT, 's1'] }),
    'the inbox by asker': () => listSuspensions(db, { ...PAGE, sort: 'asker' }),
    'a later page by asker': () =>
      listSuspensions(db, { ...PAGE, sort: 'asker', after: ['agent-7', AT, 's1'] }),
    'the inbox by risk': () => listSuspensions(db, { ...PAGE, sort: 'risk' }),
    'a later page by risk': () =>
      listSuspensions(db, { ...PAGE, sort: 'risk', after: [5, 'infinity', AT, 's1'] }),
    'settled questions by risk': () =>
      listSuspensions(db, { ...PAGE, state: 'settled', sort: 'risk' }),
    'what somebody answered': () =>
      listSuspensions(db, {
        ...PAGE,
        state: 'settled',
        sort: 'settled',
        view: { kind: 'answered', answerer: 'person-7' },
      }),
    'the inbox by age': () => listSuspensions(db, { ...PAGE, sort: 'oldest' }),
    'a later page, newest first': () =>
      listSuspensions(db, { ...PAGE, sort: 'newest', after: [AT, 's1'] }),
    'the questions of an agent': () =>
      listSuspensions(db, { ...PAGE, sort: 'newest', asked_by: 'agent-7' }),
    'the questions of an intent': () =>
      listSuspensions(db, { ...PAGE, sort: 'newest', intent_id: 'i7' }),
    'what was answered': () =>
      listSuspensions(db, { ...PAGE, state: 'settled', sort: 'newest', resolution: 'responded' }),
    'a rare channel': () => listSuspensions(db, { ...PAGE, sort: 'urgency', channels: ['slack'] }),
    'a rare recipient': () => listSuspensions(db, { ...PAGE, sort: 'urgency', recipient: 'lead' }),
    'what waits for one person': () =>
      listSuspensions(db, { ...PAGE, sort: 'urgency', view: FOR_ALICE }),
    'what somebody holds': () =>
      listSuspensions(db, {
        ...PAGE,
        sort: 'urgency',
        view: { kind: 'claimed', holder: 'alice', now: AT },
      }),
    'what names a group': () =>
      listSuspensions(db, { ...PAGE, sort: 'urgency', view: { kind: 'groups', groups: ['eu'] } }),
    'settled questions that name a group': () =>
      listSuspensions(db, { ...PAGE, state: 'settled', sort: 'newest', group: 'eu' }),
    'counts of a group': () => countSuspensions(db, { group: 'eu' }),
    'a text': () => listSuspensions(db, { ...PAGE, sort: 'urgency', text: 'order 4712' }),
    'two characters': () => listSuspensions(db, { ...PAGE, sort: 'urgency', text: '東京' }),
    'all counts': () => countSuspensions(db, {}),
    'counts of an agent': () => countSuspensions(db, { asked_by: 'agent-7' }),
    'open questions of every space': () =>
      openQuestions(db, {
        until: AT,
        after: { id: 's1', space: '', asked_at: AT },
        limit: 200,
      }),
    'approvals of every space that wait': () =>
      waitingApprovals(db, {
        until: AT,
        after: { id: 'a1', space: '', asked_at: AT },
        limit: 200,
      }),
    'the open questions of an approval': () => openQuestionsOf(db, { id: 'a10', space: 'default' }),
    'the questions of approvals': () => questionsOfApprovals(db, ['a10', 'a20']),
    'the approval of a question': () => approvalOfQuestion(db, 's10'),
    'the end of the log of a run': () => runLogEnd(inSpace(db, 'default'), 'r7'),
    'runs in which nothing happened': () => removeRuns(db, new Date(0)),
    'a suspension': () => findSuspension(db, `s${ROWS}`),
    'a settled suspension': () => findSettled(db, `s${ROWS}`),
    intents: () => listIntents(db, FIRST),
    'intents of a status': () => listIntents(db, { ...FIRST, status: 'blocked' }),
    'events of an intent': () => listEvents(db, 'i1', FIRST),
    'events of a type': () => listEvents(db, 'i0', { ...FIRST, event_type: 'rare' }),
    subscriptions: () => listSubscriptions(db, FIRST),
    'the subscriptions of an agent': () =>
      listSubscriptions(db, { ...FIRST, created_by: 'agent-7' }),
    'the subscriptions of a portfolio': () =>
      listSubscriptions(db, { ...FIRST, portfolio_id: 'p7' }),
    portfolios: () => listPortfolios(db, FIRST),
    'the portfolios of an agent': () => listPortfolios(db, { ...FIRST, created_by: 'agent-7' }),
    'portfolios of a rare status': () => listPortfolios(db, { ...FIRST, status: 'abandoned' }),
  };
  for (const [name, query] of Object.entries(QUERIES)) {
    it(`read ${name} by an index`, async () => {
      const scanned = (await planOf(query)).filter((node) =>
        node['Node Type'].endsWith('Seq Scan'),
      );
      assert.deepEqual(
        scanned.map((node) => node['Relation Name']),
        [],
      );
    });
  }

  for (const name of [
    'the inbox by urgency',
    'a later page by urgency',
    'the inbox by asker',
    'a later page by asker',
    'the inbox by risk',
    'a later page by risk',
    'settled questions by risk',
    'the inbox by age',
  ]) {
    it(`read ${name} in its order, without sorting`, async () => {
      const nodes = await planOf(QUERIES[name] ?? assert.fail());
      assert.deepEqual(
        reading(nodes).map((node) => node['Node Type']),
        ['Limit', 'Index Scan'],
      );
    });
  }

  for (const name of [
    'the subscriptions of an agent',
    'the subscriptions of a portfolio',
    'the portfolios of an agent',
    'portfolios of a rare status',
  ]) {
    it(`read ${name} in its order, and no row of another`, async () => {
      const nodes = await planOf(QUERIES[name] ?? assert.fail());
      assert.deepEqual(
        reading(nodes).map((node) => [node['Node Type'], node.Filter]),
        [
          ['Limit', undefined],
          ['Index Scan', undefined],
        ],
      );
    });
  }

  it('would be found out: a column without an index is scanned', async () => {
    const nodes = await planOf(() =>
      db.selectFrom('suspensions').select('id').where('question', '=', randomUUID()).execute(),
    );
    assert.ok(nodes.some((node) => node['Node Type'].endsWith('Seq Scan')));
  });
});
