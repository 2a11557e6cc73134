import type { Worker } from '@temporalio/worker';

/** A worker that runs until a test stops it. */
export interface RunningWorker {
  /** Drains the worker; resolves once it is gone. */
  readonly stop: () => Promise<void>;
}

export function run(worker: Worker): RunningWorker {
  const running = worker.run();
  return {
    stop: async () => {
      worker.shutdown();
      await running;
    },
  };
}
