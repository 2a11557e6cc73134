import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { goInstall } from '../../temporal-config/cli.js';
import { fakeProgram, withTempFolder } from './fakes.js';

const log = (): void => undefined;

/** `bin` first, so that its programs win; the rest for what their scripts call. */
function envWith(bin: string): NodeJS.ProcessEnv {
  return { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
}

describe('the build with Go', () => {
  it('installs the wanted version into the folder', async () => {
    await withTempFolder(async (folder) => {
      await fakeProgram(join(folder, 'bin'), 'go', 'echo "$@ $GOOS" > "$GOBIN/called"');
      const env = { ...envWith(join(folder, 'bin')), GOOS: 'plan9' };
      await goInstall({ target: 'example.test/tool@v1', env, log }, folder);
      const called = await readFile(join(folder, 'called'), 'utf8');
      assert.match(called, /^install .*-ldflags=-s -w example\.test\/tool@v1 \n$/);
    });
  });

  it('gives the program the name that it is wanted by', async () => {
    await withTempFolder(async (folder) => {
      await fakeProgram(join(folder, 'bin'), 'go', 'echo built > "$GOBIN/sql"');
      const env = envWith(join(folder, 'bin'));
      const target = 'example.test/cmd/tools/sql@v1.2.3';
      await goInstall({ target, program: 'sql-tool', env, log }, folder);
      assert.equal(await readFile(join(folder, 'sql-tool'), 'utf8'), 'built\n');
    });
  });

  it('reports the last lines of a failed build', async () => {
    await withTempFolder(async (folder) => {
      const bin = join(folder, 'bin');
      await fakeProgram(bin, 'go', 'echo "module not found" >&2; exit 1');
      await assert.rejects(goInstall({ target: 'a@v1', env: envWith(bin), log }, folder), {
        message: `${join(bin, 'go')} ended with exit code 1: module not found`,
      });
    });
  });

  it('says when there is no Go', async () => {
    await withTempFolder(async (folder) => {
      await assert.rejects(goInstall({ target: 'a@v1', env: { PATH: folder }, log }, folder), {
        message: '`go` is not on PATH',
      });
    });
  });
});
