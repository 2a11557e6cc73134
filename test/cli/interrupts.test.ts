import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { interruption } from '../../cli/interrupts.js';

describe('Ctrl-C', () => {
  it('asks for a tidy end, and for any only a second later', () => {
    const interrupt = new AbortController();
    let now = 5_000;
    let left = 0;
    const press = interruption(
      interrupt,
      () => now,
      () => (left += 1),
    );
    assert.equal(interrupt.signal.aborted, false);
    press();
    assert.deepEqual([interrupt.signal.aborted, left], [true, 0]);
    for (const [later, times] of [
      [0, 0],
      [999, 0],
      [1_000, 1],
    ] as const) {
      now = 5_000 + later;
      press();
      assert.equal(left, times, `${later} ms later`);
    }
  });
});
