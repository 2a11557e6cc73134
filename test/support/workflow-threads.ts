import threads, { type WorkerOptions } from 'node:worker_threads';

/** The exit code of a thread that was terminated. */
const TERMINATED = 1;

/**
 * From now on, Temporal workers of this process take their threads for workflows in turns: most of what it
 * costs to start a worker is that a thread loads the SDK. In it, each worker has a V8 context of its own.
 */
export function reuseWorkflowThreads(): void {
  const Thread = threads.Worker;
  const free: threads.Worker[] = [];
  function take(file: string | URL, options?: WorkerOptions): threads.Worker {
    if (!String(file).endsWith('/workflow-worker-thread.js')) return new Thread(file, options);
    const thread = free.pop() ?? new Thread(file, options);
    // Whoever terminates it has destroyed the context first. Node has listeners of its own that must stay.
    thread.terminate = async () => {
      for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
      free.push(thread);
      return TERMINATED;
    };
    return thread;
  }
  Object.assign(threads, { Worker: take });
}
