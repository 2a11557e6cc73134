import type { IntentEvent } from '../../contracts/intent/event.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { readFresh } from './fresh-reads.js';
import { lookUntil } from './looks.js';
import type { RealStack } from './real-stack.js';

/** A question once its delivery has ended: one that is answered meanwhile notes only then that it was given up. */
function toldQuestion(stack: RealStack, id: string): Promise<SuspensionView> {
  return lookUntil(async () => {
    const view = (await stack.get(`/v1/suspensions/${id}`)).body as SuspensionView;
    return view.timeline.some(({ kind }) => DELIVERY_ENDS.includes(kind)) && view;
  }, `nobody was told of ${id}`);
}

const DELIVERY_ENDS: readonly string[] = ['delivered', 'delivery_failed', 'delivery_superseded'];

/** The whole intent and its whole log, to compare before and after; once its open question was told to somebody. */
export async function everything(
  stack: RealStack,
  intent: string,
): Promise<{
  intent: Intent;
  events: readonly IntentEvent[];
  suspension?: SuspensionView | undefined;
}> {
  const read = await readFresh<Intent>(stack, intent);
  const log = `${intent}/events?limit=1000`;
  const { events } = await readFresh<{ events: readonly IntentEvent[] }>(stack, log);
  const { id } = (read.state['_suspension'] ?? {}) as { id?: string };
  const suspension = id === undefined ? undefined : await toldQuestion(stack, id);
  return { intent: read, events, suspension };
}
