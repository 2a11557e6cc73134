import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createVersions } from '../../../api/parts/entities/kinds.js';
import { ManualClock, silent, noWrites } from '../support/fakes.js';

describe('lists of tasks and plans', () => {
  function bench(stored: (ms: number) => ReadonlyMap<string, number>) {
    const clock = new ManualClock();
    const began = clock.now();
    const find = async () =>
      [...stored(clock.now() - began)].map(([id, version]) => ({ id, version }));
    return { clock, versions: createVersions({ clock, log: silent, memory: noWrites() }, find) };
  }

  it('wait until the store has what was written here', async () => {
    const { clock, versions } = bench((ms) => new Map([['task', ms < 20 ? 1 : 2]]));
    versions.touch('task', 2);
    const caughtUp = versions.catchUp();
    await clock.advance(100);
    assert.equal(await caughtUp, true);
  });

  it('are stale for as long as the store is behind, at most thirty seconds', async () => {
    const { clock, versions } = bench(() => new Map([['task', 1]]));
    versions.touch('task', 2);
    for (const expected of [false, false]) {
      const caughtUp = versions.catchUp();
      await clock.advance(2_000);
      assert.equal(await caughtUp, expected);
    }
    await clock.advance(30_000);
    assert.equal(await versions.catchUp(), true);
  });

  it('do not wait for a version that a later one overtook', async () => {
    const { versions } = bench(() => new Map([['task', 5]]));
    versions.touch('task', 2);
    assert.equal(await versions.catchUp(), true);
  });
});
