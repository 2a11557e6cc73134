import type { WorkflowClient } from '@temporalio/client';
import { lookUntil } from '../../support/looks.js';
import { AskingClient } from './asking-client.js';

/**
 * Sends an Update while no worker is there, and waits until the server has it: a worker gets it before what is sent next.
 * Its answer comes once a worker is there again.
 *
 * @param send - sends one Update
 */
export async function sendAhead<T>(
  client: WorkflowClient,
  send: () => Promise<T>,
): Promise<{ readonly answer: Promise<T> }> {
  if (!(client instanceof AskingClient)) throw new Error('This is for worlds on a server.');
  const next = client.nextUpdate();
  const answer = send();
  const update = await Promise.race([next, answer.then(() => next)]);
  await lookUntil(() => client.has(update), 'the server does not have the Update');
  return { answer };
}
