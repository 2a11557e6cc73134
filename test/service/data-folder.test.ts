import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDataFolder } from '../../service/data-folder.js';
import { scriptOf } from '../support/scripts.js';

const HOLDER = `
  import { openDataFolder } from '${scriptOf('service/data-folder.ts')}';
  await openDataFolder(process.argv[1]);
  process.stdout.write('held');
  setInterval(() => undefined, 60_000);
`;

describe('the data folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'holdpoint-service-')), 'data');
  });
  afterEach(async () => {
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  it('refuses a second service', async () => {
    const first = await openDataFolder(folder);
    await assert.rejects(openDataFolder(folder), {
      name: 'StartupError',
      message: `The data folder ${folder} is in use by another Holdpoint: stop that one, or set another HOLDPOINT_DATA_DIR.`,
    });
    await first.release();
  });

  it('is free again once released', async () => {
    await (await openDataFolder(folder)).release();
    const again = await openDataFolder(folder);
    assert.equal(again.root, folder);
    await again.release();
  });

  it('is taken over from a service that was killed', async () => {
    const args = ['--input-type=module', '-e', HOLDER, folder];
    const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    await assert.rejects(openDataFolder(folder), /in use/);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await (await openDataFolder(folder)).release();
  });

  it('stays out of git, unless somebody wants otherwise', async () => {
    const file = path.join(folder, '.gitignore');
    await (await openDataFolder(folder)).release();
    assert.equal(await readFile(file, 'utf8'), '*\n');
    await writeFile(file, '');
    await (await openDataFolder(folder)).release();
    assert.equal(await readFile(file, 'utf8'), '');
  });

  it('cannot be a file', async () => {
    const file = new URL(import.meta.url).pathname;
    await assert.rejects(openDataFolder(file), /cannot be used: EEXIST/);
  });
});
