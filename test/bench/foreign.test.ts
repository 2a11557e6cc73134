import assert from 'node:assert/strict';
import { Watch, foreignBetween } from '../../bench/foreign.js';

/** What a machine of two cores shows after so many milliseconds, of which some went to all, and some to ours. */
const clocks = (ms: number, busy: number, own: number) => ({
  own,
  machine: { busy, all: 2 * ms },
});

describe('how far from idle the machine is', () => {
  it('is the share of its CPU that went to none of ours', () => {
    assert.equal(foreignBetween(clocks(1_000, 500, 100), clocks(2_000, 1_500, 700)), 0.2);
    // Two clocks that are read one after the other differ by a tick.
    assert.equal(foreignBetween(clocks(0, 0, 0), clocks(1_000, 90, 100)), 0);
  });

  it('is unknown where the machine does not tell', () => {
    const silent = { own: 0, machine: undefined };
    assert.equal(foreignBetween(silent, clocks(1_000, 500, 100)), undefined);
    assert.equal(foreignBetween(clocks(1_000, 500, 100), silent), undefined);
  });

  it('is kept of each part, from its beginning to its end', async () => {
    const reads = [
      clocks(0, 0, 0),
      clocks(1_000, 500, 100),
      clocks(5_000, 5_000, 0),
      clocks(6_000, 5_000, 0),
    ];
    const watch = new Watch(async () => reads.shift() ?? clocks(0, 0, 0));
    assert.equal(await watch.part('latency', async () => 7), 7);
    await watch.part('memory', async () => undefined);
    assert.deepEqual(watch.foreign, { latency: 0.2, memory: 0 });
  });
});
