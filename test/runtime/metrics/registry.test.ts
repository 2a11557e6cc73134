import assert from 'node:assert/strict';
import { Counter, register as globalRegistry } from 'prom-client';
import {
  addGauge,
  createRegistry,
  metricsPage,
  shared,
} from '../../../runtime/metrics/registry.js';

describe('a registry of metrics', () => {
  it('tells of the process, and is not the global one', async () => {
    const page = await metricsPage(createRegistry())();
    assert.equal(page.status, 200);
    assert.match(page.type, /^text\/plain; version=0\.0\.4/);
    assert.match(page.body, /^process_cpu_seconds_total \d/m);
    assert.deepEqual(globalRegistry.getMetricsAsArray(), []);
  });

  it('asks for a number of somebody else whenever it is read', async () => {
    const registry = createRegistry();
    let waiting = 0;
    const help = 'Writes that wait.';
    addGauge(registry, { name: 'holdpoint_writes_waiting', help, read: () => waiting });
    for (const [wanted, line] of [
      [3, /^holdpoint_writes_waiting 3$/m],
      [0, /^holdpoint_writes_waiting 0$/m],
    ] as const) {
      waiting = wanted;
      assert.match((await metricsPage(registry)()).body, line);
    }
  });

  it('shows what others measure behind its own, and goes without if they fail', async () => {
    const registry = createRegistry();
    new Counter({ name: 'own_total', help: 'Own.', registers: [registry] }).inc();
    const both = await metricsPage(registry, async () => 'theirs_total 2\n')();
    assert.match(both.body, /^own_total 1\ntheirs_total 2\n$/m);
    const alone = await metricsPage(registry, () => Promise.reject(new Error('gone')))();
    assert.deepEqual([alone.status, /^own_total 1$/m.test(alone.body)], [200, true]);
    assert.doesNotMatch(alone.body, /gone/);
  });
});

describe('a shared answer', () => {
  function bench(answer: () => Promise<number>) {
    let now = 0;
    let asked = 0;
    const ask = shared(
      () => {
        asked += 1;
        return answer();
      },
      1_000,
      () => now,
    );
    return { ask, askedTimes: () => asked, setTime: (at: number) => (now = at) };
  }

  it('is asked for once, until its time is over', async () => {
    const { ask, askedTimes, setTime } = bench(async () => 7);
    assert.deepEqual(await Promise.all([ask(), ask()]), [7, 7]);
    setTime(999);
    assert.deepEqual([await ask(), askedTimes()], [7, 1]);
    setTime(1_000);
    assert.deepEqual([await ask(), askedTimes()], [7, 2]);
  });

  it('is shared also where it failed', async () => {
    const { ask, askedTimes } = bench(() => Promise.reject(new Error('away')));
    await assert.rejects(ask(), /away/);
    await assert.rejects(ask(), /away/);
    assert.equal(askedTimes(), 1);
  });
});
