import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { createReadiness } from '../../../api/parts/readiness.js';
import {
  fakeStore,
  hanging,
  ManualClock,
  NOW,
  rpcError,
  type FakeQueries,
} from '../support/fakes.js';

interface Service {
  readonly getSystemInfo?: () => unknown;
  readonly describeTaskQueue?: (request: object) => unknown;
  readonly countWorkflowExecutions?: (request: { query: string }) => unknown;
}

const polledAt = (ms: number) => ({ pollers: [{ lastAccessTime: { seconds: ms / 1_000 } }] });

function bench(service: Service = {}, store: FakeQueries = {}, since = 0, address?: string) {
  const clock = new ManualClock();
  const workflowService = {
    getSystemInfo: async () => ({ serverVersion: '1.29.1' }),
    describeTaskQueue: async () => polledAt(NOW - 10_000),
    ...service,
  };
  const client = {
    connection: { workflowService, options: { address } },
    options: { namespace: 'default' },
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    withAbortSignal: (_signal: AbortSignal, call: () => unknown) => call(),
  } as unknown as Client;
  const stop = new AbortController();
  const readiness = createReadiness({
    client,
    store: fakeStore(store),
    clock,
    workerSilence: { since },
    stopping: stop.signal,
  });
  return { clock, stop, readiness };
}

describe('readiness', () => {
  it('names each dependency that is there', async () => {
    const checks = await bench().readiness();
    assert.deepEqual(checks, {
      api: { ok: true, detail: 'answers' },
      temporal: { ok: true, detail: 'Temporal 1.29.1' },
      worker: { ok: true, detail: '1 polling "holdpoint"' },
      store: { ok: true, detail: 'the store answers' },
    });
  });

  it('says where Temporal is, if it is on this machine', async () => {
    const told = async (address: string) =>
      (await bench({}, {}, 0, address).readiness()).temporal.detail;
    for (const near of ['127.0.0.1:24717', 'localhost:7233', '[::1]:7233']) {
      assert.equal(await told(near), `Temporal 1.29.1 on ${near} (gRPC)`);
    }
    for (const far of ['temporal.internal:7233', '10.0.0.7:7233', '127.0.0.1.example.com:7233']) {
      assert.equal(await told(far), 'Temporal 1.29.1');
    }
  });

  it('misses a search attribute until the namespace has it', async () => {
    let lacks = true;
    const lacking = Object.assign(new Error('invalid query'), {
      code: 3,
      details: '',
      metadata: {},
    });
    const { readiness, clock } = bench({
      countWorkflowExecutions: async ({ query }) => {
        if (lacks && query.includes('HoldpointExpiresAt')) throw lacking;
        return { count: 0 };
      },
    });
    assert.deepEqual((await readiness()).temporal, {
      ok: false,
      detail: 'Temporal 1.29.1; search attributes are missing: HoldpointExpiresAt (Datetime)',
    });
    lacks = false;
    await clock.advance(2_000);
    assert.deepEqual((await readiness()).temporal, { ok: true, detail: 'Temporal 1.29.1' });
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

  const VERSIONED = { workerVersioningMode: 2, buildId: '2.0.0-b' };
  const UNVERSIONED = undefined;
  const CURRENT = { currentDeploymentVersion: { buildId: '2.0.0-b' } };
  const RAMPING = { rampingDeploymentVersion: { buildId: '2.0.0-b' } };
  const NONE_CURRENT = {};
  const OTHER_CURRENT = { currentDeploymentVersion: { buildId: '1.0.0-a' } };
  for (const [what, deploymentOptions, versioningInfo, ok] of [
    ['a worker of the current version', VERSIONED, CURRENT, true],
    ['a worker of the version that some tasks go to', VERSIONED, RAMPING, true],
    ['a worker without a version, before any is current', UNVERSIONED, NONE_CURRENT, true],
    ['a worker of a version, before any is current', VERSIONED, NONE_CURRENT, false],
    ['a worker of another version', VERSIONED, OTHER_CURRENT, false],
    ['a worker without a version, once one is current', UNVERSIONED, CURRENT, false],
  ] as const) {
    it(`${ok ? 'counts' : 'misses'} ${what}`, async () => {
      const pollers = polledAt(NOW).pollers.map((poller) => ({ ...poller, deploymentOptions }));
      const { readiness } = bench({ describeTaskQueue: async () => ({ pollers, versioningInfo }) });
      const none = '1 polling "holdpoint", none of the current version: holdpoint activate';
      const detail = ok ? '1 polling "holdpoint"' : none;
      assert.deepEqual((await readiness()).worker, { ok, detail });
    });
  }

  it('waits one second for who hangs and still tells of the others', async () => {
    const { signal } = new AbortController();
    const { readiness, clock } = bench({ getSystemInfo: () => hanging({ signal }) });
    const checks = readiness();
    await clock.advance(1_000);
    const { temporal, worker, store } = await checks;
    assert.deepEqual([temporal.ok, worker.ok, store.ok], [false, true, true]);
  });

  it('reveals no internals of a store that fails', async () => {
    const storeState = async () => {
      throw new Error('password authentication failed for user "holdpoint"');
    };
    const { store } = await bench({}, { storeState }).readiness();
    assert.equal(store.ok, false);
    assert.ok(!store.detail.includes('password'));
  });

  it('says that Temporal refuses at once', async () => {
    const { readiness } = bench({
      describeTaskQueue: async () => {
        throw rpcError('UNAVAILABLE');
      },
    });
    assert.equal((await readiness()).worker.ok, false);
  });

  it('misses a store without its migrations', async () => {
    const storeState = async () => ({ missing: ['0013-a', '0014-b'], refused_rows: 0 });
    const { store } = await bench({}, { storeState }).readiness();
    assert.deepEqual(store, { ok: false, detail: 'not migrated: 0013-a is missing' });
  });

  it('counts the rows that the store refused, which make nothing red', async () => {
    const storeState = async () => ({ missing: [], refused_rows: 3 });
    const { store } = await bench({}, { storeState }).readiness();
    const detail = 'the store answers; it has refused 3 rows for good';
    assert.deepEqual(store, { ok: true, detail });
  });

  it('asks once in two seconds, however many ask', async () => {
    let asked = 0;
    const getSystemInfo = async () => ({ serverVersion: `${(asked += 1)}` });
    const { readiness, clock } = bench({ getSystemInfo });
    await Promise.all([readiness(), readiness(), readiness()]);
    await clock.advance(1_999);
    assert.equal((await readiness()).temporal.detail, 'Temporal 1');
    await clock.advance(1);
    assert.equal((await readiness()).temporal.detail, 'Temporal 2');
    assert.equal(asked, 2);
  });

  it('looks again after a quarter of a second while something is missing', async () => {
    let missing = ['0001-journal'];
    const { readiness, clock } = bench(
      {},
      { storeState: async () => ({ missing, refused_rows: 0 }) },
    );
    assert.equal((await readiness()).store.ok, false);
    missing = [];
    await clock.advance(249);
    assert.equal((await readiness()).store.ok, false);
    await clock.advance(1);
    assert.equal((await readiness()).store.ok, true);
  });

  it('is red at once when the process is about to stop', async () => {
    const { readiness, stop } = bench();
    assert.equal((await readiness()).api.ok, true);
    stop.abort();
    const checks = await readiness();
    assert.deepEqual([checks.api.ok, checks.store.ok], [false, true]);
  });
});
