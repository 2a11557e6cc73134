import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { migrateToLatest } from '../../store/migrate.js';
import { up as findRefused } from '../../store/migrations/0061-refused-rows-of-approvals.js';
import { storeState } from '../../store/migration-state.js';
import { openPatiently } from '../support/patience.js';
import { withEmptyDatabase } from '../support/store.js';

const MIGRATIONS = [
  '0001-journal',
  '0002-delivery-tries',
  '0003-event-hashes',
  '0004-inbox',
  '0005-feed',
  '0006-portfolios',
  '0007-graph',
  '0008-plans',
  '0009-coordinators',
  '0010-subscriptions',
  '0011-escalations',
  '0012-agents',
  '0013-container-lists',
  '0014-feed-of-former-members',
  '0015-principals',
  '0016-tracing-and-sizes',
  '0017-keys-and-quarantine',
  '0019-payload-commitments',
  '0020-access-lists',
  '0021-votes',
  '0022-key-principals',
  '0023-erasure',
  '0025-timeline-chains',
  '0026-checkpoints',
  '0027-spaces',
  '0028-retention',
  '0029-spaces-of-questions',
  '0030-snapshots',
  '0031-approvals',
  '0033-pauses',
  '0034-agent-checkpoints',
  '0035-feed-of-runs',
  '0036-runs',
  '0037-retention-of-approvals',
  '0038-erasure-of-approvals',
  '0039-verbs',
  '0040-amended-questions',
  '0041-inbox-views',
  '0042-feed-of-questions',
  '0043-sessions',
  '0044-follow-ups',
  '0048-what-questions-block',
  '0049-messages-of-a-question',
  '0053-who-asked',
  '0054-what-approvals-block',
  '0055-found-by-index',
  '0056-counted-in-parts',
  '0057-sessions-of-a-person',
  '0058-delegations-taken-back',
  '0059-newest-tries',
  '0060-channel-checks',
  '0061-refused-rows-of-approvals',
  '0062-sights-of-principals',
  '0063-news-of-followed-messages',
  '0065-when-questions-ended',
  '0066-who-can-answer',
  '0068-parts-of-words',
  '0070-runs-set-aside',
  '0071-keys-of-creations',
  '0072-names-and-digits-of-all-scripts',
];

