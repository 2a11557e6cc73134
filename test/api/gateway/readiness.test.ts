import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { createReadiness } from '../../../api/gateway/readiness.js';
import { fakeStore, hanging, ManualClock, NOW, rpcError, type FakeQueries } from './support.js';

interface Service {
  readonly getSystemInfo?: () => unknown;
  readonly describeTaskQueue?: (request: object) => unknown;
}

const polledAt = (ms: number) => ({ pollers: [{ lastAccessTime: { seconds: ms / 1_000 } }] });

function bench(service: Service = {}, store: FakeQueries = {}, since = 0) {
  const clock = new ManualClock();
  const workflowService = {
    getSystemInfo: async () => ({ serverVersion: '1.29.1' }),
    describeTaskQueue: async () => polledAt(NOW - 10_000),
    ...service,
  };
  const client = {
    connection: { workflowService },
    options: { namespace: 'default' },
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    withAbortSignal: (_signal: AbortSignal, call: () => unknown) => call(),
  } as unknown as Client;
  const gateway = createReadiness(client, fakeStore(store), clock, { since });
  return { clock, readiness: () => gateway.readiness() };
}

describe('readiness', () => {
  it('names each dependency that is there', async () => {
    const checks = await bench().readiness();
    assert.deepEqual(checks, {
      temporal: { ok: true, detail: 'Temporal 1.29.1' },
      worker: { ok: true, detail: '1 polling "holdpoint"' },
      store: { ok: true, detail: 'the store answers' },
    });
  });

  it('misses a worker whose last poll is old', async () => {
    const { readiness } = bench({ describeTaskQueue: async () => polledAt(NOW - 80_000) });
    assert.equal((await readiness()).worker.ok, false);
  });

  it('misses a worker that has not polled since a call went unanswered', async () => {
    const silent = bench({}, {}, NOW - 9_000);
    assert.equal((await silent.readiness()).worker.ok, false);
    const back = bench({ describeTaskQueue: async () => polledAt(NOW - 8_000) }, {}, NOW - 9_000);
    assert.equal((await back.readiness()).worker.ok, true);
  });

  it('waits one second for who hangs and still tells of the others', async () => {
    const { signal } = new AbortController();
    const { readiness, clock } = bench({ getSystemInfo: () => hanging({ signal }) });
    const checks = readiness();
    await clock.advance(1_000);
    const { temporal, worker, store } = await checks;
    assert.deepEqual([temporal.ok, worker.ok, store.ok], [false, true, true]);
  });

  it('tells no internals of a store that fails', async () => {
    const ping = async () => {
      throw new Error('password authentication failed for user "holdpoint"');
    };
    const { store } = await bench({}, { ping }).readiness();
    assert.equal(store.ok, false);
    assert.ok(!store.detail.includes('password'));
  });

  it('is told where Temporal refuses at once', async () => {
    const { readiness } = bench({
      describeTaskQueue: async () => {
        throw rpcError('UNAVAILABLE');
      },
    });
    assert.equal((await readiness()).worker.ok, false);
  });
});
