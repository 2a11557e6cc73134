import assert from 'node:assert/strict';
import { Queues } from '../../../../api/parts/calls/call.js';
import { idle } from '../../support/fakes.js';

/** Work that starts and ends by hand, in the order in which it started. */
class Bench {
  readonly started: number[] = [];
  private readonly endings = new Map<number, () => void>();
  private readonly queues: Queues;

  constructor(limit = 4) {
    this.queues = new Queues(limit);
  }

  enter(id: number, key = 'intent-1', signal = new AbortController().signal): Promise<void> {
    return this.queues.run(key, signal, () => {
      this.started.push(id);
      return new Promise<void>((resolve) => this.endings.set(id, resolve));
    });
  }

  async end(id: number): Promise<void> {
    await idle();
    const ending = this.endings.get(id);
    assert.ok(ending, `${id} runs`);
    ending();
    await idle();
  }
}

describe('the queue before a workflow', () => {
  it('lets four in at once and keeps the fifth', async () => {
    const bench = new Bench();
    for (const id of [1, 2, 3, 4, 5]) void bench.enter(id);
    await idle();
    assert.deepEqual(bench.started, [1, 2, 3, 4]);
    await bench.end(2);
    assert.deepEqual(bench.started, [1, 2, 3, 4, 5]);
  });

  it('serves those who wait in order of arrival', async () => {
    const bench = new Bench(1);
    for (const id of [1, 2, 3, 4]) void bench.enter(id);
    for (const id of [1, 2, 3]) await bench.end(id);
    assert.deepEqual(bench.started, [1, 2, 3, 4]);
  });

  it('keeps no workflow waiting for another', async () => {
    const bench = new Bench(1);
    void bench.enter(1, 'intent-1');
    void bench.enter(2, 'intent-2');
    await idle();
    assert.deepEqual(bench.started, [1, 2]);
  });

  it('never starts the work of a caller who gave up', async () => {
    const bench = new Bench(1);
    const caller = new AbortController();
    void bench.enter(1);
    const second = bench.enter(2, 'intent-1', caller.signal);
    void bench.enter(3);
    caller.abort(new Error('gone'));
    await assert.rejects(second, /gone/);
    await bench.end(1);
    assert.deepEqual(bench.started, [1, 3]);
  });

  it('refuses a caller who is gone before coming', async () => {
    const bench = new Bench();
    await assert.rejects(bench.enter(1, 'intent-1', AbortSignal.abort(new Error('gone'))), /gone/);
    assert.deepEqual(bench.started, []);
  });

  it('frees the place of work that fails', async () => {
    const queues = new Queues(1);
    const { signal } = new AbortController();
    await assert.rejects(
      queues.run('k', signal, () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await queues.run('k', signal, async () => 'next'), 'next');
  });
});
