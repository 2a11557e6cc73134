import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { openDataFolder } from '../../service/data-folder.js';
import { readSettings } from '../../service/settings.js';
import { startStack } from '../../service/stack.js';
import { StartupError } from '../../runtime/program.js';
import { scriptOf } from '../support/scripts.js';
import { storeFolder } from '../support/store.js';
import { withFolder } from '../support/temp-folder.js';

const START = scriptOf('service/start.ts');

/** Runs the start script with these settings alone, until it ends. */
async function start(cwd: string, settings: Record<string, string>) {
  const child = spawn(process.execPath, [START], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, lines: stderr.trimEnd().split('\n') };
}

describe('a start that cannot succeed', () => {
  let folder: string;

  withFolder((made) => (folder = made));

  async function refused(settings: Record<string, string>, line: RegExp): Promise<void> {
    const { code, stdout, lines } = await start(folder, settings);
    assert.deepEqual({ code, stdout, count: lines.length }, { code: 1, stdout: '', count: 1 });
    assert.match(lines[0] ?? '', line);
  }

  it('says in one line that keys are malformed', async () => {
    await refused({ HOLDPOINT_API_KEYS: '{"key": "secret' }, /^HOLDPOINT_API_KEYS is not JSON/);
  });

  it('says in one line that the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const taken = refused({ PORT: String(port) }, /^Port \d+ on 127\.0\.0\.1 is already in use/);
    await taken.finally(() => server.close());
  });

  for (const [name, settings, line] of [
    [
      'database',
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' },
      /^The database of DATABASE_URL/,
    ],
    [
      'Temporal server',
      { TEMPORAL_ADDRESS: '127.0.0.1:1' },
      /^No Temporal server answers at .*:1:/,
    ],
  ] as const) {
    it(`says in its last line that the ${name} does not answer`, async () => {
      // A store that needs not be made first.
      await storeFolder('migrated', path.join(folder, 'store'));
      const started = await start(folder, { HOLDPOINT_DATA_DIR: folder, ...settings });
      assert.equal(started.code, 1);
      assert.match(started.lines.at(-1) ?? '', line);
      assert.ok(
        started.lines.every((one) => !one.startsWith('    at ')),
        started.lines.join('\n'),
      );
    });
  }
});

describe('settings that cannot be used', () => {
  let folder: string;

  withFolder((made) => (folder = made));

  /** What a start throws is printed in one line, as malformed keys are above, if it is a StartupError of one line. */
  function inOneLine(line: RegExp): (error: unknown) => boolean {
    return (error) => {
      assert.ok(error instanceof StartupError, String(error));
      assert.match(error.message, line);
      return !error.message.includes('\n');
    };
  }

  function refuses(settings: NodeJS.ProcessEnv, line: RegExp): void {
    assert.throws(() => readSettings(settings, folder), inOneLine(line));
  }

  it('are named in one line if the configuration is malformed', async () => {
    const file = path.join(folder, 'openintent.yaml');
    await writeFile(file, 'suspension:\n  default_retry_policy: {max_attempts: 0}\n');
    refuses({}, /openintent\.yaml: .*max_attempts/);
  });

  it('are named in one line if the secret of a webhook is missing', async () => {
    const file = path.join(folder, 'openintent.yaml');
    const ops = '{type: webhook, url: "https://example.com", secrets: [$OPS_SECRET]}';
    await writeFile(file, `notifications: {default_channel: ops, channels: {ops: ${ops}}}\n`);
    refuses({}, /^notifications\.channels\.ops\.secrets\[0\]: .* OPS_SECRET is not set\.$/);
  });

  it('are named in one line if the configuration is missing', () => {
    refuses({ HOLDPOINT_CONFIG: 'none.yaml' }, /none\.yaml: there is no such file/);
  });

  it('are named in one line if an address of metrics is none', () => {
    for (const name of ['HOLDPOINT_API_METRICS', 'HOLDPOINT_WORKER_METRICS']) {
      refuses({ [name]: 'on' }, new RegExp(`^${name} is "on": it must be a port`));
    }
  });

  it('are refused before anything is started, as is a data folder in use', async () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const none = { dataDir: path.join(folder, 'none'), env: { HOLDPOINT_CONFIG: 'none.yaml' } };
    await assert.rejects(startStack({ ...none, log }), inOneLine(/there is no such file/));
    assert.ok(!existsSync(none.dataDir));
    const held = await openDataFolder(path.join(folder, 'data'));
    const inUse = startStack({ dataDir: held.root, env: { HOLDPOINT_CONFIG: '/dev/null' }, log });
    try {
      await assert.rejects(inUse, inOneLine(/^The data folder .* is in use/));
    } finally {
      await held.release();
    }
    assert.deepEqual(lines, []);
  });
});
