import type { SuspendBody } from '../contracts/suspension-requests.js';
import type { SuspensionView } from '../contracts/suspension-view.js';
import type { Connection } from './connection.js';
import { pathOf } from './connection.js';
import { supported } from './protocol-support.js';
import { viewIn } from './reply.js';

/**
 * Opens a question, or re-attaches to the one that this `request_key` had opened. The key makes
 * repeats safe: whatever became of the first call, the question is asked once.
 */
export async function openSuspension(
  connection: Connection,
  intentId: string,
  body: SuspendBody & { readonly request_key: string },
  signal: AbortSignal | undefined,
): Promise<SuspensionView> {
  const reply = await supported(
    connection.send({
      method: 'POST',
      path: pathOf('intents', intentId, '/suspend'),
      body,
      repeatable: 'always',
      signal,
    }),
  );
  return viewIn(reply.body);
}
