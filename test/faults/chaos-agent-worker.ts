import { NativeConnection, Worker } from '@temporalio/worker';
import { runMain, sayReady, untilStopRequested } from '../../runtime/program.js';
import { companionBundle } from '../support/temporal-test-server.js';

/** `chaos-agent-worker.ts <Temporal's address> <task queue>`: serves the workflows of agents, and may be killed. */
async function main(address = '', taskQueue = ''): Promise<void> {
  const stopRequested = untilStopRequested();
  const connection = await NativeConnection.connect({ address });
  const workflowBundle = await companionBundle('agent-workflows');
  const worker = await Worker.create({ connection, taskQueue, workflowBundle });
  sayReady('The worker of agents is ready.');
  await worker.runUntil(stopRequested);
  await connection.close();
}

await runMain(() => main(...(process.argv.slice(2) as [string?, string?])));
