import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { prepareWorkflowThreads, startNotingSetAside } from '../../workers/workflow-threads.js';

/**
 * A worker for the workflows beside this file, as ours run them, until it is killed. A task may last half a second. It prints what
 * it would note.
 */
prepareWorkflowThreads();
startNotingSetAside({
  note: async (run) => {
    process.stdout.write(`noted ${JSON.stringify(run)}\n`);
  },
  log: { warn: (_fields, event) => process.stderr.write(`${event}\n`) },
});
const [address, taskQueue = ''] = process.argv.slice(2);
const connection = await NativeConnection.connect({ address: address ?? '' });
const isolateExecutionTimeout = '500ms';
const options: WorkerOptions & { readonly isolateExecutionTimeout: string } = {
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('poisoned-workflows.ts', import.meta.url)),
  stickyQueueScheduleToStartTimeout: '1s',
  isolateExecutionTimeout,
};
const worker = await Worker.create(options);
const running = worker.run();
process.stdout.write('ready\n');
await running;
