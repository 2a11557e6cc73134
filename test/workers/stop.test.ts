import { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import { AS_WHAT, RUNNER, signalled, untilSaid } from '../support/processes.js';
import { withStore, type TestStore } from '../support/store.js';
import { startReceiver, type Receiver } from '../support/subscribers.js';
import { openSuspension } from '../workflows/support/suspensions.js';
import { startTemporal, type StartedTemporal } from '../support/temporal.js';
import { testBundle } from '../support/temporal-test-server.js';
import { scriptOf } from '../support/scripts.js';

const MAIN = scriptOf('workers/main.ts');
const SECRET = `whsec_${Buffer.alloc(32, 'stop').toString('base64')}`;

describe('a worker that is asked to stop', () => {
  let temporal: StartedTemporal;
  let store: TestStore;
  let receiver: Receiver;
  let folder: string;
  let answer = (): void => undefined;
  let arrived = (): void => undefined;
  const delivery = new Promise<void>((resolve) => (arrived = resolve));

  before(async () => {
    [temporal, store, folder] = await Promise.all([
      startTemporal(),
      withStore(),
      mkdtemp(path.join(tmpdir(), 'holdpoint-stop-')),
    ]);
    receiver = await startReceiver((response: ServerResponse) => {
      answer = () => void response.writeHead(200).end();
      arrived();
    });
  });
  after(async () => {
    await receiver.close();
    await temporal.stop();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function launch() {
    const ops = `{type: webhook, url: "${receiver.url}", secrets: [$OPS], allow_private_network: true}`;
    const config = path.join(folder, 'openintent.yaml');
    await writeFile(config, `notifications: {default_channel: ops, channels: {ops: ${ops}}}\n`);
    const { PATH, HOME } = process.env;
    const [program, ...args] = [...RUNNER, process.execPath, MAIN];
    return spawn(program, args, {
      env: {
        PATH,
        HOME,
        OPS: SECRET,
        DATABASE_URL: store.url,
        HOLDPOINT_CONFIG: config,
        HOLDPOINT_WORKFLOW_BUNDLE: (await testBundle()).codePath,
        HOLDPOINT_WORKER_VERSIONING: 'false',
        TEMPORAL_ADDRESS: temporal.address,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  it(`finishes the delivery that is under way on SIGTERM${AS_WHAT}`, async () => {
    const worker = await launch();
    const exited = once(worker, 'exit');
    await untilSaid(worker.stdout, /^Holdpoint worker ready/);
    const { workflow } = new Client({ connection: temporal.connection });
    const here = { client: workflow, taskQueue: TASK_QUEUE, now: async () => Date.now() };
    const { handle } = await openSuspension(here);
    await delivery;

    process.kill(await signalled(worker), 'SIGTERM');
    await untilSaid(worker.stderr, /^SIGTERM: /);
    answer();

    assert.deepEqual(await exited, [0, null]);
    assert.equal(receiver.received.length, 1);
    const { raw } = await handle.describe();
    assert.deepEqual(raw.pendingActivities ?? [], []);
    const kept = await store.db.selectFrom('deliveries').select('channel').execute();
    assert.deepEqual(kept, [{ channel: 'ops' }]);
  });
});
