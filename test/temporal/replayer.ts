import { Worker } from '@temporalio/worker';
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options.js';
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js';
import { loadCode, parsedBundle, type ParsedBundle } from './code.js';

/**
 * Replays histories as the SDK does, but in the sandbox that this process has for a bundle: to make one takes longer than to
 * replay most histories.
 */
export class Replayer extends Worker {
  protected static override async getOrCreateBundle({
    workflowBundle,
  }: CompiledWorkerOptions): Promise<ParsedBundle> {
    return parsedBundle(given(workflowBundle));
  }

  protected static override async createWorkflowCreator(
    _bundle: ParsedBundle,
    { workflowBundle, activities }: CompiledWorkerOptions,
  ): Promise<WorkflowCreator> {
    const sandbox = await loadCode(given(workflowBundle), [...activities.keys()]);
    return {
      createWorkflow: (options) => sandbox.createWorkflow(options),
      // The next replay has it too.
      destroy: () => Promise.resolve(),
    };
  }
}

function given(bundle: CompiledWorkerOptions['workflowBundle']) {
  if (bundle === undefined) throw new Error('A replay needs a bundle.');
  return bundle;
}
