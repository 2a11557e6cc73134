import type { Logger } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options.js';
import type { parseWorkflowCode } from '@temporalio/worker/lib/worker.js';
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js';

/**
 * In the place of the milliseconds that a call of workflow code may take: to keep such a limit, Node starts a thread for each
 * call, which is a fifth of the CPU of a test. `run/stuck.ts` and the limits of mocha end a loop without an end.
 */
export const NO_LIMIT = undefined as unknown as number;

/** A worker that sets workflow code no limit. */
export class UnlimitedWorker extends Worker {
  protected static override createWorkflowCreator(
    bundle: ReturnType<typeof parseWorkflowCode>,
    options: CompiledWorkerOptions,
    logger: Logger,
  ): Promise<WorkflowCreator> {
    const unlimited = { ...options, isolateExecutionTimeoutMs: NO_LIMIT };
    return super.createWorkflowCreator(bundle, unlimited, logger);
  }
}
