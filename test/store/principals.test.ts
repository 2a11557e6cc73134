import assert from 'node:assert/strict';
import { PrincipalNotes } from '../../api/sign-in/start.js';
import { queriesOf } from '../../api/parts/reads/from-store.js';
import type { Sight } from '../../contracts/subscription/subscription.js';
import { inSpace } from '../../store/in-space.js';
import {
  noteSigningIn,
  presentSights,
  type Sighted,
} from '../../store/queries/people/principal.js';
import { caller } from '../support/callers.js';
import { emptyStore, useStore } from '../support/store.js';

const ALL: Sight = { sees_all: true };
const SOME: Sight = { sees_all: false, reader: { principal: 'alice', groups: ['a\\b'] } };
const HOUR_MS = 3_600_000;
const later = () => Date.now() + HOUR_MS;
const earlier = () => Date.now() - HOUR_MS;

describe('who can sign in', () => {
  const store = useStore();
  beforeEach(() => emptyStore(store));

  const named = (principal: string, fields: Partial<Sighted> = {}): Sighted => {
    return { space: 'default', principal, sight: ALL, until: Infinity, ...fields };
  };
  const note = (byKey: readonly string[], byToken: readonly string[] = []) =>
    noteSigningIn(store.db, {
      byKey: byKey.map((name) => named(name)),
      byToken: byToken.map((name) => named(name)),
    });
  const disabled = async (...names: readonly string[]) => {
    const all = await Promise.all(names.map((name) => presentSights(store.db, name)));
    return names.filter((_name, index) => all[index]?.length === 0);
  };
  /** What alice sees after keys and tokens of hers were noted. */
  const seen = async (keys: readonly Partial<Sighted>[], tokens: readonly Partial<Sighted>[]) => {
    const of = (all: readonly Partial<Sighted>[]) => all.map((fields) => named('alice', fields));
    await noteSigningIn(store.db, { byKey: of(keys), byToken: of(tokens) });
    const sights = await presentSights(store.db, 'alice');
    return sights?.toSorted((one, other) => Number(one.sees_all) - Number(other.sees_all));
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

  it('is noted with a token whose end is later than any the store takes', async () => {
    for (const until of [1.8e15, Number.MAX_SAFE_INTEGER * 1_000]) {
      await noteSigningIn(store.db, { byKey: [], byToken: [named('alice', { until })] });
      assert.deepEqual(await presentSights(store.db, 'alice'), [ALL]);
    }
  });

  it('is one principal with several keys', async () => {
    await note(['alice', 'alice', 'bob']);
    assert.deepEqual(await disabled('alice', 'bob'), []);
    await note(['bob', 'bob']);
    assert.deepEqual(await disabled('alice', 'bob'), ['alice']);
    await note(['alice', 'alice']);
    assert.deepEqual(await disabled('alice', 'bob'), ['bob']);
  });

  it('is one of its space: the same name in another is somebody else', async () => {
    const other = named('alice', { space: 'b', sight: SOME });
    await noteSigningIn(store.db, { byKey: [named('alice'), other], byToken: [] });
    const seenIn = (space: string) => presentSights(inSpace(store.db, space), 'alice');
    assert.deepEqual([await seenIn('default'), await seenIn('b')], [[ALL], [SOME]]);
    await noteSigningIn(store.db, { byKey: [other], byToken: [] });
    assert.deepEqual([await seenIn('default'), await seenIn('b')], [[], [SOME]]);
  });

  it('is whoever sends tokens, with a key or without', async () => {
    await note(['alice', 'bob']);
    await note([], ['alice', 'carol']);
    assert.deepEqual(await disabled('alice', 'bob', 'carol'), ['bob']);
    await note([], ['bob']);
    await note([]);
    assert.deepEqual(await disabled('alice', 'bob', 'carol'), []);
  });

  it('is noted by processes that do so at once, in any order', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    const orders = [names, names.toReversed(), names.slice(5), names.slice(10).toReversed()];
    await Promise.all([...orders, ...orders].map((order) => note(order, order)));
    await note(names);
    assert.deepEqual(await disabled(...names), []);
  });

  it('is noted later if the store is away', async () => {
    const run = queriesOf(store.db);
    const tokens = [[{ caller: caller('alice'), until: later() }], [], []];
    const warned: string[] = [];
    let isAway = true;
    const notes = new PrincipalNotes({
      ring: { valid: [{ caller: caller('bob'), until: Infinity }] },
      takeTokens: () => tokens.shift() ?? [],
      agentsRead: 'all',
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

  describe('sees', () => {
    it('what each of its keys shows, and no more once a key shows less', async () => {
      assert.equal(await presentSights(store.db, 'alice'), undefined);
      assert.deepEqual(await seen([{ sight: ALL }, { sight: SOME }], []), [SOME, ALL]);
      assert.deepEqual(await seen([{ sight: SOME }], []), [SOME]);
      assert.deepEqual(await seen([{ sight: null }], []), []);
      assert.deepEqual(await seen([], []), []);
      assert.deepEqual(await seen([{ sight: ALL }], []), [ALL]);
    });

    it('what nobody knows, as long as only a process of before has noted it', async () => {
      const before = { principal: 'alice', signs_in_by: 'key' } as const;
      await store.db.insertInto('key_principals').values(before).execute();
      assert.equal(await presentSights(store.db, 'alice'), undefined);
      await store.db.updateTable('key_principals').set({ signs_in_by: 'nothing' }).execute();
      assert.deepEqual(await presentSights(store.db, 'alice'), []);
    });

    it('nothing by a key that has expired since an API process noted it', async () => {
      assert.deepEqual(await seen([{ sight: ALL, until: earlier() }], []), []);
      assert.deepEqual(await seen([{ sight: ALL, until: later() }], []), [ALL]);
    });

    it('what its newest token shows, and others as long as they count', async () => {
      const long = { sight: ALL, until: later() };
      assert.deepEqual(await seen([], [long]), [ALL]);
      assert.deepEqual(await seen([], [{ sight: SOME, until: earlier() }]), [SOME, ALL]);
    });

    it('what its newest token showed, until another one shows less', async () => {
      const past = { until: earlier() };
      assert.deepEqual(await seen([], [{ ...past, sight: ALL }]), [ALL]);
      assert.deepEqual(await seen([], []), [ALL]);
      const [more, less] = [
        { ...past, sight: ALL },
        { ...past, sight: SOME },
      ];
      assert.deepEqual(await seen([], [more, less]), [SOME]);
      assert.deepEqual(await seen([], [{ ...past, sight: null }]), []);
      const kept = await store.db.selectFrom('principal_sights').select('digest').execute();
      assert.equal(kept.length, 1);
    });

    it('what keys and tokens show, if it has both', async () => {
      const token = { sight: ALL, until: later() };
      assert.deepEqual(await seen([{ sight: SOME }], [token]), [SOME, ALL]);
      assert.deepEqual(await seen([{ sight: SOME }], []), [SOME, ALL]);
      assert.deepEqual(await seen([], []), []);
    });
  });
});
