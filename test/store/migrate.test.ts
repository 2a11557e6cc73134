import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { openDatabase } from '../../store/database.js';
import { migrateToLatest } from '../../store/migrate.js';
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
    const db = openDatabase(database.url);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    assert.deepEqual(
      rows,
      MIGRATIONS.map((name) => ({ name })),
    );
    const tables = (await db.introspection.getTables()).map(({ name }) => name).sort();
    assert.deepEqual(tables, [
      'agents',
      'coordinators',
      'deliveries',
      'delivery_tries',
      'dependencies',
      'events',
      'feed_members',
      'intents',
      'plans',
      'portfolio_intents',
      'portfolio_members',
      'portfolio_memberships',
      'portfolios',
      'subscriptions',
      'suspension_timeline',
      'suspensions',
      'tasks',
    ]);
    await db.destroy();
  });

  it('throw where no server answers', async () => {
    await assert.rejects(migrateToLatest('postgres://127.0.0.1:1/none'));
  });
});
