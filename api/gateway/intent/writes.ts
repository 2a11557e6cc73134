import type { UpdateDefinition } from '@temporalio/common';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { EngagementDecision, EngagementSignals } from '../../../contracts/engagement.js';
import type { IntentEvent } from '../../../contracts/event.js';
import type { Intent, StatePatch, StatusRequest } from '../../../contracts/intent.js';
import type { JsonObject } from '../../../contracts/primitives.js';
import { isClosed } from '../../../domain/intent/entity.js';
import {
  appendEventUpdate,
  engagementUpdate,
  patchStateUpdate,
  setStatusUpdate,
} from '../../../workflows/intent/messages.js';
import type { AskingInput, IntentWritten } from '../../../workflows/intent/messages.js';
import { actorOf } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from '../reads/consistency.js';
import { isEntityId } from '../references.js';
import { intentNotFound, refused, writeUnavailable } from '../refusals.js';
import type { Settlements } from '../suspension/inbox.js';
import { activeSuspensionId } from '../suspension/diagnosis.js';
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
  temporal: Pick<Temporal, 'update'>,
  reads: Pick<Reads, 'getIntent'>,
): IntentWriter {
  return async (intentId, definition, argument) => {
    if (!isEntityId(intentId)) throw intentNotFound();
    const outcome = await temporal.update(workflowIdOf('intent', intentId), definition, argument);
    if (outcome.kind === 'done') return outcome.value;
    if (outcome.kind === 'no_answer') throw writeUnavailable();
    const { value } = await reads.getIntent(intentId);
    const state = { intent_status: value.status, current_version: value.version };
    if (!isClosed(value.status)) {
      throw refused('workflow_unavailable', 'The intent has no running workflow.', { state });
    }
    throw refused('intent_closed', `The intent is ${value.status}.`, { state });
  };
}

/** Through the OpenIntent API a write may put a question, which the principal then asks. */
function identityOf(caller: Caller): AskingInput {
  const openintent_ask = { asked_by: caller.principal };
  return { actor: actorOf(caller), ...(caller.openintent && { openintent_ask }) };
}

/** Appends an event to an intent's log. */
export type AppendEvent = ReturnType<typeof createEventWrites>['appendEvent'];

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
 * read, so that each can be sent again without doubling.
 */
export function createIntents(
  write: IntentWriter,
  reads: Pick<Reads, 'getIntent'>,
  consistency: Pick<Consistency, 'touch'>,
  settlements: Pick<Settlements, 'touch'>,
) {
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
    async setStatus(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      request: StatusRequest,
    ): Promise<Intent> {
      const input = { ...request, ...identityOf(caller), if_match: ifMatch };
      return written(intentId, await write(intentId, setStatusUpdate, input), input);
    },
    async patchState(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      patches: readonly StatePatch[],
    ): Promise<Intent> {
      const input = { ...identityOf(caller), if_match: ifMatch, patches };
      return written(intentId, await write(intentId, patchStateUpdate, input), input);
    },
    /** Keeps a governance policy with the intent as it was sent, or none; it is not enforced. */
    async setGovernance(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      governance: JsonObject | null,
    ): Promise<Intent> {
      const input = { actor: actorOf(caller), if_match: ifMatch, patches: [], governance };
      return written(intentId, await write(intentId, patchStateUpdate, input), input);
    },
  };
}

/**
 * Writes to an intent's log; each throws what `IntentWriter` throws. Neither has a guard such as `ifMatch`:
 * after a 503 look at the log before sending them again.
 */
export function createEventWrites(write: IntentWriter, consistency: Pick<Consistency, 'touch'>) {
  return {
    async appendEvent(
      caller: Caller,
      intentId: string,
      eventType: string,
      payload: JsonObject,
    ): Promise<IntentEvent> {
      const input = { actor: actorOf(caller), event_type: eventType, payload };
      const event = await write(intentId, appendEventUpdate, input);
      consistency.touch(intentId, event.sequence);
      return event;
    },
    async engage(
      { principal }: Caller,
      intentId: string,
      signals: EngagementSignals,
    ): Promise<EngagementDecision> {
      const decision = await write(intentId, engagementUpdate, { actor: principal, signals });
      consistency.touch(intentId);
      return decision;
    },
  };
}
