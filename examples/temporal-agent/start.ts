/** Starts an agent and waits for what it comes to. Run again for the same order, it starts no other. */
import { Client, Connection, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { AGENT_QUEUE, TEMPORAL } from './settings.js';

const [order = '12345'] = process.argv.slice(2);
const connection = await Connection.connect({ address: TEMPORAL.address });
const client = new Client({ connection, namespace: TEMPORAL.namespace });
const workflowId = `refund-${order}`;
try {
  await client.workflow.start('refund', {
    workflowId,
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    taskQueue: AGENT_QUEUE,
    args: [order],
  });
} catch (error) {
  if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
}
const agent = client.workflow.getHandle(workflowId);
process.stdout.write(`${String(await agent.result())}\n`);
await connection.close();
