import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SEARCH_ATTRIBUTES } from '../../contracts/constants/names.js';
import { devServerArgs } from '../../temporal-config/dev-server.js';

/** All values that follow `flag`, in order. */
function valuesOf(flag: string, args: readonly string[]): string[] {
  return args.flatMap((arg, index) => (args[index - 1] === flag ? [arg] : []));
}

describe('the arguments of the dev server', () => {
  it('bind ports on loopback', () => {
    const args = devServerArgs({ port: 7001, uiPort: 7002 });
    assert.deepEqual(args.slice(0, 2), ['server', 'start-dev']);
    assert.deepEqual(valuesOf('--ip', args), ['127.0.0.1']);
    assert.deepEqual(valuesOf('--port', args), ['7001']);
    assert.deepEqual(valuesOf('--ui-port', args), ['7002']);
    assert.equal(args.includes('--headless'), false);
  });

  it('leave the UI out without a port for it', () => {
    const args = devServerArgs({ port: 7001 });
    assert.ok(args.includes('--headless'));
    assert.equal(args.includes('--ui-port'), false);
  });

  it('serve metrics where a port for them is given', () => {
    const args = devServerArgs({ port: 7001, metricsPort: 7003 });
    assert.deepEqual(valuesOf('--metrics-port', args), ['7003']);
    assert.equal(devServerArgs({ port: 7001 }).includes('--metrics-port'), false);
  });

  it('make the database file durable', () => {
    const args = devServerArgs({ port: 7001, dbFile: '/data/temporal.db' });
    assert.deepEqual(valuesOf('--db-filename', args), ['/data/temporal.db']);
    const pragmas = valuesOf('--sqlite-pragma', args);
    assert.deepEqual(pragmas, ['journal_mode=wal', 'synchronous=full']);
  });

  it('need no pragma without a database file', () => {
    const args = devServerArgs({ port: 7001 });
    assert.deepEqual(valuesOf('--sqlite-pragma', args), []);
    assert.equal(args.includes('--db-filename'), false);
  });

  it('raise the limits that make the defaults slow', () => {
    assert.deepEqual(valuesOf('--dynamic-config-value', devServerArgs({ port: 7001 })), [
      'history.transferProcessorMaxPollRPS=2000',
      'history.timerProcessorMaxPollRPS=2000',
      'history.visibilityProcessorMaxPollRPS=2000',
      'matching.numTaskqueueReadPartitions=1',
      'matching.numTaskqueueWritePartitions=1',
      'system.enableActivityEagerExecution=true',
      'system.forceSearchAttributesCacheRefreshOnRead=false',
      'frontend.enableServerVersionCheck=false',
    ]);
  });

  it('leave as many Updates at once at a workflow as Temporal takes by itself', () => {
    const values = valuesOf('--dynamic-config-value', devServerArgs({ port: 7001 }));
    assert.equal(
      values.some((value) => value.startsWith('history.maxInFlightUpdates')),
      false,
    );
  });

  it('let a caller replace and add dynamic config values', () => {
    const dynamicConfig = { 'history.timerProcessorMaxPollRPS': 3, 'a.text': 'b' };
    const values = valuesOf('--dynamic-config-value', devServerArgs({ port: 7001, dynamicConfig }));
    assert.deepEqual(
      values.filter((value) => value.startsWith('history.timer')),
      ['history.timerProcessorMaxPollRPS=3'],
    );
    assert.ok(values.includes('a.text="b"'));
  });

  it('register every search attribute of Holdpoint', () => {
    const expected = Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => `${name}=${type}`);
    assert.ok(expected.length > 0);
    assert.deepEqual(valuesOf('--search-attribute', devServerArgs({ port: 7001 })), expected);
  });

  it('create the namespace', () => {
    assert.deepEqual(valuesOf('--namespace', devServerArgs({ port: 7001, namespace: 'hp' })), [
      'hp',
    ]);
    assert.deepEqual(valuesOf('--namespace', devServerArgs({ port: 7001 })), ['default']);
  });
});