describe('migrations', () => {
  let database: Awaited<ReturnType<typeof withEmptyDatabase>>;
  beforeEach(async () => {
    database = await withEmptyDatabase();
  });
  afterEach(() => database.close());

  it('run once when six processes start together', async () => {
    const starts = Array.from({ length: 6 }, () => migrateToLatest(database.url));
    assert.deepEqual((await Promise.all(starts)).flat(), MIGRATIONS);
    assert.deepEqual(await migrateToLatest(database.url), []);
    const db = openPatiently(database.url);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    assert.deepEqual(
      rows,
      MIGRATIONS.map((name) => ({ name })),
    );
    const tables = (await db.introspection.getTables()).map(({ name }) => name).sort();
    assert.deepEqual(tables, [
      'agents',
      'approvals',
      'blocks_due',
      'channel_checks',
      'checkpoint_leaves',
      'checkpoints',
      'coordinators',
      'deliveries',
      'delivery_tries',
      'dependencies',
      'erasures',
      'events',
      'feed_members',
      'intents',
      'journal_quarantine',
      'key_principals',
      'plans',
      'portfolio_intents',
      'portfolio_members',
      'portfolio_memberships',
      'portfolios',
      'principal_sights',
      'retention_tombstones',
      'run_events',
      'runs',
      'runs_set_aside',
      'sessions',
      'sign_in_links',
      'snapshots',
      'subscriptions',
      'suspension_timeline',
      'suspensions',
      'tasks',
    ]);
    await db.destroy();
  });

  it('stay where one after them fails, in a store that had some', async () => {
    await migrateToLatest(database.url);
    const db = openPatiently(database.url);
    await sql`alter table journal_quarantine drop column approval_id`.execute(db);
    await sql`alter table deliveries drop column news`.execute(db);
    await sql`alter table key_principals drop column answers, drop column groups`.execute(db);
    await sql`drop index suspensions_by_end`.execute(db);
    await sql`drop table runs_set_aside`.execute(db);
    await sql`delete from kysely_migration where name >= '0061'`.execute(db);
    await assert.rejects(migrateToLatest(database.url), /"principal_sights" already exists/);
    const { missing } = await storeState(db);
    assert.equal(missing[0], '0062-sights-of-principals');
    await sql`drop table principal_sights`.execute(db);
    assert.equal((await migrateToLatest(database.url))[0], '0062-sights-of-principals');
    await db.destroy();
  });

  it('are missing in a database that nobody migrated, or that is behind', async () => {
    const db = openPatiently(database.url);
    assert.notDeepEqual((await storeState(db)).missing, []);
    await migrateToLatest(database.url);
    assert.deepEqual(await storeState(db), { missing: [], refused_rows: 0 });
    await sql`delete from kysely_migration where name = '0014-feed-of-former-members'`.execute(db);
    assert.deepEqual((await storeState(db)).missing, ['0014-feed-of-former-members']);
    await db.destroy();
  });

  it('say of rows that were refused before of which approval and portfolio they are', async () => {
    await migrateToLatest(database.url);
    const db = openPatiently(database.url);
    await sql`alter table journal_quarantine drop column approval_id`.execute(db);
    await sql`alter table journal_quarantine disable trigger user`.execute(db);
    const part = { proposal: { approval_id: 'a', prompt: 'half \ud800 and \u0000' } };
    const [erased, removed] = [{ approval_id: 'erased' }, { approval_id: 'removed' }];
    const rows = [
      { kind: 'approval', approval: { approval_id: 'a' }, proposed: part.proposal },
      { kind: 'approval', approval: erased },
      { kind: 'approval', approval: removed },
      { kind: 'suspension_opened', record: { approval: part } },
      { kind: 'suspension_opened', record: {} },
      { kind: 'suspension_progress', approval: part },
      { kind: 'suspension_settled', settlement: { approval: part } },
      { kind: 'coordinator', coordinator: { intent_id: null, portfolio_id: 'p' } },
      { kind: 'timeline', entry: null },
    ];
    for (const [place, row] of rows.entries()) {
      await sql`
        insert into journal_quarantine (id, kind, reason, content)
        values (${String(place)}, ${row.kind}, '54000', ${JSON.stringify(row)})`.execute(db);
    }
    await sql`
      insert into erasures (kind, id, erased_at, erased_by)
      values ('approval', 'erased', now(), 'root')`.execute(db);
    await sql`
      insert into retention_tombstones (kind, id, reason, marked_at, removed_at)
      values ('approval', 'removed', 'retention', now(), now())`.execute(db);

    await sql`alter table journal_quarantine enable trigger user`.execute(db);
    await findRefused(db as unknown as Kysely<unknown>);

    const found = await db
      .selectFrom('journal_quarantine')
      .select(['kind', 'approval_id', 'intent_id', 'content'])
      .orderBy('kind')
      .orderBy('approval_id')
      .execute();
    assert.deepEqual(
      found.map(({ content, ...row }) => [...Object.values(row), content === '']),
      [
        ['approval', 'a', null, false],
        ['approval', 'erased', null, true],
        ['coordinator', null, 'p', false],
        ['suspension_opened', 'a', null, false],
        ['suspension_opened', null, null, false],
        ['suspension_progress', 'a', null, false],
        ['suspension_settled', 'a', null, false],
        ['timeline', null, null, false],
      ],
    );
    await db.destroy();
  });

  it('throw where no server answers', async () => {
    await assert.rejects(migrateToLatest('postgres://127.0.0.1:1/none'));
  });
});
