import assert from 'node:assert/strict';
import { sql, type Compilable } from 'kysely';
import { together, transactTogether } from '../../store/together.js';
import { withStore, type TestStore } from '../support/store.js';

describe('statements that go together', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
    await sql`create table notes (id integer primary key, words text)`.execute(store.db);
  });
  beforeEach(() => sql`truncate notes`.execute(store.db));
  after(() => store.close());

  const statement = (text: ReturnType<typeof sql>): Compilable => ({
    compile: () => text.compile(store.db),
  });
  const note = (id: number, words: unknown = `note ${id}`): Compilable =>
    statement(sql`insert into notes values (${id}, ${words}) returning id`);
  const stored = async (): Promise<unknown[]> => {
    const { rows } = await sql<{ id: number }>`select id from notes order by id`.execute(store.db);
    return rows.map(({ id }) => id);
  };

  it('give the rows of each, in their order', async () => {
    const all = statement(sql`select id, words from notes order by id`);
    const returned = await together(store.db, [note(1), all, note(2), all]);
    const [one, two] = [
      { id: 1, words: 'note 1' },
      { id: 2, words: 'note 2' },
    ];
    assert.deepEqual(returned, [[{ id: 1 }], [one], [{ id: 2 }], [one, two]]);
    assert.deepEqual(await together(store.db, []), []);
  });

  it('are all undone where one of them fails', async () => {
    const failed = together(store.db, [note(1), note(1), note(2)]);
    await assert.rejects(failed, { code: '23505' });
    assert.deepEqual(await stored(), []);
  });

  it('leave the connection usable where a value cannot be sent', async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    await assert.rejects(together(store.db, [note(1), note(2, circle)]), TypeError);
    await together(store.db, [note(3)]);
    assert.ok((await stored()).includes(3));
  });

  it('read values as every query does', async () => {
    const values = statement(
      sql`select '2026-01-01T00:00:00Z'::timestamptz as at, '{"a":1}'::jsonb as j`,
    );
    const [[row] = []] = await together(store.db, [values]);
    assert.deepEqual(row, { at: '2026-01-01T00:00:00.000Z', j: { a: 1 } });
  });

  it('are one transaction with what is judged by their rows', async () => {
    const judged = await transactTogether(store.db, [note(1)], async (transaction, returned) => {
      await together(transaction, [note(2)]);
      return returned;
    });
    assert.deepEqual(judged, [[{ id: 1 }]]);
    assert.deepEqual(await stored(), [1, 2]);
    const refused = new Error('not this');
    await assert.rejects(
      transactTogether(store.db, [note(3)], () => Promise.reject(refused)),
      refused,
    );
    assert.deepEqual(await stored(), [1, 2]);
  });
});
