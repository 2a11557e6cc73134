import assert from 'node:assert/strict';
import { PrincipalNotes } from '../../api/sign-in/principals.js';
import { queriesOf } from '../../api/gateway/reads/from-store.js';
import { inSpace } from '../../store/in-space.js';
import { isDisabled, noteSigningIn } from '../../store/queries/principal.js';
import { withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';

describe('who can sign in', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  beforeEach(() => store.db.deleteFrom('key_principals').execute());

  const named = (principal: string, space = 'default') => ({ space, principal });
  const note = (byKey: readonly string[], byToken: readonly string[] = []) =>
    noteSigningIn(store.db, {
      byKey: byKey.map((name) => named(name)),
      byToken: byToken.map((name) => named(name)),
    });
  const disabled = async (...names: readonly string[]) => {
    const all = await Promise.all(names.map((name) => isDisabled(store.db, name)));
    return names.filter((_name, index) => all[index]);
  };

  it('is whoever has a key, until it is gone', async () => {
    await note(['alice', 'bob', 'a\\b']);
    assert.deepEqual(await disabled('alice', 'bob', 'a\\b', 'nobody'), []);
    await note(['alice']);
    await note(['alice']);
    assert.deepEqual(await disabled('alice', 'bob', 'a\\b'), ['bob', 'a\\b']);
    await note(['alice', 'bob']);
    assert.deepEqual(await disabled('alice', 'bob', 'a\\b'), ['a\\b']);
  });

  it('is one of its space: the same name in another is somebody else', async () => {
    await noteSigningIn(store.db, { byKey: [named('alice'), named('alice', 'b')], byToken: [] });
    await noteSigningIn(store.db, { byKey: [named('alice', 'b')], byToken: [] });
    const disabledIn = (space: string) => isDisabled(inSpace(store.db, space), 'alice');
    assert.deepEqual([await disabledIn('default'), await disabledIn('b')], [true, false]);
  });

  it('is whoever sends tokens, with a key or without', async () => {
    await note(['alice', 'bob']);
    await note([], ['alice', 'carol']);
    assert.deepEqual(await disabled('alice', 'bob', 'carol'), ['bob']);
    await note([], ['bob']);
    await note([]);
    assert.deepEqual(await disabled('alice', 'bob', 'carol'), []);
  });

  it('is noted later if the store is away', async () => {
    const run = queriesOf(store.db);
    const tokens = [[named('alice')], [], []];
    const warned: string[] = [];
    let isAway = true;
    const notes = new PrincipalNotes({
      ring: { principals: [named('bob')] },
      takeTokens: () => tokens.shift() ?? [],
      store: (query, ...args) => (isAway ? Promise.reject(new Error('away')) : run(query, ...args)),
      log: { warn: (_fields, message) => void warned.push(message) },
    });
    await note(['alice']);
    await note([]);
    await notes.note();
    assert.equal(warned.length, 1);
    assert.deepEqual(await disabled('alice'), ['alice']);
    isAway = false;
    await notes.note();
    assert.deepEqual(await disabled('alice', 'bob'), []);
  });
});
