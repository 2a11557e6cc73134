import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { takeLook } from '../../store/queries/suspension.js';
import { useStore } from '../support/store.js';

describe('a look that every worker may take', () => {
  const store = useStore();

  const take = (work: string) => takeLook(store.db, work, 60);
  const age = (seconds: number) =>
    sql`update looks set at = now() - make_interval(secs => ${seconds})`.execute(store.db);

  it('is taken by one of them, and again only once it is old enough', async () => {
    const taken = await Promise.all([1, 2, 3].map(() => take('unwritten')));
    assert.deepEqual(taken.toSorted(), [false, false, true]);
    assert.equal(await take('sweep'), true);
    await age(59);
    assert.deepEqual([await take('unwritten'), await take('sweep')], [false, false]);
    await age(60);
    assert.deepEqual([await take('unwritten'), await take('unwritten')], [true, false]);
  });
});
