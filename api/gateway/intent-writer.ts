import type { UpdateDefinition } from '@temporalio/common';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { isClosed } from '../../domain/status.js';
import { isEntityId } from './ids.js';
import type { Reads } from './reads.js';
import { intentNotFound, refused, writeUnavailable } from './refusals.js';
import type { Updates } from './updates.js';

/** Sends one Update to an intent and returns its result. */
export type IntentWriter = <R, A>(
  intentId: string,
  definition: UpdateDefinition<R, [A]>,
  argument: A,
) => Promise<R>;

/**
 * Writes to intents. Throws what the intent refuses with, `intent_not_found`, `intent_closed` where
 * its workflow has ended, and `workflow_unavailable` where no worker took it within 10 s: such a
 * write may still be carried out later, unless its If-Match no longer holds by then.
 */
export function createIntentWriter(
  updates: Updates,
  reads: Pick<Reads, 'getIntent'>,
): IntentWriter {
  return async (intentId, definition, argument) => {
    if (!isEntityId(intentId)) throw intentNotFound();
    const outcome = await updates.send(workflowIdOf('intent', intentId), definition, argument);
    if (outcome.kind === 'done') return outcome.value;
    if (outcome.kind === 'no_worker') throw writeUnavailable();
    const { value } = await reads.getIntent(intentId);
    const state = { intent_status: value.status, current_version: value.version };
    if (!isClosed(value.status)) {
      throw refused('workflow_unavailable', 'The intent has no running workflow.', { state });
    }
    throw refused('intent_closed', `The intent is ${value.status}.`, { state });
  };
}
