import assert from 'node:assert/strict';
import { HoldpointError } from '../../client/errors.js';
import { SYSTEM_TIMERS, pauseBeforeRetry } from '../../client/retry.js';

describe('pauseBeforeRetry', () => {
  for (const [failures, full] of [
    [1, 250],
    [2, 500],
    [5, 4_000],
    [7, 15_000],
    [2_000, 15_000],
  ] as const) {
    it(`is at most ${full} ms after ${failures} failures`, () => {
      const lengths = Array.from({ length: 50 }, () => pauseBeforeRetry(failures));
      assert.ok(lengths.every((ms) => ms > full * 0.79 && ms <= full));
    });
  }

  it('is never shorter than the server wants', () => {
    const error = new HoldpointError('moving', 'moving', { retry_after_seconds: 90 });
    assert.equal(pauseBeforeRetry(1, error), 90_000);
  });
});

describe('the system timers', () => {
  it('end a pause at once when it is aborted', async () => {
    const reason = new Error('enough');
    const stop = new AbortController();
    const pausing = SYSTEM_TIMERS.pause(3_600_000, stop.signal);
    stop.abort(reason);

    await assert.rejects(pausing, reason);
  });

  it('start no pause that is aborted already', async () => {
    const reason = new Error('enough');
    await assert.rejects(SYSTEM_TIMERS.pause(3_600_000, AbortSignal.abort(reason)), reason);
  });

  it('end a pause by themselves', async () => {
    const stop = new AbortController();
    await assert.doesNotReject(SYSTEM_TIMERS.pause(0, stop.signal));
  });
});
