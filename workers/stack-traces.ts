import { createRequire } from 'node:module';
import threads from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';

const sdk = createRequire(import.meta.url);
/** What the SDK starts as a thread that runs workflows. */
const THREAD = sdk.resolve('@temporalio/worker/lib/workflow/workflow-worker-thread');
/** Where such a thread asks for a stack trace of every promise of a workflow. */
const HANDLERS = sdk.resolve('@temporalio/worker/lib/workflow/vm-shared');

/** The same thread, without the hook that takes them. */
const QUIET = `
  require(${JSON.stringify(HANDLERS)}).globalHandlers.setPromiseHook = () => undefined;
  require(${JSON.stringify(THREAD)});
`;

/**
 * From now on, workers of this process take no stack trace of the promises of workflows, which is a third of
 * their work; the query `__stack_trace` is refused. The SDK has no option for it (docs/adr/0035). A release of
 * it that is made differently takes them again: slower, and a test notices.
 */
export function skipStackTraces(): void {
  const Thread = threads.Worker;
  class QuietThread extends Thread {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      if (file === THREAD) super(QUIET, { ...options, eval: true });
      else super(file, options);
    }
  }
  Object.assign(threads, { Worker: QuietThread });
}
