import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, it } from 'mocha';
import { replayAll, replayWith } from '../workflows/support/histories.js';
import type { NamedHistory } from '../workflows/support/histories.js';
import { FROZEN, frozenBuild } from './frozen.js';

for (const build of readdirSync(FROZEN)) {
  describe(`the workflows of ${build}`, () => {
    const { code, histories } = frozenBuild(build);
    const named: readonly NamedHistory[] = histories.map(({ name, workflowId, content }) => {
      return { name, workflowId, history: historyFromJSON(content) };
    });

    it('left histories of every type, which its own bundle replays', async () => {
      assert.ok(named.length > 50);
      const failures = await replayWith({ code }, named);
      assert.deepEqual([...failures.values()].filter(Boolean), []);
      assert.equal(failures.size, named.length);
    });

    it('can go on with the code of today', async () => {
      const failures = await replayAll(named);
      assert.deepEqual([...failures.values()].filter(Boolean), []);
      assert.equal(failures.size, named.length);
    });
  });
}
