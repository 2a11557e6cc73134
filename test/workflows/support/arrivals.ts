import { isGrpcServiceError, type WorkflowClient } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { lookUntil } from '../../support/looks.js';

/** The gRPC code of what a server does not have. */
const NOT_FOUND = 5;

/**
 * Sends an Update while no worker is there, and waits until Temporal has it: a worker gets it before what is sent next.
 * Its answer comes once a worker is there again.
 *
 * @param send - sends one Update to this workflow, under this id
 */
export async function sendAhead<T>(
  client: WorkflowClient,
  workflowId: string,
  send: (updateId: string) => Promise<T>,
): Promise<{ readonly answer: Promise<T> }> {
  const updateId = randomUUID();
  const answer = send(updateId);
  await lookUntil(() => has(client, workflowId, updateId), 'Temporal does not have the Update');
  return { answer };
}

async function has(client: WorkflowClient, workflowId: string, updateId: string) {
  const { namespace, identity } = client.options;
  try {
    // Without a stage to wait for, it answers at once.
    await client.workflowService.pollWorkflowExecutionUpdate({
      namespace,
      identity,
      updateRef: { workflowExecution: { workflowId }, updateId },
      waitPolicy: {},
    });
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && (error.code as number) === NOT_FOUND) return false;
    throw error;
  }
}

/** Resolves once what was sent has arrived at the Temporal in this process, which nothing delays but the code of the client. */
export async function arrived(): Promise<void> {
  await turn();
}
