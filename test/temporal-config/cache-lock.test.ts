import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { withCacheLock } from '../../temporal-config/cache-lock.js';
import { gate, withTempFolder } from './fakes.js';

const quiet = { log: () => undefined, pollMs: 1 };

async function writeLock(path: string, pid: number, host = hostname()): Promise<void> {
  await writeFile(path, JSON.stringify({ pid, host, id: 'left over' }));
}

function pidOfDeadProcess(): number {
  return spawnSync('true').pid;
}

describe('the cache lock', () => {
  it('lets one run work at a time', async () => {
    await withTempFolder(async (folder) => {
      const path = join(folder, 'a.lock');
      let working = 0;
      let most = 0;
      const run = (): Promise<void> =>
        withCacheLock(
          path,
          async () => {
            working += 1;
            most = Math.max(most, working);
            await readdir(folder);
            working -= 1;
          },
          quiet,
        );
      await Promise.all(Array.from({ length: 20 }, run));
      assert.equal(most, 1);
      assert.deepEqual(await readdir(folder), []);
    });
  });

  it('says once that it waits, and for what', async () => {
    await withTempFolder(async (folder) => {
      const path = join(folder, 'a.lock');
      const lines: string[] = [];
      const said = gate();
      const log = (line: string): void => {
        lines.push(line);
        said.open(line);
      };
      const first = withCacheLock(path, () => said.opened, quiet);
      await withCacheLock(path, async () => undefined, { log, pollMs: 1 });
      await first;
      assert.deepEqual(lines, [`waiting for another run that holds ${path}`]);
    });
  });

  it('takes over the lock of a dead process', async () => {
    await withTempFolder(async (folder) => {
      const path = join(folder, 'a.lock');
      await writeLock(path, pidOfDeadProcess());
      const lines: string[] = [];
      const log = (line: string): void => void lines.push(line);
      assert.equal(await withCacheLock(path, async () => 'worked', { log }), 'worked');
      assert.deepEqual(lines, [`taking over ${path}, left by a run that ended early`]);
      assert.deepEqual(await readdir(folder), []);
    });
  });

  it('takes over a lock that is silent for a minute', async () => {
    await withTempFolder(async (folder) => {
      const path = join(folder, 'a.lock');
      await writeLock(path, process.pid);
      const aMinuteAgo = new Date(Date.now() - 61_000);
      await utimes(path, aMinuteAgo, aMinuteAgo);
      assert.equal(await withCacheLock(path, async () => 'worked', quiet), 'worked');
    });
  });

  it('respects a living lock of another host', async () => {
    await withTempFolder(async (folder) => {
      const path = join(folder, 'a.lock');
      await writeLock(path, pidOfDeadProcess(), 'another-host');
      const waiting = gate();
      let worked = false;
      const run = withCacheLock(
        path,
        async () => {
          worked = true;
        },
        { log: waiting.open, pollMs: 1 },
      );
      assert.match(await waiting.opened, /^waiting/);
      assert.equal(worked, false);
      await writeLock(path, pidOfDeadProcess());
      await run;
      assert.equal(worked, true);
    });
  });

  it('lets several runs take over one lock in turn', async () => {
    await withTempFolder(async (folder) => {
      const path = join(folder, 'a.lock');
      await writeLock(path, pidOfDeadProcess());
      let done = 0;
      const run = (): Promise<void> =>
        withCacheLock(
          path,
          async () => {
            done += 1;
          },
          quiet,
        );
      await Promise.all(Array.from({ length: 10 }, run));
      assert.equal(done, 10);
      assert.equal(existsSync(path), false);
    });
  });

  it('is released when the work fails', async () => {
    await withTempFolder(async (folder) => {
      const path = join(folder, 'a.lock');
      const fail = (): Promise<never> => Promise.reject(new Error('no luck'));
      await assert.rejects(withCacheLock(path, fail, quiet), /no luck/);
      assert.equal(existsSync(path), false);
    });
  });
});
