import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { SavedView } from '../../contracts/suspension/personal.js';
import { inSpace } from '../../store/in-space.js';
import {
  deleteSavedView,
  listSavedViews,
  putSavedView,
} from '../../store/queries/people/personal-settings.js';
import { useStore } from '../support/store.js';
import { instant } from './rows.js';

const ALICE = { space: 'default', by: 'alice' };

function aView(name: string, changes: Partial<SavedView> = {}): SavedView {
  return { id: randomUUID(), name, filter: { view: 'all' }, saved_at: instant(0), ...changes };
}

describe('saved views in the store', () => {
  const store = useStore('emptied');

  const put = (view: SavedView, owner = ALICE) => putSavedView(store.db, owner, view);
  const list = ({ space, by } = ALICE) => listSavedViews(inSpace(store.db, space), by);

  it('are those of one person in one space, by name', async () => {
    const text = 'Łódź \ud800 “x”';
    const own = [
      aView('alpha'),
      aView('Beta', { filter: { text, sort: 'risk' } }),
      aView('\u0000 gamma'),
    ];
    const [alpha, beta, gamma] = own as [SavedView, SavedView, SavedView];
    for (const view of [beta, gamma, alpha]) assert.equal(await put(view), 'saved');
    const others = [
      { space: 'default', by: 'bob' },
      { space: 'team-b', by: 'alice' },
    ];
    for (const owner of others) {
      assert.equal(await put({ ...alpha, filter: { view: 'claimed' } }, owner), 'saved');
      assert.deepEqual(await list(owner), [{ ...alpha, filter: { view: 'claimed' } }]);
    }
    const found = await list();
    assert.deepEqual(new Set(found), new Set(own));
    const named = found.map(({ name }) => name).filter((name) => name !== gamma.name);
    assert.deepEqual(named, ['alpha', 'Beta']);
  });

  it('are replaced by their id, and each has a name of its own', async () => {
    const [one, two] = [aView('one'), aView('two')];
    await put(one);
    await put(two);
    assert.equal(await put({ ...two, name: 'one' }), 'name taken');
    assert.deepEqual(await list(), [one, two]);
    const changed = { ...two, name: 'three', filter: { text: 'x' }, saved_at: instant(5) };
    assert.equal(await put(changed), 'saved');
    assert.equal(await put(changed), 'saved');
    assert.deepEqual(await list(), [one, changed]);
    assert.equal(await put(aView('two')), 'saved');
  });

  it('get one name once, although two are saved in the same moment', async () => {
    const outcomes = await Promise.all([put(aView('same')), put(aView('same'))]);
    assert.deepEqual(outcomes.sort(), ['name taken', 'saved']);
    assert.equal((await list()).length, 1);
  });

  it('are limited for each person, who can still change them and delete one', async () => {
    const views = Array.from({ length: LIMITS.savedViews }, (_, n) => aView(`view ${n}`));
    for (const view of views) await put(view);
    assert.equal(await put(aView('more')), 'too many');
    assert.equal(await put(aView('more'), { ...ALICE, by: 'bob' }), 'saved');
    const [first] = views as [SavedView];
    assert.equal(await put({ ...first, name: 'renamed' }), 'saved');
    await deleteSavedView(store.db, { ...ALICE, by: 'bob' }, first.id);
    await deleteSavedView(store.db, { ...ALICE, space: 'team-b' }, first.id);
    assert.equal((await list()).length, LIMITS.savedViews);
    await deleteSavedView(store.db, ALICE, first.id);
    await deleteSavedView(store.db, ALICE, first.id);
    assert.equal(await put(aView('more')), 'saved');
  });
});
