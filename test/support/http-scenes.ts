import assert from 'node:assert/strict';
import type { Intent } from '../../contracts/intent.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { RealStack } from './real-stack.js';
import { SEEDS } from './seeds.js';

export const REFUND = {
  question: 'Should we refund order #12345?',
  choices: [
    { value: 'approve', label: 'Approve refund', description: 'Issue full refund' },
    { value: 'deny', label: 'Deny refund' },
  ],
  context: { customer: SEEDS.context },
};

/** Creates an intent over HTTP and returns its path. */
export async function createIntent(stack: RealStack, status = 'active'): Promise<string> {
  const created = await stack.post('/v1/intents', 'agent', { title: 'Refund', status });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return `/v1/intents/${created.body.id}`;
}

/** Asks a question over HTTP. */
export async function ask(
  stack: RealStack,
  intent: string,
  body: object = REFUND,
): Promise<SuspensionView> {
  const asked = await stack.post(`${intent}/suspend`, 'agent', body);
  assert.equal(asked.status, 201, JSON.stringify(asked.body));
  return asked.body as SuspensionView;
}

/** The whole intent and its whole log, to compare before and after. */
export async function everything(
  stack: RealStack,
  intent: string,
): Promise<{ intent: Intent; events: readonly IntentEvent[]; suspension?: SuspensionView }> {
  const read = await stack.get(intent);
  const log = await stack.get(`${intent}/events?limit=1000`);
  assert.equal(log.headers['holdpoint-stale'], undefined);
  const { id } = (read.body.state._suspension ?? {}) as { id?: string };
  const suspension = id === undefined ? undefined : (await stack.get(`/v1/suspensions/${id}`)).body;
  return { intent: read.body, events: log.body.events, suspension };
}
