import { createRequire } from 'node:module';
import threads from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';
import { MOST_OVERRUNS } from '../contracts/log/set-aside.js';

const sdk = createRequire(import.meta.url);
/** The file that the SDK starts as a thread that runs workflows. */
const THREAD = sdk.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread');
/** Where such a thread runs the tasks of workflows, and asks for a stack trace of each of their promises. */
const SHARED = sdk.resolve('@temporalio/worker/lib/workflow/vm-shared');

/** The event in the log about a run that gets no more time, and the channel on which threads report each refused task. */
export const SET_ASIDE = 'workflow_set_aside';

/** Whether async hooks keep a stack of what is under way: Node 24 has none, nor the binding that resets it. */
const KEEPS_HOOKS = Number.parseInt(process.versions.node, 10) < 24;

const WITHOUT_TRACES = `
  require(${JSON.stringify(SHARED)}).globalHandlers.setPromiseHook = () => undefined;
`;

/**
 * Resets Node's async hooks after the SDK has stopped a task in the middle of a promise's reaction: before Node 24 the whole
 * process would end. A run that was stopped three times in a row is set aside (workers/set-aside.ts).
 */
const WITH_OVERRUNS = `
  const { Script } = require('node:vm');
  const { BroadcastChannel } = require('node:worker_threads');
  const { BaseVMWorkflow } = require(${JSON.stringify(SHARED)});
  const { noDeprecation } = process;
  process.noDeprecation = true;
  const clearHooks = ${KEEPS_HOOKS} ? process.binding('async_wrap').clearAsyncIdStack : () => undefined;
  process.noDeprecation = noDeprecation;
  const overruns = new Map();
  const listeners = new BroadcastChannel('${SET_ASIDE}');
  listeners.unref();

  const { runInContext } = Script.prototype;
  Script.prototype.runInContext = function (...given) {
    try {
      return runInContext.apply(this, given);
    } catch (error) {
      if (error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') clearHooks();
      throw error;
    }
  };

  const { activate } = BaseVMWorkflow.prototype;
  BaseVMWorkflow.prototype.activate = async function (activation) {
    const { runId, workflowId } = this.activator.info;
    const before = overruns.get(runId) ?? 0;
    if (before >= ${MOST_OVERRUNS}) {
      listeners.postMessage({ workflow_id: workflowId, run_id: runId });
      return { runId, failed: { failure: { message: '${SET_ASIDE}' } } };
    }
    const completion = await activate.call(this, activation);
    const isOver = completion.failed?.failure?.message?.startsWith('Script execution timed out');
    // Each try begins with what had been done before, which says nothing of the task itself.
    if (isOver) overruns.set(runId, before + 1);
    else if (!activation.isReplaying) overruns.delete(runId);
    if (isOver && before + 1 === ${MOST_OVERRUNS}) {
      const told = { workflow_id: workflowId, run_id: runId, overruns: before + 1 };
      const line = { level: 50, time: Date.now(), ...told, msg: '${SET_ASIDE}' };
      process.stderr.write(JSON.stringify(line) + '\\n');
      listeners.postMessage({ workflow_id: workflowId, run_id: runId });
    }
    return completion;
  };
`;

/**
 * Lets the threads in which this process runs workflows outlive tasks that take too long (docs/adr/0080), and take stack
 * traces of promises, a third of their work, only if they are wanted. The SDK has no option for either (docs/adr/0035). Tests
 * notice if a release of it is made differently.
 */
export function prepareWorkflowThreads({ stackTraces = false } = {}): void {
  const Thread = threads.Worker;
  const start = `require(${JSON.stringify(THREAD)});`;
  const source = [...(stackTraces ? [] : [WITHOUT_TRACES]), WITH_OVERRUNS, start].join('\n');
  class WorkflowThread extends Thread {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      if (file === THREAD) super(source, { ...options, eval: true });
      else super(file, options);
    }
  }
  Object.assign(threads, { Worker: WorkflowThread });
}
