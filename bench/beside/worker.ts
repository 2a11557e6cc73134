import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { workerConfigSchema } from '../../contracts/server/worker-config.js';
import { runMain, sayReady, untilStopRequested } from '../../runtime/program.js';
import { workflowTuning } from '../../workers/worker-options.js';
import { createHandTable, handActivities } from './hand-activities.js';
import { BESIDE_TASK_QUEUE } from './workflows.js';

/** `worker.ts <Temporal's address> <URL of the store>`: serves the workflows beside Holdpoint, tuned as its worker is. */
async function main(address: string | undefined, store: string | undefined): Promise<void> {
  if (address === undefined || store === undefined)
    throw new Error("Name Temporal's address, and the URL of the store.");
  const stopRequested = untilStopRequested();
  Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
  const pool = new pg.Pool({ connectionString: store, max: 2 });
  await createHandTable(pool);
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue: BESIDE_TASK_QUEUE,
    activities: handActivities(pool),
    workflowsPath: fileURLToPath(new URL('workflows.ts', import.meta.url)),
    ...workflowTuning(workerConfigSchema.parse({})),
  });
  sayReady('The worker beside Holdpoint is ready.');
  await worker.runUntil(stopRequested);
  await connection.close();
  await pool.end();
}

await runMain(() => main(process.argv[2], process.argv[3]));
