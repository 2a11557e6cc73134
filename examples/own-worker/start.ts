import { Client, Connection } from '@temporalio/client';
import { AGENT_QUEUE, TEMPORAL } from './settings.js';
import type { refund } from './workflows.js';

const [order = '12345'] = process.argv.slice(2);
const connection = await Connection.connect({ address: TEMPORAL.address });
const client = new Client({ connection, namespace: TEMPORAL.namespace });
const agent = await client.workflow.start<typeof refund>('refund', {
  workflowId: `refund-${order}`,
  workflowIdConflictPolicy: 'USE_EXISTING', // run again for the same order, it waits for the agent that runs
  taskQueue: AGENT_QUEUE,
  args: [order],
});
console.log(await agent.result());
await connection.close();
