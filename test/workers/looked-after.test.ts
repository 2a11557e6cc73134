import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ensureReconciliation } from '../../workers/ensure-upkeep.js';
import { lookAfter } from '../../workers/looked-after.js';

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

describe('what a worker looks after when it starts', () => {
  it('is tried again, each time with a deadline and a line about the failure', async () => {
    const { client, log, leftMs, lines } = failing(2);
    let done = 0;
    const work = () => Promise.resolve(void (done += 1));
    await lookAfter(client, log, 'the schedule of retention', work, { firstPauseMs: 1 });
    assert.equal(done, 1);
    assert.equal(leftMs.length, 3);
    for (const ms of leftMs) assert.ok(ms > 0 && ms <= 10_000, String(ms));
    assert.deepEqual(
      lines,
      ['0.001', '0.002'].map(
        (seconds) =>
          `the schedule of retention could not be looked after, trying again in ${seconds} s: Error: deadline exceeded`,
      ),
    );
  });

  it('is left alone once the worker stops', async () => {
    const { client, log, leftMs, lines } = failing(Infinity);
    const stop = new AbortController();
    const schedule = {} as never;
    const looking = ensureReconciliation({ ...client, schedule }, log, { signal: stop.signal });
    stop.abort();
    await looking;
    assert.deepEqual([leftMs.length, lines], [1, []]);
    await ensureReconciliation({ ...client, schedule }, log, { signal: stop.signal });
    assert.equal(leftMs.length, 1);
  });
});
