import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { scriptOf } from '../support/scripts.js';

/** One file of each kind that the project has, badly formatted. */
const BAD: Readonly<Record<string, string>> = {
  'a.ts': 'export const a = "1";\n',
  'a.tsx': 'export const a = <p>{ 1 }</p>;\n',
  'a.d.ts': 'export const a:string;\n',
  'a.js': 'export const a = "1";\n',
  'a.mjs': 'export const a = "1";\n',
  'a.cjs': 'module.exports = "1";\n',
  'a.json': '{"a":1}\n',
  '.a.json': '{"a":1}\n',
  'package.json': '{"name":"a"}\n',
  'a.md': '* a\n* b\n',
  'a.css': '.a{color:red}\n',
  'a.yaml': 'a:   1\n',
  'a.html': '<!doctype html><html><body><p>a</body></html>\n',
};
/** Short enough for one line of its own, on which Prettier leaves it. */
const UNION = `export type Union =
  'one' | 'another of them' | 'a third one' | 'and the last one, which is longer than the others';
`;

describe('the check of formatting', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-format-'));
    await writeFile(path.join(folder, 'sound.ts'), 'export const sound = 1;\n');
  });
  after(() => rm(folder, { recursive: true }));

  function checked(): { readonly code: number | null; readonly said: string } {
    const script = scriptOf('test/run/format.ts');
    const ended = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    return { code: ended.status, said: ended.stdout + ended.stderr };
  }

  it('passes what is formatted, also where the quick formatter would write it otherwise', async () => {
    await writeFile(path.join(folder, 'union.ts'), UNION);
    assert.deepEqual(checked(), { code: 0, said: '' });
  });

  it('names every badly formatted file, whatever its kind', async () => {
    const files = Object.keys(BAD);
    for (const [file, text] of Object.entries(BAD)) await writeFile(path.join(folder, file), text);
    const { code, said } = checked();
    for (const file of files) await rm(path.join(folder, file));
    assert.equal(code, 1);
    const named = [...said.matchAll(/^\[warn\] (\S+)$/gm)].map(([, name]) => name ?? '');
    assert.deepEqual(named.sort(), files.sort());
  });
});
