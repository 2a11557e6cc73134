import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findChromium } from './support/chromium.js';

describe('the browser of the tests', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-chromium-'));
    await writeFile(path.join(folder, 'google-chrome'), '');
    await chmod(path.join(folder, 'google-chrome'), 0o755);
  });
  after(() => rm(folder, { recursive: true }));

  it('is the one that CHROMIUM_PATH names, whatever is on the PATH', async () => {
    assert.equal(await findChromium({ CHROMIUM_PATH: '/opt/mine', PATH: folder }), '/opt/mine');
  });

  it('is the first one on the PATH', async () => {
    const found = await findChromium({ PATH: `${path.join(folder, 'none')}:${folder}` });
    assert.equal(found, path.join(folder, 'google-chrome'));
  });
});
