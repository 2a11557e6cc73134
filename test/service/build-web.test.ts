import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { refreshInbox } from '../../service/build-web.js';

const PAGE = '<!doctype html><title>One</title><script type="module" src="/main.js"></script>';

describe('the build of the inbox', () => {
  let root: string;
  const said: string[] = [];
  const log = (line: string): void => void said.push(line);
  const refresh = async (): Promise<readonly string[]> => {
    said.length = 0;
    await refreshInbox({ root, env: process.env, log });
    return said;
  };
  const put = (name: string, text: string) => writeFile(path.join(root, name), text);

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'holdpoint-web-'));
    for (const folder of ['web', 'client', 'contracts', 'domain']) {
      await mkdir(path.join(root, folder));
    }
    await put('package-lock.json', '{}');
    await put('web/index.html', PAGE);
    await put('web/main.js', `document.title = ${JSON.stringify('long '.repeat(500))};`);
  });
  afterEach(() => rm(root, { recursive: true }));

  it('is made once, says so, and is made again when a source changes', async () => {
    assert.match((await refresh()).join('; '), /^The inbox: building it, .*; The inbox: done in/);
    const page = await readFile(path.join(root, 'dist/web/index.html'), 'utf8');
    const [, script = ''] = /src="\/inbox\/(assets\/[\w-]+\.js)"/.exec(page) ?? [];
    const names = (await readdir(path.join(root, 'dist/web/assets'))).sort();
    const name = path.basename(script);
    assert.deepEqual(names, [name, `${name}.br`, `${name}.gz`]);
    assert.deepEqual(await refresh(), []);

    await put('domain/rule.ts', 'export const rule = 1;');
    assert.match((await refresh()).join(), /^The inbox: building it/);
    assert.deepEqual(await refresh(), []);
    assert.deepEqual(await readdir(path.join(root, 'dist')), ['web']);
  });

  it('leaves the old one, and says why, where it fails', async () => {
    await refresh();
    const before = await readFile(path.join(root, 'dist/web/index.html'), 'utf8');
    await put('web/main.js', 'import "./none.js";');
    assert.match((await refresh()).at(-1) ?? '', /^The inbox could not be built .*none\.js/);
    assert.equal(await readFile(path.join(root, 'dist/web/index.html'), 'utf8'), before);
    assert.deepEqual(await readdir(path.join(root, 'dist')), ['web']);
  });

  it('does nothing where there are no sources of it', async () => {
    await cp(path.join(root, 'web'), path.join(root, 'elsewhere'), { recursive: true });
    await rm(path.join(root, 'web'), { recursive: true });
    assert.deepEqual(await refresh(), []);
  });
});
