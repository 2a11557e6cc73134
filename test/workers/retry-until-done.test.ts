import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ensureReconciliation, retryUntilDone } from '../../workers/ensure-upkeep.js';

/** A server of which the first so many calls fail, the deadlines that they had, and what was logged. */
function failing(times: number) {
  const leftMs: number[] = [];
  const lines: string[] = [];
  const client = {
    async withDeadline<T>(at: number | Date, call: () => Promise<T>): Promise<T> {
      leftMs.push(Number(at) - Date.now());
      if (leftMs.length <= times) throw new Error('deadline exceeded');
      return call();
    },
  };
  const log = {
    warn: (fields: object, message: string) =>
      void lines.push(`${message}: ${String((fields as { err?: unknown }).err)}`),
  };
  return { client, log, leftMs, lines };
}

describe('what a worker ensures when it starts', () => {
  it('is tried again, each time with a deadline and a line about the failure', async () => {
    const { client, log, leftMs, lines } = failing(2);
    let done = 0;
    const work = () => Promise.resolve(void (done += 1));
    await retryUntilDone(client, log, 'the schedule of retention', work, { firstPauseMs: 1 });
    assert.equal(done, 1);
    assert.equal(leftMs.length, 3);
    for (const ms of leftMs) assert.ok(ms > 0 && ms <= 10_000, String(ms));
    assert.deepEqual(
      lines,
      ['0.001', '0.002'].map(
        (seconds) =>
          `the schedule of retention could not be ensured; trying again in ${seconds} s: Error: deadline exceeded`,
      ),
    );
  });

  it('is left alone once the worker stops, within a try and between two', async () => {
    const { client, log, leftMs, lines } = failing(Infinity);
    const ensured = (stop: AbortController, warn = log.warn) =>
      ensureReconciliation(
        { ...client, schedule: {} as never },
        { warn },
        { signal: stop.signal, firstPauseMs: 3_600_000 },
      );
    const within = new AbortController();
    const trying = ensured(within);
    within.abort();
    await trying;
    assert.deepEqual([leftMs.length, lines], [1, []]);
    await ensured(within);
    assert.equal(leftMs.length, 1);
    const between = new AbortController();
    await ensured(between, (fields, message) => {
      log.warn(fields, message);
      // By then the pause has begun.
      setImmediate(() => between.abort());
    });
    assert.deepEqual([leftMs.length, lines.length], [2, 1]);
  });
});
