import assert from 'node:assert/strict';
import { sql, type Migration } from 'kysely';
import { migrateToLatest, MIGRATION_NAMES, MIGRATIONS, storeState } from '../../store/migrate.js';
import { openPatiently } from '../support/patience.js';
import { withEmptyDatabase, withStore } from '../support/store.js';
import { FATES } from './erasure-columns.js';

describe('migrations', () => {
  it('run once when six processes start together', async () => {
    const database = await withEmptyDatabase();
    const starts = Array.from({ length: 6 }, () => migrateToLatest(database.url));
    assert.deepEqual((await Promise.all(starts)).flat(), MIGRATION_NAMES);
    assert.deepEqual(await migrateToLatest(database.url), []);
    const db = openPatiently(database.url);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    assert.deepEqual(
      rows,
      MIGRATION_NAMES.map((name) => ({ name })),
    );
    const tables = (await db.introspection.getTables()).map(({ name }) => name).sort();
    const views = ['portfolio_intents', 'portfolio_members'];
    assert.deepEqual(tables, [...Object.keys(FATES), ...views].sort());
    await db.destroy();
    await database.close();
  });

  it('stay where one after them fails, in a store that had some', async () => {
    const { db, url, close } = await withStore();
    const add = (table: string): Migration => ({
      up: (old) =>
        sql`create table ${sql.table(table)} (id text)`.execute(old).then(() => undefined),
    });
    const later = { ...MIGRATIONS, '8001-added': add('added'), '8002-more': add('added') };
    await assert.rejects(migrateToLatest(url, later), /"added" already exists/);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...MIGRATION_NAMES, '8001-added'],
    );
    assert.deepEqual(await migrateToLatest(url, { ...later, '8002-more': add('more') }), [
      '8002-more',
    ]);
    await close();
  });

  it('leave a store alone that a later release has migrated', async () => {
    const { url, close } = await withStore();
    await migrateToLatest(url, { ...MIGRATIONS, '8001-later': { up: () => Promise.resolve() } });
    await assert.rejects(migrateToLatest(url), /8001-later is missing/);
    await close();
  });

  it('are missing in a database that nobody migrated, or that is behind', async () => {
    const database = await withEmptyDatabase();
    const db = openPatiently(database.url);
    assert.deepEqual((await storeState(db)).missing, MIGRATION_NAMES.slice(-1));
    await migrateToLatest(database.url);
    assert.deepEqual(await storeState(db), { missing: [], refused_rows: 0 });
    await sql`delete from kysely_migration`.execute(db);
    assert.deepEqual((await storeState(db)).missing, MIGRATION_NAMES);
    await db.destroy();
    await database.close();
  });

  it('throw where no server answers', async () => {
    await assert.rejects(migrateToLatest('postgres://127.0.0.1:1/none'), { code: 'ECONNREFUSED' });
  });
});
