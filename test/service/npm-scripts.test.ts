import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../temporal-config/ports.js';
import { childOf } from '../support/processes.js';
import { testBundle } from '../support/temporal-test-server.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('npm that gets SIGTERM', () => {
  let folder: string;
  let silent: Server;
  let address: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-npm-'));
    // Takes connections for Temporal and the store, and never answers.
    silent = createServer((socket) => socket.on('error', () => undefined).resume());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  });
  after(async () => {
    silent.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const script of ['start', 'worker', 'api']) {
    it(`ends our program and then itself: npm run ${script}`, async () => {
      const { PATH, HOME } = process.env;
      const npm = spawn('npm', ['run', script], {
        cwd: ROOT,
        env: {
          PATH,
          HOME,
          PORT: String(await freePort()),
          HOLDPOINT_DATA_DIR: folder,
          DATABASE_URL: `postgres://nobody@${address}/none`,
          HOLDPOINT_ID_SECRETS: 'a secret for ids of 32 characters',
          TEMPORAL_ADDRESS: address,
          HOLDPOINT_WORKFLOW_BUNDLE: (await testBundle()).codePath,
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const exited = once(npm, 'exit');
      // The API connects when it is asked; the others connect when they start.
      const running =
        script === 'api' ? saysReady(npm.stdout) : once(silent, 'connection').then(() => undefined);
      await Promise.race([running, exited.then(() => assert.fail('It ended by itself.'))]);
      npm.stdout.resume();
      const program = await childOf(npm.pid ?? 0);

      npm.kill('SIGTERM');

      assert.deepEqual(await exited, [0, null]);
      assert.throws(() => process.kill(program, 0), { code: 'ESRCH' });
    });
  }
});

async function saysReady(stdout: NodeJS.ReadableStream): Promise<void> {
  for (let said = ''; !said.includes('ready on');) {
    const [chunk] = (await once(stdout, 'data')) as [Buffer];
    said += chunk.toString();
  }
}
