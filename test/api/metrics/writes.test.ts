import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { Admission } from '../../../api/parts/calls/admission.js';
import { addWriteCounts } from '../../../api/metrics/start.js';
import { WRITE_LIMITS } from '../../../contracts/server/config.js';
import { ManualClock, idle } from '../support/fakes.js';

describe('the metrics of writes', () => {
  it('tell how many there may be, are under way, wait and were refused', async () => {
    const admission = new Admission(new ManualClock(), { ...WRITE_LIMITS, at_once: 1, waiting: 1 });
    const registry = new Registry();
    addWriteCounts(registry, () => admission.counts);
    const ends: (() => void)[] = [];
    const write = () =>
      admission.run(undefined, () => new Promise<void>((resolve) => ends.push(resolve)));
    const seen = async () => {
      const text = await registry.metrics();
      return [...text.matchAll(/^holdpoint_writes_(\w+) (\d+)$/gm)].map(([, name, value]) => [
        name,
        Number(value),
      ]);
    };
    const show = (inFlight: number, waiting: number, refused: number) => [
      ['places', 1],
      ['in_flight', inFlight],
      ['waiting', waiting],
      ['refused_total', refused],
    ];
    assert.deepEqual(await seen(), show(0, 0, 0));
    const writes = [write(), write()];
    await assert.rejects(write(), /^RefusalError: busy: /);
    assert.deepEqual(await seen(), show(1, 1, 1));
    await assert.rejects(write(), /^RefusalError: busy: /);
    // A counter goes on from what it was, however often it is read.
    assert.deepEqual(await seen(), show(1, 1, 2));
    for (let nth = 0; nth < 2; nth += 1) {
      ends.shift()?.();
      await idle();
    }
    await Promise.all(writes);
    assert.deepEqual(await seen(), show(0, 0, 2));
  });
});
