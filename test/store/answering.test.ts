import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  answeringByKey,
  noteAnswering,
  noteSigningIn,
  type KeyHolding,
} from '../../store/queries/people/principal.js';
import { useStore } from '../support/store.js';

const key = (principal: string, fields: Partial<KeyHolding> = {}): KeyHolding => {
  return { space: 'default', principal, groups: [], answers: true, ...fields };
};

describe('who can answer by a key, for the workers', () => {
  const store = useStore();

  async function noted(keys: readonly KeyHolding[]) {
    const byKey = keys.map(({ space, principal }) => ({
      space,
      principal,
      sight: null,
      until: 1e13,
    }));
    await noteSigningIn(store.db, { byKey, byToken: [] });
    await noteAnswering(store.db, keys);
    const found = await answeringByKey(store.db);
    return found
      ?.filter(({ only_own }) => only_own !== true)
      .map(({ space, principal, groups }) => [space, principal, ...groups])
      .sort();
  }

  it('is unknown until an API has noted it', async () => {
    assert.equal(await answeringByKey(store.db), undefined);
  });

  it('is who has a key that lets it answer, with the groups of all of those', async () => {
    const alice = [key('alice', { groups: ['finance'] }), key('alice', { groups: ['legal'] })];
    const agent = key('agent-1', { answers: false, groups: ['robots'] });
    const other = key('alice', { space: 'team-b', groups: ["o'hara"] });
    assert.deepEqual(await noted([...alice, agent, other]), [
      ['default', 'alice', 'finance', 'legal'],
      ['team-b', 'alice', "o'hara"],
    ]);
  });

  it('tells of others that they may at most decide on what is done in their names', async () => {
    await noted([key('ursula', { answers: false })]);
    const found = await answeringByKey(store.db);
    assert.deepEqual(
      found?.map(({ principal, only_own }) => [principal, only_own]),
      [['ursula', true]],
    );
  });

  it('is nobody any more whose keys are gone, or let it answer no longer', async () => {
    assert.deepEqual(await noted([key('bob'), key('carol')]), [
      ['default', 'bob'],
      ['default', 'carol'],
    ]);
    assert.deepEqual(await noted([key('bob', { answers: false }), key('dora')]), [
      ['default', 'dora'],
    ]);
  });
});
