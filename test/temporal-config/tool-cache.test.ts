import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { cachedTool, type CachedTool, type ToolMaker } from '../../temporal-config/tools.js';
import { gate, withTempFolder } from './fakes.js';

async function isGood(path: string): Promise<boolean> {
  return (await readFile(path, 'utf8').catch(() => '')) === 'good';
}

function writes(source: string, text: string): ToolMaker<string> {
  return { source, make: (folder) => writeFile(join(folder, 'tool'), text) };
}

function fails(source: string, reason: string): ToolMaker<string> {
  return { source, make: () => Promise.reject(new Error(reason)) };
}

function tool(folder: string, ...makers: ToolMaker<string>[]): CachedTool<string> {
  const log = (): void => undefined;
  return { folder, name: 'tool-1.0', executable: 'tool', isUsable: isGood, makers, log, pollMs: 1 };
}

async function pathOf(wanted: CachedTool<string>): Promise<string> {
  const found = await cachedTool(wanted);
  assert.ok('path' in found);
  return found.path;
}

describe('the tool cache', () => {
  it('makes a tool once and finds it again, by version, platform and source', async () => {
    await withTempFolder(async (folder) => {
      const path = await pathOf(tool(folder, writes('a', 'good')));
      assert.equal(path, join(folder, `tool-1.0-${process.platform}-${process.arch}-a`, 'tool'));
      const again = await cachedTool(tool(folder, fails('a', 'must not be asked')));
      assert.deepEqual(again, { path, source: 'a' });
    });
  });

  it('goes on to the next maker after a failure, or a result that does not run', async () => {
    for (const bad of [fails('a', 'no'), writes('a', 'bad')]) {
      await withTempFolder(async (folder) => {
        const found = await cachedTool(tool(folder, bad, writes('b', 'good')));
        assert.equal('source' in found && found.source, 'b');
      });
    }
  });

  it('returns every reason when no maker succeeds', async () => {
    await withTempFolder(async (folder) => {
      const found = await cachedTool(tool(folder, fails('a', 'no net'), fails('b', 'no Go')));
      const failures = [
        { source: 'a', reason: 'no net' },
        { source: 'b', reason: 'no Go' },
      ];
      assert.deepEqual([found, await readdir(folder)], [{ failures }, []]);
    });
  });

  it('makes a damaged tool again', async () => {
    await withTempFolder(async (folder) => {
      const path = await pathOf(tool(folder, writes('a', 'good')));
      await writeFile(path, 'half of i');
      assert.equal(await pathOf(tool(folder, writes('a', 'good'))), path);
      assert.equal(await readFile(path, 'utf8'), 'good');
    });
  });

  it('makes a tool once for two runs at once', async () => {
    await withTempFolder(async (folder) => {
      const waits = gate();
      const makes: string[] = [];
      const slow: ToolMaker<string> = {
        source: 'a',
        make: async (into) => {
          makes.push(into);
          await waits.opened;
          await writeFile(join(into, 'tool'), 'good');
        },
      };
      const run = { ...tool(folder, slow), log: waits.open };
      const [one, other] = await Promise.all([cachedTool(run), cachedTool(run)]);
      assert.deepEqual(one, other);
      assert.equal(makes.length, 1);
    });
  });

  it('lets the next run in after one that failed', async () => {
    await withTempFolder(async (folder) => {
      const failing = tool(folder, writes('a', 'good'));
      failing.isUsable = async (path) => {
        if ((await readdir(folder)).length > 0) throw new Error(`cannot run ${path}`);
        return false;
      };
      await assert.rejects(cachedTool(failing), /cannot run/);
      assert.deepEqual(await readdir(folder), []);
      await pathOf(tool(folder, writes('a', 'good')));
    });
  });

  it('says that it takes over what a dead run left', async () => {
    await withTempFolder(async (folder) => {
      const { pid } = spawnSync('true');
      const entry = `tool-1.0-${process.platform}-${process.arch}`;
      await writeFile(join(folder, `${entry}@${pid}-1-${hostname()}.lock`), '');
      const lines: string[] = [];
      const log = (line: string): void => void lines.push(line);
      await pathOf({ ...tool(folder, writes('a', 'good')), log });
      assert.deepEqual(lines, ['taking over tool-1.0, left by a run that ended early']);
      assert.deepEqual(await readdir(folder), [`${entry}-a`]);
    });
  });

  it('shows nobody a tool in the making', async () => {
    await withTempFolder(async (folder) => {
      let seen: string[] = [];
      const looking: ToolMaker<string> = {
        source: 'a',
        make: async (into) => {
          await writeFile(join(into, 'tool'), 'good');
          seen = (await readdir(folder)).filter((name) => name.endsWith('-a'));
        },
      };
      const path = await pathOf(tool(folder, looking));
      assert.deepEqual(seen, []);
      assert.equal(dirname(dirname(path)), folder);
    });
  });

  it('removes what a dead run left unfinished', async () => {
    await withTempFolder(async (folder) => {
      const leftover = `tool-1.0-${process.platform}-${process.arch}.unfinished-abc`;
      await mkdir(join(folder, leftover));
      await writeFile(join(folder, leftover, 'tool'), 'ha');
      await pathOf(tool(folder, writes('a', 'good')));
      assert.deepEqual(await readdir(folder), [`tool-1.0-${process.platform}-${process.arch}-a`]);
    });
  });
});
