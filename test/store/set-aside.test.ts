import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { inSpace } from '../../store/in-space.js';
import {
  forgetSetAside,
  notedSetAside,
  noteSetAside,
} from '../../store/queries/work/quarantine.js';
import { withStore, type TestStore } from '../support/store.js';

describe('the runs that workers have set aside', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  afterEach(() => store.db.deleteFrom('runs_set_aside').execute());
  after(() => store.close());

  const note = (run_id: string) =>
    noteSetAside(store.db, { workflow_id: `intent-${run_id}`, run_id });
  const age = (run_id: string, hours: number) =>
    sql`
      update runs_set_aside set since = now() - make_interval(hours => ${hours})
      where run_id = ${run_id}`.execute(store.db);
  const noted = async (limit = 50) => {
    const runs = await notedSetAside(inSpace(store.db, 'default'), limit);
    return runs.map(({ run_id }) => run_id);
  };

  it('are noted once each, with the time of the first note, and come newest first', async () => {
    await note('old');
    await age('old', 2);
    await note('new');
    const first = await notedSetAside(store.db, 50);
    await note('old');
    assert.deepEqual(await notedSetAside(store.db, 50), first);
    assert.deepEqual(await noted(), ['new', 'old']);
    assert.deepEqual(await noted(1), ['new']);
    assert.equal(first[1]?.workflow_id, 'intent-old');
  });

  it('are forgotten by their ids, also through the store of one space', async () => {
    await note('one');
    await note('two');
    await forgetSetAside(inSpace(store.db, 'default'), []);
    assert.equal((await noted()).length, 2);
    await forgetSetAside(inSpace(store.db, 'default'), ['one', 'none']);
    assert.deepEqual(await noted(), ['two']);
  });
});
