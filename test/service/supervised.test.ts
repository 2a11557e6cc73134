import assert from 'node:assert/strict';
import { BACKOFF, ProcessStartError, Supervised } from '../../service/supervisor.js';
import { FakeProcess, FakeTimers, settled } from './fakes.js';

describe('a supervised process', () => {
  let launched: FakeProcess[];
  let lines: string[];
  let timers: FakeTimers;
  let supervised: Supervised;

  const latest = (): FakeProcess => {
    const found = launched.at(-1);
    assert.ok(found, 'nothing was launched');
    return found;
  };
  const startReady = async (): Promise<void> => {
    const started = supervised.start();
    latest().sayReady();
    await started;
  };

  beforeEach(() => {
    launched = [];
    lines = [];
    timers = new FakeTimers();
    supervised = new Supervised({
      name: 'worker',
      launch: () => {
        launched.push(new FakeProcess(101 + launched.length));
        return latest();
      },
      log: (line) => lines.push(line),
      backoff: BACKOFF,
      timers,
    });
  });

  it('is started again after a pause, said in one line', async () => {
    await startReady();
    latest().end('SIGKILL');
    await settled();
    assert.deepEqual(lines, ['worker (101) ended by SIGKILL, starting again in 0.5 s']);
    assert.equal(supervised.pid, undefined);
    timers.pass(499);
    assert.equal(launched.length, 1);
    timers.pass(1);
    assert.equal(supervised.pid, 102);
    assert.equal(supervised.restarts, 1);
  });

  it('is left alone longer each time it ends at once', async () => {
    await startReady();
    for (const ms of [500, 1_000, 2_000]) {
      latest().end('exit code 1');
      await settled();
      timers.pass(ms);
    }
    assert.equal(launched.length, 4);
    assert.match(lines.at(-1) ?? '', /starting again in 2 s$/);
  });

  it('starts over with the first pause once healthy', async () => {
    await startReady();
    latest().end('exit code 1');
    await settled();
    timers.pass(500);
    timers.pass(30_000);
    latest().end('exit code 1');
    await settled();
    assert.match(lines.at(-1) ?? '', /starting again in 0\.5 s$/);
  });

  it('fails to start with its last lines', async () => {
    const started = supervised.start();
    latest().end('exit code 1', 'no such database');
    await assert.rejects(started, (error) => {
      assert.ok(error instanceof ProcessStartError);
      assert.equal(
        error.message,
        'worker ended by exit code 1 before it was ready: no such database',
      );
      return true;
    });
    assert.equal(timers.set.length, 0);
  });

  it('stays down between pause and resume', async () => {
    await startReady();
    await supervised.pause();
    timers.pass(60_000);
    assert.deepEqual([launched.length, supervised.pid, lines.length], [1, undefined, 0]);
    const resumed = supervised.resume();
    latest().sayReady();
    await resumed;
    assert.deepEqual([supervised.pid, supervised.restarts], [102, 1]);
  });

  it('stays down when paused between end and restart', async () => {
    await startReady();
    latest().end('SIGSEGV');
    await settled();
    await supervised.pause();
    timers.pass(60_000);
    assert.equal(launched.length, 1);
  });

  it('is up only when the next process is ready', async () => {
    await startReady();
    await supervised.kill();
    let up = false;
    const waiting = supervised.untilUp().then(() => (up = true));
    timers.pass(500);
    await settled();
    assert.equal(up, false);
    latest().end('exit code 1');
    await settled();
    timers.pass(1_000);
    latest().sayReady();
    await waiting;
    assert.equal(supervised.pid, 103);
  });

  it('ends by SIGTERM and is not started again', async () => {
    await startReady();
    await supervised.stop(10_000);
    assert.deepEqual(latest().signals, ['SIGTERM']);
    assert.deepEqual([timers.set.length, launched.length, lines.length], [0, 1, 0]);
  });

  it('is killed with all it started when it will not end', async () => {
    await startReady();
    latest().stubborn = true;
    const stopped = supervised.stop(10_000);
    timers.pass(10_000);
    await stopped;
    assert.deepEqual(latest().signals, ['SIGTERM', 'all SIGKILL']);
    assert.deepEqual(lines, ['worker (101) did not end within 10 s, killing it']);
  });

  it('tells those who wait for it that it was stopped', async () => {
    await startReady();
    await supervised.kill();
    const waiting = assert.rejects(supervised.untilUp(), /worker was stopped/);
    await supervised.stop(10_000);
    await waiting;
  });
});
