/** Starts an agent, and is free as soon as that waits for a person or is done (A54-15). */
import { Client, Connection } from '@temporalio/client';
// In a project of your own: from 'holdpoint/workflows'.
import { suspendedUpdate } from '../../workflows/human/index.js';
import { AGENT_QUEUE, TEMPORAL } from './settings.js';
import type { operations } from './workflows.js';

const [task = 'Deploy version 1.2.3 of the shop to prod, if it is healthy.'] =
  process.argv.slice(2);
const connection = await Connection.connect({ address: TEMPORAL.address });
const client = new Client({ connection, namespace: TEMPORAL.namespace });
const agent = await client.workflow.start<typeof operations>('operations', {
  workflowId: `operations-${Date.now()}`,
  taskQueue: AGENT_QUEUE,
  args: [{ messages: [{ role: 'user', content: task }] }],
});
const rest = await Promise.race([
  agent.executeUpdate(suspendedUpdate).catch(() => agent.result()),
  agent.result(),
]);
process.stdout.write(`${JSON.stringify(rest, undefined, 2)}\n`);
await connection.close();
