/** Starts an agent and waits for what it comes to; started again, it waits for the same one. */
import { Client, Connection } from '@temporalio/client';
import { AGENT_QUEUE, TEMPORAL } from './settings.js';

const [order = '12345'] = process.argv.slice(2);
const connection = await Connection.connect({ address: TEMPORAL.address });
const client = new Client({ connection, namespace: TEMPORAL.namespace });
const agent = await client.workflow.start('refund', {
  workflowId: `refund-${order}`,
  workflowIdConflictPolicy: 'USE_EXISTING',
  taskQueue: AGENT_QUEUE,
  args: [order],
});
process.stdout.write(`${String(await agent.result())}\n`);
await connection.close();
