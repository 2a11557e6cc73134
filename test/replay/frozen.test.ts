import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, it } from 'mocha';
import { companionReplayBundle } from '../support/temporal-test-server.js';
import { replayAll, replayWith, type NamedHistory } from '../workflows/support/histories.js';
import { FROZEN, agentModuleOf, frozenBuild, type FrozenBuild } from './frozen.js';

const BUILDS = readdirSync(FROZEN);

function namedIn({ histories }: FrozenBuild): readonly NamedHistory[] {
  return histories.map(({ name, workflowId, content }) => {
    return { name, workflowId, history: historyFromJSON(content) };
  });
}

for (const build of BUILDS) {
  const module = agentModuleOf(build);
  const replayed = module === undefined ? undefined : () => companionReplayBundle(module);
  describe(`the workflows of ${build}`, () => {
    const frozen = frozenBuild(build);
    const { code } = frozen;
    const named = namedIn(frozen);

    it('left histories of every type, which its own bundle replays', async () => {
      assert.ok(named.length > (module === undefined ? 50 : 10));
      const failures = await replayWith({ code }, named);
      assert.deepEqual([...failures.values()].filter(Boolean), []);
      assert.equal(failures.size, named.length);
    });

    it('can go on with the code of today', async () => {
      const failures = await replayAll(named, replayed);
      assert.deepEqual([...failures.values()].filter(Boolean), []);
      assert.equal(failures.size, named.length);
    });
  });
}
