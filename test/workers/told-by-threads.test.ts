import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import threads from 'node:worker_threads';
import { MOST_OVERRUNS } from '../../contracts/log/set-aside.js';
import { SET_ASIDE, prepareWorkflowThreads } from '../../workers/workflow-threads.js';

const sdk = createRequire(import.meta.url);
const THREAD = sdk.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread');
const SHARED = JSON.stringify(sdk.resolve('@temporalio/worker/lib/workflow/vm-shared'));
const RUN = { workflow_id: 'intent-1', run_id: 'run-1' };
const TRIES = MOST_OVERRUNS + 2;

/** What runs in a thread of workflows, but for the SDK's own. */
function preparedSource(): string {
  const { Worker } = threads;
  const sources: string[] = [];
  class Kept {
    readonly isKept = true;

    constructor(source: string) {
      sources.push(source);
    }
  }
  Object.assign(threads, { Worker: Kept });
  try {
    prepareWorkflowThreads({ stackTraces: true });
    assert.ok(new threads.Worker(THREAD) instanceof Kept);
  } finally {
    Object.assign(threads, { Worker });
  }
  const [source = ''] = sources;
  assert.ok(source.includes(`require(${JSON.stringify(THREAD)});`));
  return source.replace(`require(${JSON.stringify(THREAD)});`, '');
}

describe('a thread of workflows', () => {
  it('tells its process of a run that it sets aside, and of each task that it refuses it', async () => {
    const stopped = `require(${SHARED}).BaseVMWorkflow.prototype.activate =
      async () => ({ failed: { failure: { message: 'Script execution timed out after 5000ms' } } });`;
    const tries = `(async () => {
      const { activate } = require(${SHARED}).BaseVMWorkflow.prototype;
      const self = { activator: { info: { runId: 'run-1', workflowId: 'intent-1' } } };
      const ends = [];
      for (let at = 0; at < ${TRIES}; at += 1) ends.push((await activate.call(self, {})).failed.failure.message);
      require('node:worker_threads').parentPort.postMessage(ends);
    })();`;
    const told: unknown[] = [];
    const listener = new threads.BroadcastChannel(SET_ASIDE);
    const allTold = new Promise<void>((resolve) => {
      listener.onmessage = (message) => {
        told.push((message as { readonly data: unknown }).data);
        if (told.length === TRIES - MOST_OVERRUNS + 1) resolve();
      };
    });
    const source = [stopped, preparedSource(), tries].join('\n');
    const thread = new threads.Worker(source, { eval: true, stderr: true });
    try {
      const exited = once(thread, 'exit');
      const [ends] = (await once(thread, 'message')) as [readonly string[]];
      await allTold;
      assert.deepEqual(ends.slice(MOST_OVERRUNS), [SET_ASIDE, SET_ASIDE]);
      assert.deepEqual(told, [RUN, RUN, RUN]);
      assert.deepEqual(await exited, [0]);
    } finally {
      listener.close();
      await thread.terminate();
    }
  });
});
