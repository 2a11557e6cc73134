import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { WorkflowHandle } from '@temporalio/client';
import { after, before, describe, it } from 'mocha';
import { loadDataConverter } from '../../runtime/data-converter.js';
import { lookUntil } from '../support/looks.js';
import { testBundle } from '../support/temporal-test-server.js';
import { UpgradeWorld, delivers, type AskedIntent } from './upgrade-world.js';
import { scriptOf } from '../support/scripts.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const HOLDPOINT_DATA_CONVERTER = path.join(ROOT, 'test/support/rot-codec.mjs');

describe('npm run replay-check', () => {
  let world: UpgradeWorld;
  let folder: string;
  let today: string;
  let asked: readonly AskedIntent[];
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-replay-'));
    const converter = await loadDataConverter({ HOLDPOINT_DATA_CONVERTER }, ROOT);
    const bundle = await testBundle();
    today = bundle.codePath;
    world = await UpgradeWorld.start(converter);
    const workers = await world.startWorkers(bundle);
    await workers.makeCurrent();
    // Without reminders: a timer that fires while no worker runs is an event of its own.
    asked = [await world.ask({}), await world.ask({}), await world.ask({})];
    for (const one of asked) await delivers(workers, one);
    for (const { intent, question } of asked) await Promise.all([idle(intent), idle(question)]);
    await workers.stop();
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Waits until the workflow has nothing under way, so that no event comes once its workers are gone. */
  async function idle(handle: Pick<WorkflowHandle, 'describe'>): Promise<void> {
    await lookUntil(async () => {
      const { raw } = await handle.describe();
      return !raw.pendingWorkflowTask && !raw.pendingActivities?.length;
    }, 'a workflow does not come to rest');
  }

  async function check(settings: NodeJS.ProcessEnv, ...args: readonly string[]) {
    const { PATH, HOME } = process.env;
    const script = [scriptOf('workers/replay-check-main.ts'), ...args];
    const child = spawn(process.execPath, script, {
      cwd: ROOT,
      env: {
        PATH,
        HOME,
        TEMPORAL_ADDRESS: world.address,
        HOLDPOINT_DATA_CONVERTER,
        HOLDPOINT_WORKFLOW_BUNDLE: today,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }

  it('passes with the code that the open workflows run on, payload codecs included, and leaves them as they were', async () => {
    const lengths = async () =>
      Promise.all(asked.map(async ({ question }) => (await question.describe()).historyLength));
    const before = await lengths();
    const { code, out, err } = await check({});
    assert.deepEqual(await lengths(), before);
    assert.deepEqual({ code, err }, { code: 0, err: '' });
    assert.match(
      out,
      /^intent +3 of 3 passed\nsuspension +3 of 3 passed\nportfolio +0 of 0 passed$/m,
    );
    assert.match(
      out,
      /^of 6 open workflows, 6 go on with version \d+\.\d+\.\d+-[0-9a-f]{12}\.\n$/m,
    );
  });

  it('names the workflows that other code cannot go on with, and fails', async () => {
    const other = path.join(folder, 'other.js');
    // Another activity in the place of the one that the histories have, wherever it is called.
    const code = await readFile(today, 'utf8');
    const changed = code.replaceAll('const { notify } =', 'const { inform: notify } =');
    assert.notEqual(changed, code);
    await writeFile(other, changed);
    const { code: exit, out, err } = await check({ HOLDPOINT_WORKFLOW_BUNDLE: other });
    assert.equal(exit, 1);
    assert.match(out, /^intent +3 of 3 passed\nsuspension +0 of 3 passed$/m);
    for (const { question } of asked) {
      assert.match(out, new RegExp(`^  ${question.workflowId}: .*[Nn]ondeterminism`, 'm'));
    }
    assert.match(
      err,
      // The core of the SDK may print how one of its threads ended.
      /^3 cannot: of 6 open workflows, 3 go on with version .*\. Do not roll it out\.\n$/m,
    );
  });

  it('looks at no more workflows of a type than it is told to, old and new ones', async () => {
    const { code, out } = await check({}, '--most', '2', '--type', 'suspension');
    assert.equal(code, 0);
    assert.match(out, /^suspension +2 of 2 passed\nof 2 open workflows, 2 go on with version/);
  });

  it('says how it is used', async () => {
    const { code, err } = await check({}, '--most', 'all');
    assert.equal(code, 2);
    assert.match(err, /^Usage: holdpoint replay-check /);
  });
});
