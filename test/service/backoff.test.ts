import assert from 'node:assert/strict';
import { BACKOFF, nextPause } from '../../service/supervisor.js';

describe('the pause before a restart', () => {
  it('doubles from half a second to ten', () => {
    const pauses: number[] = [];
    let pause: number | undefined;
    for (let n = 0; n < 7; n += 1) pauses.push((pause = nextPause(pause, 0, BACKOFF)));
    assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('is the first again after half a minute of health', () => {
    assert.equal(nextPause(8_000, 29_999, BACKOFF), 10_000);
    assert.equal(nextPause(8_000, 30_000, BACKOFF), 500);
  });
});
