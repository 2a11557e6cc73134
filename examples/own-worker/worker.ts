import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import * as activities from './activities.js';
import { AGENT_QUEUE, TEMPORAL } from './settings.js';

const connection = await NativeConnection.connect({ address: TEMPORAL.address });
const worker = await Worker.create({
  connection,
  namespace: TEMPORAL.namespace,
  taskQueue: AGENT_QUEUE,
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities,
});
console.log('ready');
await worker.run();
await connection.close();
