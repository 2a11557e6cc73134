import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { percentile, rateOf } from '../../bench/statistics.js';

describe('a percentile', () => {
  it('is a sample, by nearest rank, in any order', () => {
    assert.equal(percentile([30, 10, 20], 0.5), 20);
    assert.equal(percentile([40, 10, 30, 20], 0.5), 20);
    assert.equal(percentile([1, 2, 3], 0.95), 3);
  });

  it('of nothing is no number', () => {
    assert.equal(Number.isNaN(percentile([], 0.5)), true);
  });
});

describe('work in lanes', () => {
  it('is done once for each index, never more at a time than there are lanes', async () => {
    const done: number[] = [];
    let [running, most] = [0, 0];
    await rateOf(10, 3, async (index) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      done.push(index);
    });
    assert.deepEqual(
      done.sort((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    assert.equal(most, 3);
  });
});
