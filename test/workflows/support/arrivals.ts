import { lookUntil } from '../../support/looks.js';
import type { AskingClient } from './asking-client.js';

/**
 * Sends an Update while no worker is there, and waits until the server has it: a worker gets it before what is sent next.
 * Its answer comes once a worker is there again.
 *
 * @param send - sends one Update
 */
export async function sendAhead<T>(
  client: AskingClient,
  send: () => Promise<T>,
): Promise<{ readonly answer: Promise<T> }> {
  const next = client.nextUpdate();
  const answer = send();
  const update = await Promise.race([next, answer.then(() => next)]);
  await lookUntil(() => client.has(update), 'the server does not have the Update');
  return { answer };
}
