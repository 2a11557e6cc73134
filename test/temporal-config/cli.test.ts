import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { cacheFolder } from '../../temporal-config/tools.js';
import { resolveTemporalCli, type CliMakers } from '../../temporal-config/cli.js';
import { CLI_SCRIPT, fakeProgram, withEnv } from './fakes.js';

const log = (): void => undefined;

/** Makers that note that they were asked and then succeed or fail as `able` says. */
function makers(asked: string[], able: { download?: boolean; go?: boolean } = {}): CliMakers {
  const maker = (source: 'download' | 'go', reason: string): ReturnType<CliMakers>[number] => ({
    source,
    make: async (folder) => {
      asked.push(source);
      if (able[source] !== true) throw new Error(reason);
      await fakeProgram(folder, 'temporal', CLI_SCRIPT);
    },
  });
  return () => [maker('download', 'host not found'), maker('go', '`go` is not on PATH')];
}

describe('the search for the Temporal CLI', () => {
  it('takes TEMPORAL_CLI_PATH before PATH', async () => {
    await withEnv(async (env, folder, asked) => {
      await fakeProgram(join(folder, 'bin'), 'temporal', CLI_SCRIPT);
      const path = await fakeProgram(join(folder, 'own'), 'my-temporal', CLI_SCRIPT);
      const options = { env: { ...env, TEMPORAL_CLI_PATH: path }, log };
      const cli = await resolveTemporalCli(options, makers(asked));
      assert.deepEqual(cli, { path, source: 'TEMPORAL_CLI_PATH' });
      assert.deepEqual(asked, []);
    });
  });

  it('takes PATH before the cache and its makers', async () => {
    await withEnv(async (env, folder, asked) => {
      await resolveTemporalCli({ env, log }, makers(asked, { go: true }));
      const path = await fakeProgram(join(folder, 'bin'), 'temporal', CLI_SCRIPT);
      const cli = await resolveTemporalCli({ env, log }, makers([]));
      assert.deepEqual(cli, { path, source: 'path' });
    });
  });

  it('builds with Go where the download fails', async () => {
    await withEnv(async (env, _folder, asked) => {
      const cli = await resolveTemporalCli({ env, log }, makers(asked, { go: true }));
      assert.equal(cli.source, 'go');
      assert.deepEqual(asked, ['download', 'go']);
    });
  });

  it('passes over a broken temporal on PATH, saying so', async () => {
    await withEnv(async (env, folder, asked) => {
      const broken = await fakeProgram(join(folder, 'bin'), 'temporal', 'exit 127');
      const lines: string[] = [];
      const options = { env, log: (line: string) => void lines.push(line) };
      const cli = await resolveTemporalCli(options, makers(asked, { go: true }));
      assert.equal(cli.source, 'go');
      assert.ok(lines.some((line) => line.startsWith(`${broken} does not answer`)));
    });
  });

  it('says which CLI it took', async () => {
    await withEnv(async (env, folder, asked) => {
      const path = await fakeProgram(join(folder, 'bin'), 'temporal', CLI_SCRIPT);
      const lines: string[] = [];
      await resolveTemporalCli({ env, log: (line) => void lines.push(line) }, makers(asked));
      assert.deepEqual(lines, [`Temporal CLI: ${path} (path)`]);
    });
  });

  it('refuses a TEMPORAL_CLI_PATH that names no program', async () => {
    await withEnv(async (env, folder, asked) => {
      const path = join(folder, 'missing');
      const options = { env: { ...env, TEMPORAL_CLI_PATH: path }, log };
      await assert.rejects(resolveTemporalCli(options, makers(asked, { go: true })), {
        code: 'cli_path_unusable',
        message: `TEMPORAL_CLI_PATH: ${path} is not an executable file.`,
      });
      assert.deepEqual(asked, []);
    });
  });

  it('refuses a TEMPORAL_CLI_PATH that is another program', async () => {
    await withEnv(async (env, folder, asked) => {
      const path = await fakeProgram(folder, 'other', 'echo another program');
      const options = { env: { ...env, TEMPORAL_CLI_PATH: path }, log };
      await assert.rejects(resolveTemporalCli(options, makers(asked)), {
        code: 'cli_path_unusable',
        message: `TEMPORAL_CLI_PATH: ${path} does not answer \`--version\` as the Temporal CLI does.`,
      });
    });
  });

  it('names all four ways and why two failed', async () => {
    await withEnv(async (env, _folder, asked) => {
      await assert.rejects(resolveTemporalCli({ env, log }, makers(asked)), {
        name: 'TemporalConfigError',
        code: 'cli_not_found',
        message: [
          'No Temporal server is set and none can be started here. One of these four is enough:',
          '  1. set TEMPORAL_ADDRESS to the host:port of a Temporal server;',
          '  2. put the Temporal CLI (`temporal`) on PATH, or set TEMPORAL_CLI_PATH to it;',
          '  3. let temporal.download be reached, from where it is downloaded (host not found);',
          '  4. install Go, to build it with `go install github.com/temporalio/cli/cmd/temporal@v1.5.1` (`go` is not on PATH).',
        ].join('\n'),
      });
    });
  });

  it('does not take a folder called temporal', async () => {
    await withEnv(async (env, folder, asked) => {
      await mkdir(join(folder, 'bin', 'temporal'), { recursive: true });
      const cli = await resolveTemporalCli({ env, log }, makers(asked, { go: true }));
      assert.equal(cli.source, 'go');
    });
  });
});

describe('the cache folder', () => {
  it('is HOLDPOINT_CACHE_DIR before any other', () => {
    const env = { HOLDPOINT_CACHE_DIR: '/own', XDG_CACHE_HOME: '/xdg', HOME: '/home/a' };
    assert.equal(cacheFolder(env), '/own');
  });

  it('is under XDG_CACHE_HOME, else under the home folder', () => {
    assert.equal(cacheFolder({ XDG_CACHE_HOME: '/xdg', HOME: '/home/a' }), '/xdg/holdpoint');
    assert.equal(cacheFolder({ HOME: '/home/a' }), '/home/a/.cache/holdpoint');
  });
});
