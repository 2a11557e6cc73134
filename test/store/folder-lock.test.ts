import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderInUseError, lockFolder } from '../../store/folder-lock.js';

describe('folder lock', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

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

  it('lets at most one of many holders in', async () => {
    const claims = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const held = claims.filter((claim) => claim.status === 'fulfilled');
    assert.ok(held.length <= 1, `${held.length} hold the folder`);
    await Promise.all(held.map(({ value }) => value.release()));
    assert.deepEqual(await readdir(folder), []);
  });

  it('passes over a claim whose port is silent', async () => {
    const gone = await lockFolder(folder);
    const [name = ''] = await readdir(folder);
    await gone.release();
    await writeFile(path.join(folder, name), '');
    const lock = await lockFolder(folder);
    assert.ok(!(await readdir(folder)).includes(name));
    await lock.release();
  });
});
