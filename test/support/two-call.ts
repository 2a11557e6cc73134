import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../contracts/json.js';
import {
  patchStateUpdate,
  setStatusUpdate,
  type IntentWritten,
} from '../../workflows/intent/messages.js';
import { respondUpdate } from '../../workflows/suspension/messages.js';
import { versionOf, type IntentHandle } from './intent-steps.js';
import type { World } from './world.js';

const DOOR = { actor: 'refunder', two_call: { asked_by: 'agent-1' } };

/** The status that the OpenIntent SDK writes first when it asks; `active` takes it back. */
export async function suspends(
  handle: IntentHandle,
  status: 'suspended_awaiting_input' | 'active' = 'suspended_awaiting_input',
): Promise<IntentWritten> {
  const input = { ...DOOR, status, if_match: await versionOf(handle) };
  return handle.executeUpdate(setStatusUpdate, { args: [input] });
}

/** The record that it writes second; the agent's clock is `aheadSeconds` before ours. */
export async function writesRecord(
  world: World,
  handle: IntentHandle,
  { aheadSeconds = 0, ...fields }: JsonObject & { aheadSeconds?: number } = {},
): Promise<string> {
  const id = randomUUID();
  const suspended_at = new Date((await world.now()) + aheadSeconds * 1_000).toISOString();
  const value = {
    ...{ id, question: 'Refund?', response_type: 'text', fallback_policy: 'fail', suspended_at },
    ...fields,
  };
  const patches = [{ op: 'set', path: '_suspension', value }] as const;
  const input = { ...DOOR, patches, if_match: await versionOf(handle) };
  await handle.executeUpdate(patchStateUpdate, { args: [input] });
  await world.delivered(id);
  return id;
}

/** An operator's answer to it. */
export async function answers(world: World, handle: IntentHandle, id: string): Promise<void> {
  const answer = {
    ...{ intent_id: handle.workflowId.replace('intent-', ''), value: 'yes' },
    ...{ responded_by: 'alice', submitted_by: 'alice' },
    received_at: new Date(await world.now()).toISOString(),
    answer: { key: randomUUID(), body_hash: 'hash' },
  };
  await world.suspension(id).executeUpdate(respondUpdate, { args: [answer] });
}
