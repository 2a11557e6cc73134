import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import {
  FolderInUseError,
  isFolderHeld,
  lockFolder,
  waitForFolder,
} from '../../runtime/folder-lock.js';
import { scriptOf } from '../support/scripts.js';
import { withFolder } from '../support/temp-folder.js';

const FOR_EVER = { patienceMs: Infinity, pollMs: 10 };
const MODULE = scriptOf('runtime/folder-lock.ts');

function pidOfDeadProcess(): number {
  return spawnSync('true').pid;
}

describe('folder lock', () => {
  let folder = '';
  withFolder((made) => (folder = made));

  /** The claim of a process as its file would be left behind. */
  async function leaveClaim(pid: number, host = hostname()): Promise<string> {
    const file = path.join(folder, `holder@${pid}-1-${host}.lock`);
    await writeFile(file, '');
    return file;
  }

  it('refuses a second holder and names the first', async () => {
    const lock = await lockFolder(folder);
    await assert.rejects(lockFolder(folder), (error: unknown) => {
      assert.ok(error instanceof FolderInUseError);
      assert.match(error.message, new RegExp(`in use by process ${process.pid}$`));
      return true;
    });
    await lock.release();
  });

  it('lets the next holder in after release', async () => {
    const first = await lockFolder(folder);
    await first.release();
    assert.deepEqual(await readdir(folder), []);
    const second = await lockFolder(folder);
    assert.equal((await readdir(folder)).length, 1);
    await second.release();
  });

  it('says whether somebody holds a folder, and leaves it as it is', async () => {
    assert.equal(await isFolderHeld(path.join(folder, 'nowhere')), false);
    await leaveClaim(pidOfDeadProcess());
    assert.equal(await isFolderHeld(folder), false);
    assert.equal((await readdir(folder)).length, 1);
    const lock = await lockFolder(folder);
    assert.equal(await isFolderHeld(folder), true);
    assert.equal(await isFolderHeld(folder, 'other'), false);
    await lock.release();
    assert.equal(await isFolderHeld(folder), false);
  });

  it('lets at most one of many holders in', async () => {
    const claims = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const held = claims.filter((claim) => claim.status === 'fulfilled');
    assert.ok(held.length <= 1, `${held.length} hold the folder`);
    await Promise.all(held.map(({ value }) => value.release()));
    assert.deepEqual(await readdir(folder), []);
  });

  it('ignores a claim whose port is silent', async () => {
    const gone = await lockFolder(folder);
    const [name = ''] = await readdir(folder);
    await gone.release();
    await writeFile(path.join(folder, name), '');
    const lock = await lockFolder(folder);
    assert.ok(!(await readdir(folder)).includes(name));
    await lock.release();
  });

  it('takes over the claim of a dead process, and says so', async () => {
    const claim = await leaveClaim(pidOfDeadProcess());
    const lock = await lockFolder(folder);
    assert.equal(lock.tookOver, true);
    assert.ok(!(await readdir(folder)).includes(path.basename(claim)));
    await lock.release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('holds against another process, until that one is killed', async () => {
    const script = `import { lockFolder } from ${JSON.stringify(MODULE)};
      await lockFolder(${JSON.stringify(folder)});
      process.stdout.write('held');
      setInterval(() => undefined, 1_000);`;
    const args = ['--input-type=module', '--eval', script];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await assert.rejects(lockFolder(folder), new RegExp(`in use by process ${child.pid}$`));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = await lockFolder(folder);
    assert.equal(lock.tookOver, true);
    await lock.release();
  });

  it('takes over a claim of another host that is silent for a minute', async () => {
    const claim = await leaveClaim(process.pid, 'another-host');
    const aMinuteAgo = new Date(Date.now() - 61_000);
    await utimes(claim, aMinuteAgo, aMinuteAgo);
    const lock = await lockFolder(folder);
    assert.equal(lock.tookOver, true);
    await lock.release();
  });

  it('respects a living claim of another host', async () => {
    const pid = pidOfDeadProcess();
    await leaveClaim(pid, 'another-host');
    const expected = new RegExp(`in use by process ${pid} on another-host$`);
    await assert.rejects(lockFolder(folder), expected);
  });

  it('keeps locks of different names apart', async () => {
    const one = await lockFolder(folder, 'tool-1');
    const other = await lockFolder(folder, 'tool');
    await assert.rejects(lockFolder(folder, 'tool'), FolderInUseError);
    await Promise.all([one.release(), other.release()]);
    assert.deepEqual(await readdir(folder), []);
  });
});

describe('waiting for a folder', () => {
  let folder = '';
  withFolder((made) => (folder = made));

  it('lets many work one at a time, after a holder that died', async () => {
    const left = `holder@${pidOfDeadProcess()}-1-${hostname()}.lock`;
    await writeFile(path.join(folder, left), '');
    let [working, most, done] = [0, 0, 0];
    const run = async (): Promise<void> => {
      const lock = await waitForFolder(() => lockFolder(folder), FOR_EVER);
      most = Math.max(most, (working += 1));
      await readdir(folder);
      working -= 1;
      done += 1;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 20 }, run));
    assert.deepEqual([most, done], [1, 20]);
    assert.deepEqual(await readdir(folder), []);
  });

  it('says once that it waits, and for whom', async () => {
    const first = await lockFolder(folder);
    const lines: string[] = [];
    const onWait = ({ message }: Error): void => {
      lines.push(message);
      setImmediate(() => void first.release());
    };
    const second = await waitForFolder(() => lockFolder(folder), { ...FOR_EVER, onWait });
    await second.release();
    assert.deepEqual(lines, [`the folder ${folder} is in use by process ${process.pid}`]);
  });

  it('gives up when its patience is at an end', async () => {
    const first = await lockFolder(folder);
    const waiting = waitForFolder(() => lockFolder(folder), { patienceMs: -1 });
    await assert.rejects(waiting, FolderInUseError);
    await first.release();
  });

  it('passes other errors on at once', async () => {
    const failing = waitForFolder(() => Promise.reject(new Error('no disk')), FOR_EVER);
    await assert.rejects(failing, /no disk/);
  });
});
