import { Client, Connection } from '@temporalio/client';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'mocha';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import type { DevServer } from '../../temporal-config/dev-server.js';
import { recordQuery } from '../../workflows/suspension/messages.js';
import { versionOf } from '../../workers/versioning.js';
import { lookUntil } from '../support/looks.js';
import { untilSaid } from '../support/processes.js';
import { withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';
import { startOnFreePort } from '../support/temporal.js';
import { testBundle } from '../support/temporal-test-server.js';
import { openSuspension, respond } from '../workflows/support/suspensions.js';
import { approvalOf } from './upgrade-world.js';
import { scriptOf } from '../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const REMINDED = { retry_policy: { max_attempts: 20, interval_seconds: 8 } };
const UNVERSIONED = { HOLDPOINT_WORKER_VERSIONING: 'false' };

describe('the activation of a new version', () => {
  // Which version is current outlives a test, so nobody else may use this server.
  let temporal: DevServer;
  let store: TestStore;
  let connection: Connection;
  let codePath: string;
  let buildId: string;
  const workers: ChildProcess[] = [];
  before(async () => {
    [temporal, store, { codePath }] = await Promise.all([
      startOnFreePort(),
      withStore(),
      testBundle(),
    ]);
    ({ buildId } = await versionOf({ codePath }));
    connection = await Connection.connect({ address: temporal.address });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(stop));
  });
  after(async () => {
    await connection.close();
    await temporal.stop();
    await store.close();
  });

  function launch(script: string, args: readonly string[], settings: NodeJS.ProcessEnv = {}) {
    const { PATH, HOME } = process.env;
    return spawn(process.execPath, [scriptOf(script), ...args], {
      cwd: ROOT,
      env: {
        PATH,
        HOME,
        DATABASE_URL: store.url,
        HOLDPOINT_CONFIG: '/dev/null',
        HOLDPOINT_WORKFLOW_BUNDLE: codePath,
        TEMPORAL_ADDRESS: temporal.address,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function startWorker(settings: NodeJS.ProcessEnv = {}): Promise<[ChildProcess, string]> {
    const worker = launch('workers/main.ts', [], settings);
    workers.push(worker);
    worker.stderr.resume();
    return [worker, await untilSaid(worker.stdout, /^Holdpoint worker ready.*/)];
  }

  async function activate(...args: readonly string[]) {
    const child = launch('workers/activate-main.ts', args);
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }

  async function ask() {
    const { workflow: client } = new Client({ connection });
    const here = { client, taskQueue: TASK_QUEUE, now: async () => Date.now() };
    return openSuspension(here, REMINDED);
  }

  it('is refused while no worker of the version is there, and changes nothing', async () => {
    const { code, out, err } = await activate('--wait', '0');
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.match(err, new RegExp(`^There are no workers of version ${buildId} at .*nothing was`));
  });

  it('moves questions that unversioned workers have begun, and back', async () => {
    const [old] = await startWorker(UNVERSIONED);
    const { handle, view } = await ask();
    await lookUntil(async () => (await handle.query(recordQuery)).attempt === 1, 'never begun');
    const [, ready] = await startWorker();
    assert.match(ready, new RegExp(`as version ${buildId}: .*npm run activate`));
    const first = await activate();
    assert.deepEqual({ code: first.code, err: first.err }, { code: 0, err: '' });
    assert.match(
      first.out,
      new RegExp(`^Workers of version ${buildId} get .* Before, workers without a version`, 'm'),
    );
    await stop(old);
    const { attempt } = await handle.query(recordQuery);
    await lookUntil(
      async () => (await handle.query(recordQuery)).attempt > attempt,
      'the new worker did not remind',
    );
    assert.match((await activate()).out, new RegExp(`Before, it was ${buildId}\\.$`, 'm'));

    const back = await activate('--unversioned');
    assert.match(back.out, new RegExp(`^Workers without a version .* it was ${buildId}\\.$`, 'm'));
    await Promise.all(workers.splice(0).map(stop));
    await startWorker(UNVERSIONED);
    await respond({ handle }, approvalOf(view));
    assert.equal((await handle.result()).response, 'approve');
  });
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
