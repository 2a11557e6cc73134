/** A worker for the agents of the story, in a process of its own, beside Holdpoint's. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import * as activities from './activities.js';
import { AGENT_QUEUE } from './queue.js';

const connection = await NativeConnection.connect({
  address: process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233',
});
const worker = await Worker.create({
  connection,
  taskQueue: AGENT_QUEUE,
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities,
});
process.stdout.write('ready\n');
await worker.run();
await connection.close();
