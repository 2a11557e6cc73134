import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { keepWatch } from '../../workers/upkeep-watch.js';

/** A watch of which each look does what is next in this list, and which the worker ends after the last. */
async function watched(...looks: readonly (() => Promise<void>)[]) {
  const stop = new AbortController();
  const pauses: number[] = [];
  const lines: string[] = [];
  const left = [...looks];
  await keepWatch(
    { what: 'something', everyMs: 1_000, look: () => (left.shift() ?? fails)() },
    {
      log: { warn: (fields, message) => lines.push(`${message} ${JSON.stringify(fields)}`) },
      signal: stop.signal,
      async wait(ms) {
        pauses.push(ms);
        if (left.length === 0) stop.abort(new Error('the worker stops'));
        stop.signal.throwIfAborted();
      },
    },
  );
  return { pauses, lines };
}

const well = () => Promise.resolve();
const fails = () => Promise.reject(new Error('away'));

describe('what a worker watches', () => {
  it('is looked at again and again until the worker stops', async () => {
    assert.deepEqual(await watched(well, well, well), { pauses: [1_000, 1_000, 1_000], lines: [] });
  });

  it('is left alone for a while after a failure, of which only the first in a row is logged', async () => {
    const { pauses, lines } = await watched(well, fails, fails, well, fails);
    assert.deepEqual(pauses, [1_000, 10_000, 10_000, 1_000, 10_000]);
    assert.deepEqual(lines.length, 2);
    assert.match(lines[0] ?? '', /^watch_failed .*"what":"something"/);
  });

  it('is first looked at once that is there which it needs', async () => {
    const stop = new AbortController();
    const log = { warn: () => undefined };
    let isThere = (): void => undefined;
    const after = new Promise<void>((resolve) => {
      isThere = resolve;
    });
    let looks = 0;
    const look = async () => {
      looks += 1;
      stop.abort();
    };
    const watch = keepWatch(
      { what: 'something', everyMs: 1, look },
      { log, signal: stop.signal, after },
    );
    await new Promise<void>((resolve) => void setImmediate(resolve));
    assert.equal(looks, 0);
    isThere();
    await watch;
    assert.equal(looks, 1);
  });

  it('fails for nothing while the worker stops', async () => {
    const stop = new AbortController();
    const look = () => {
      stop.abort();
      return fails();
    };
    const log = { warn: () => assert.fail('something is logged') };
    await keepWatch({ what: 'something', everyMs: 1, look }, { log, signal: stop.signal });
  });
});
