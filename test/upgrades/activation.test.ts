import { Client, Connection } from '@temporalio/client';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, describe, it } from 'mocha';
import { DEPLOYMENT_NAME, TASK_QUEUE } from '../../contracts/constants/names.js';
import type { DevServer } from '../../temporal-config/dev-server.js';
import { recordQuery } from '../../workflows/suspension/messages.js';
import { versionOf } from '../../workers/versioning.js';
import { askAgain } from '../support/ask-again.js';
import { lookUntil } from '../support/looks.js';
import { untilSaid } from '../support/processes.js';
import { withStore, type TestStore } from '../support/store.js';
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

  /** The version that gets a share of the workflows, and its share. */
  async function shareNow() {
    const { workerDeploymentInfo } = await connection.workflowService.describeWorkerDeployment({
      namespace: 'default',
      deploymentName: DEPLOYMENT_NAME,
    });
    const { rampingDeploymentVersion, rampingVersionPercentage } =
      workerDeploymentInfo?.routingConfig ?? {};
    return {
      buildId: rampingDeploymentVersion?.buildId,
      percentage: rampingVersionPercentage,
    };
  }

  /** How Temporal uses the version. */
  async function statusNow(): Promise<string> {
    const { out, err } = await activate('--status');
    assert.ok(out.startsWith(`${buildId} `), out + err);
    return out.slice(buildId.length).trim();
  }

  async function ask() {
    const { workflow: client } = new Client({ connection, interceptors: { workflow: [askAgain] } });
    const here = { client, taskQueue: TASK_QUEUE, now: async () => Date.now() };
    return openSuspension(here, REMINDED);
  }

  it('is refused while no worker of the version is there, and changes nothing', async () => {
    const { code, out, err } = await activate('--wait', '0');
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.match(err, new RegExp(`^There are no workers of version ${buildId} at .*nothing was`));
    assert.equal(await statusNow(), 'unknown');
  });

  it('is refused with a share that is none', async () => {
    for (const args of [
      ['--ramp', '100'],
      ['--ramp', 'x'],
      ['--ramp', '5', '--unversioned'],
      ['--status', '--unversioned'],
    ]) {
      const { code, err } = await activate(...args);
      assert.equal(code, 2);
      assert.match(err, /^Usage: .*--ramp <percent below 100>/);
    }
  });

  it('moves questions that unversioned workers have begun, and back', async () => {
    const [old] = await startWorker(UNVERSIONED);
    const { handle, view } = await ask();
    await lookUntil(async () => (await handle.query(recordQuery)).attempt === 1, 'never begun');
    const [, ready] = await startWorker();
    assert.match(ready, new RegExp(`as version ${buildId}: .*npm run activate`));
    assert.equal(await statusNow(), 'inactive');
    const share = await activate('--ramp', '10');
    assert.match(share.out, new RegExp(`^Workers of version ${buildId} get 10 % of the work`, 'm'));
    assert.deepEqual(await shareNow(), { buildId, percentage: 10 });
    assert.equal(await statusNow(), 'ramping');
    await activate('--ramp', '0');
    assert.equal((await shareNow()).percentage, 0);
    await activate('--ramp', '25');
    const first = await activate();
    assert.equal((await shareNow()).percentage, 0);
    assert.deepEqual({ code: first.code, err: first.err }, { code: 0, err: '' });
    assert.match(
      first.out,
      new RegExp(`^Workers of version ${buildId} get .* Before, workers without a version`, 'm'),
    );
    assert.equal(await statusNow(), 'current');
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
