import type { UpdateDefinition } from '@temporalio/common';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Intent } from '../../../contracts/intent.js';
import { isClosed } from '../../../domain/intent/entity.js';
import {
  appendEventUpdate,
  engagementUpdate,
  patchStateUpdate,
  setStatusUpdate,
} from '../../../workflows/intent/messages.js';
import type { AskingInput, IntentWritten } from '../../../workflows/intent/messages.js';
import { actorOf } from '../caller.js';
import type { Updates } from '../calls/updates.js';
import type { Consistency, Settlements } from '../reads/read-your-writes.js';
import { isEntityId } from '../references.js';
import { intentNotFound, refused, writeUnavailable } from '../refusals.js';
import { activeSuspensionId } from '../suspension/diagnosis.js';
import type { Caller, Gateway } from '../types.js';
import type { Reads } from './reads.js';

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

/** By the compatible door a write may put a question, which the principal then asks. */
function identityOf(caller: Caller): AskingInput {
  const openintent_ask = { asked_by: caller.principal };
  return { actor: actorOf(caller), ...(caller.door && { openintent_ask }) };
}

type Methods = Pick<
  Gateway,
  'setStatus' | 'patchState' | 'setGovernance' | 'appendEvent' | 'engage'
>;

/** Makes the intent of a write's result; lists wait for the write from then on. */
export function createWritten(
  reads: Pick<Reads, 'getIntent'>,
  consistency: Pick<Consistency, 'touch'>,
): (intentId: string, result: IntentWritten) => Promise<Intent> {
  return async (intentId, result) => {
    consistency.touch(intentId, result.last_sequence);
    return result.intent ?? (await reads.getIntent(intentId)).value;
  };
}

/**
 * Writes to one intent; each throws what `IntentWriter` throws. `ifMatch` is the version the caller
 * read, so that `setStatus` and `patchState` can be sent again without doubling. `appendEvent` and
 * `engage` have no such guard: after a 503 look at the log before sending them again.
 */
export function createIntents(
  write: IntentWriter,
  reads: Pick<Reads, 'getIntent'>,
  consistency: Pick<Consistency, 'touch'>,
  settlements: Pick<Settlements, 'touch'>,
): Methods {
  const known = createWritten(reads, consistency);

  async function written(
    intentId: string,
    result: IntentWritten,
    { openintent_ask }: AskingInput,
  ): Promise<Intent> {
    const intent = await known(intentId, result);
    const asked = openintent_ask && activeSuspensionId(intent);
    if (asked !== undefined) settlements.touch(asked, 'pending');
    return intent;
  }

  return {
    async setStatus(caller, intentId, ifMatch, request) {
      const input = { ...request, ...identityOf(caller), if_match: ifMatch };
      return written(intentId, await write(intentId, setStatusUpdate, input), input);
    },
    async patchState(caller, intentId, ifMatch, patches) {
      const input = { ...identityOf(caller), if_match: ifMatch, patches };
      return written(intentId, await write(intentId, patchStateUpdate, input), input);
    },
    async setGovernance(caller, intentId, ifMatch, governance) {
      const input = { actor: actorOf(caller), if_match: ifMatch, patches: [], governance };
      return written(intentId, await write(intentId, patchStateUpdate, input), input);
    },
    async appendEvent(caller, intentId, eventType, payload) {
      const input = { actor: actorOf(caller), event_type: eventType, payload };
      const event = await write(intentId, appendEventUpdate, input);
      consistency.touch(intentId, event.sequence);
      return event;
    },
    async engage({ principal }, intentId, signals) {
      const decision = await write(intentId, engagementUpdate, { actor: principal, signals });
      consistency.touch(intentId);
      return decision;
    },
  };
}
