import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SEARCH_ATTRIBUTES } from '../../contracts/constants/names.js';
import { devServerArgs } from '../../temporal-config/dev-server.js';

/** All values that follow `flag`, in order. */
function valuesOf(flag: string, args: readonly string[]): string[] {
  return args.flatMap((arg, index) => (args[index - 1] === flag ? [arg] : []));
}

describe('the arguments of the dev server', () => {
  const plain = devServerArgs({ port: 7001 });

  it('bind ports on loopback, leave out what is not asked for, and register all search attributes', () => {
    const attributes = Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => `${name}=${type}`);
    assert.deepEqual(plain.slice(0, 2), ['server', 'start-dev']);
    for (const [flag, values] of [
      ['--ip', ['127.0.0.1']],
      ['--port', ['7001']],
      ['--namespace', ['default']],
      ['--search-attribute', attributes],
      ['--sqlite-pragma', []],
    ] as const) {
      assert.deepEqual(valuesOf(flag, plain), values, flag);
    }
    assert.ok(plain.includes('--headless'));
    for (const flag of ['--ui-port', '--metrics-port', '--db-filename']) {
      assert.equal(plain.includes(flag), false, flag);
    }
  });

  it('name the UI, metrics, the namespace, and a database file that is made durable', () => {
    const more = { uiPort: 7002, metricsPort: 7003, namespace: 'hp', dbFile: '/data/temporal.db' };
    const args = devServerArgs({ port: 7001, ...more });
    for (const [flag, values] of [
      ['--ui-port', ['7002']],
      ['--metrics-port', ['7003']],
      ['--namespace', ['hp']],
      ['--db-filename', ['/data/temporal.db']],
      ['--sqlite-pragma', ['journal_mode=wal', 'synchronous=full']],
    ] as const) {
      assert.deepEqual(valuesOf(flag, args), values, flag);
    }
    assert.equal(args.includes('--headless'), false);
  });

  it('raise the limits that make the defaults slow, which a caller replaces and adds to', () => {
    // As many Updates at once at a workflow as Temporal takes by itself.
    assert.deepEqual(valuesOf('--dynamic-config-value', plain), [
      'history.transferProcessorMaxPollRPS=2000',
      'history.timerProcessorMaxPollRPS=2000',
      'history.visibilityProcessorMaxPollRPS=2000',
      'matching.numTaskqueueReadPartitions=1',
      'matching.numTaskqueueWritePartitions=1',
      'system.enableActivityEagerExecution=true',
      'system.forceSearchAttributesCacheRefreshOnRead=false',
      'frontend.enableServerVersionCheck=false',
    ]);
    const dynamicConfig = { 'history.timerProcessorMaxPollRPS': 3, 'a.text': 'b' };
    const values = valuesOf('--dynamic-config-value', devServerArgs({ port: 7001, dynamicConfig }));
    assert.deepEqual(
      values.filter((value) => value.startsWith('history.timer')),
      ['history.timerProcessorMaxPollRPS=3'],
    );
    assert.ok(values.includes('a.text="b"'));
  });
});
