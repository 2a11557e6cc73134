import { createRequire } from 'node:module';
import threads, { BroadcastChannel, type WorkerOptions } from 'node:worker_threads';
import { MOST_OVERRUNS } from '../contracts/log/set-aside.js';
import { failureOf } from '../store/failures.js';
import type { RunNames } from '../store/queries/work/quarantine.js';
import type { Log } from './log.js';

const sdk = createRequire(import.meta.url);
/** The file that the SDK starts as a thread that runs workflows. */
const THREAD = sdk.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread');
/** The file in which such a thread runs the tasks of workflows, and requests a stack trace of each of their promises. */
const SHARED = sdk.resolve('@temporalio/worker/lib/workflow/vm-shared');

/** The event in the log about a run that is set aside, and the channel on which threads report each refused task. */
export const SET_ASIDE = 'workflow_set_aside';

/** Whether async hooks keep a stack: Node 24 has none, nor the binding that resets it. */
const KEEPS_HOOKS = Number.parseInt(process.versions.node, 10) < 24;

const WITHOUT_TRACES = `
  require(${JSON.stringify(SHARED)}).globalHandlers.setPromiseHook = () => undefined;
`;

/**
 * Resets Node's async hooks after the SDK has stopped a task in the middle of a promise's reaction: before Node 24 the whole
 * process would end. A run that was stopped three times in a row is set aside (workers/workflow-threads.ts).
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
 * Lets workflow threads outlive tasks that take too long (docs/adr/0080), and take stack traces of promises, a third
 * of their work, only on request. The SDK has no option for either (docs/adr/0035). Tests notice if one of its
 * releases is made differently.
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

interface Surroundings {
  readonly log: Log;
  /** Stores a run where the API reads it. */
  readonly note: (run: RunNames) => Promise<void>;
}

/**
 * Records for `holdpoint doctor` each run that the threads of this process set aside, again with each refused task.
 * Logs a failed record. Returns a function that ends it, once all records are written.
 */
export function startNotingSetAside({ log, note }: Surroundings): () => Promise<void> {
  const told = new BroadcastChannel(SET_ASIDE);
  let notes = Promise.resolve();
  told.onmessage = (message) => {
    const { data } = message as { readonly data: RunNames };
    notes = notes
      .then(() => note(data))
      .catch((error: unknown) => log.warn(failureOf(error), 'set_aside_not_noted'));
  };
  told.unref();
  return () => {
    told.close();
    return notes;
  };
}
