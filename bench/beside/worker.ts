import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { workerConfigSchema } from '../../contracts/server/worker-config.js';
import { runMain, sayReady, untilStopRequested } from '../../runtime/program.js';
import { workflowTuning } from '../../workers/worker-options.js';
import { BESIDE_TASK_QUEUE } from './workflows.js';

/** `worker.ts <Temporal's address>`: serves the workflows beside Holdpoint, tuned as its worker is. */
async function main(address: string | undefined): Promise<void> {
  if (address === undefined) throw new Error("Name Temporal's address.");
  const stopRequested = untilStopRequested();
  Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue: BESIDE_TASK_QUEUE,
    workflowsPath: fileURLToPath(new URL('workflows.ts', import.meta.url)),
    ...workflowTuning(workerConfigSchema.parse({})),
  });
  sayReady('The worker beside Holdpoint is ready.');
  await worker.runUntil(stopRequested);
  await connection.close();
}

await runMain(() => main(process.argv[2]));
