import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { sayReady, untilToldToStop } from '../../runtime/lifetime.js';
import { runMain } from '../../runtime/run-main.js';
import { WORKER_TUNING } from '../../workers/worker-options.js';
import { BARE_TASK_QUEUE } from './names.js';

/** `worker.ts <Temporal's address>`: serves the bare workflow, tuned as Holdpoint's worker is. */
async function main(address: string | undefined): Promise<void> {
  if (address === undefined) throw new Error("Name Temporal's address.");
  const told = untilToldToStop();
  Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue: BARE_TASK_QUEUE,
    workflowsPath: fileURLToPath(new URL('workflow.ts', import.meta.url)),
    ...WORKER_TUNING,
  });
  sayReady('The bare worker is ready.');
  await worker.runUntil(told);
  await connection.close();
}

await runMain(() => main(process.argv[2]));
