import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { resolveServerPrograms, type ServerMakers } from '../../bench/postgres/server-programs.js';
import { fakeProgram, withEnv } from '../temporal-config/fakes.js';

const log = (): void => undefined;
const SCRIPTS = {
  'temporal-server': 'echo "temporal version 1.29.1"',
  'temporal-sql-tool': 'echo "temporal-sql-tool version 1.29.1"',
};

/** Makers that note that they were asked; only those in `able` succeed. */
function makers(asked: string[], able: readonly ('download' | 'go')[]): ServerMakers {
  return (name) =>
    (['download', 'go'] as const).map((source) => ({
      source,
      make: async (folder) => {
        asked.push(`${name} by ${source}`);
        if (!able.includes(source)) throw new Error(`no ${source}`);
        await fakeProgram(folder, name, SCRIPTS[name]);
      },
    }));
}

describe("the search for a Temporal server's programs", () => {
  it('takes the variables before all else', async () => {
    await withEnv(async (env, folder, asked) => {
      const own = join(folder, 'own');
      const server = await fakeProgram(own, 'a', SCRIPTS['temporal-server']);
      const sqlTool = await fakeProgram(own, 'b', SCRIPTS['temporal-sql-tool']);
      const named = { TEMPORAL_SERVER_PATH: server, TEMPORAL_SQL_TOOL_PATH: sqlTool };
      const found = await resolveServerPrograms(
        { env: { ...env, ...named }, log },
        makers(asked, ['download']),
      );
      assert.deepEqual(found, { server, sqlTool });
      assert.deepEqual(asked, []);
    });
  });

  it('takes each from PATH before it makes it', async () => {
    await withEnv(async (env, folder, asked) => {
      const bin = join(folder, 'bin');
      const server = await fakeProgram(bin, 'temporal-server', SCRIPTS['temporal-server']);
      const found = await resolveServerPrograms({ env, log }, makers(asked, ['download']));
      assert.equal(found.server, server);
      assert.deepEqual(asked, ['temporal-sql-tool by download']);
    });
  });

  it('builds with Go where the download fails, once', async () => {
    await withEnv(async (env, _folder, asked) => {
      const found = await resolveServerPrograms({ env, log }, makers(asked, ['go']));
      assert.match(found.server, /temporal-server-1\.29\.1-\w+-\w+-go\/temporal-server$/);
      assert.match(found.sqlTool, /temporal-sql-tool-1\.29\.1-\w+-\w+-go\/temporal-sql-tool$/);
      assert.deepEqual(await resolveServerPrograms({ env, log }, makers(asked, [])), found);
      assert.deepEqual(asked, [
        'temporal-server by download',
        'temporal-server by go',
        'temporal-sql-tool by download',
        'temporal-sql-tool by go',
      ]);
    });
  });

  it('does not take the Temporal CLI for the SQL tool', async () => {
    await withEnv(async (env, folder, asked) => {
      const path = await fakeProgram(folder, 'cli', SCRIPTS['temporal-server']);
      const options = { env: { ...env, TEMPORAL_SQL_TOOL_PATH: path }, log };
      await assert.rejects(resolveServerPrograms(options, makers(asked, ['go'])), {
        code: 'server_path_unusable',
        message: `TEMPORAL_SQL_TOOL_PATH: ${path} does not answer \`--version\` as temporal-sql-tool does.`,
      });
    });
  });

  it('names all three ways and why two failed', async () => {
    await withEnv(async (env, _folder, asked) => {
      await assert.rejects(resolveServerPrograms({ env, log }, makers(asked, [])), {
        name: 'TemporalConfigError',
        code: 'server_not_found',
        message: [
          'Temporal server is not here, and a Temporal server on PostgreSQL needs it. One of these three is enough:',
          '  1. put `temporal-server` 1.29.1 on PATH, or set TEMPORAL_SERVER_PATH to it;',
          '  2. let github.com be reached, from where it is downloaded (no download);',
          '  3. install Go, to build it with `go install go.temporal.io/server/cmd/server@v1.29.1` (no go).',
        ].join('\n'),
      });
    });
  });
});
