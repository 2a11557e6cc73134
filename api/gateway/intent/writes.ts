import type { UpdateDefinition } from '@temporalio/common';
import type { Caller as Proven } from '../../../contracts/caller.js';
import type { EngagementDecision, EngagementSignals } from '../../../contracts/engagement.js';
import type { IntentEvent, Tracing } from '../../../contracts/event.js';
import type { Intent, StatePatch, StatusRequest } from '../../../contracts/intent.js';
import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { SUSPENSION_SLOT } from '../../../domain/intent/state-patch.js';
import { isClosed } from '../../../domain/intent/entity.js';
import type { Action } from '../../../domain/policy/rules.js';
import { checkPostedType } from '../../../domain/policy/posted-events.js';
import {
  appendEventUpdate,
  endRefusedAskUpdate,
  engagementUpdate,
  patchStateUpdate,
  setStatusUpdate,
} from '../../../workflows/intent/messages.js';
import type { AskingInput, IntentWritten } from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import { sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import { refused } from '../refusals.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { demandOwnId, recordsIn } from '../suspension/chosen-id.js';
import type { Settlements } from '../suspension/inbox.js';
import { activeSuspensionId } from '../suspension/diagnosis.js';
import type { Reads } from './reads.js';

/** Sends one Update to an intent, in the name of its sender, and returns its result. */
export type IntentWriter = <R, A extends { readonly by: Proven }>(
  id: string,
  definition: UpdateDefinition<R, [A]>,
  argument: A,
) => Promise<R>;

/**
 * Writes to intents; whatever door a write comes through, it comes through here. Throws `forbidden` for an agent that reads
 * only its own and may not read the intent, what the intent refuses with, `intent_not_found`, `intent_closed` if its workflow
 * has ended, and `workflow_unavailable` if no worker took it within 10 s: such a write may still be carried out
 * later, unless its If-Match no longer holds by then.
 */
export function createIntentWriter(
  temporal: Pick<Temporal, 'update'>,
  reads: Pick<Reads, 'getIntent'>,
  demandOwn: (by: Proven, intentId: string) => Promise<void>,
): IntentWriter {
  const write = createLiveWrite(temporal, 'intent', async (id) => {
    const { value } = await reads.getIntent(id);
    const state = { intent_status: value.status, current_version: value.version };
    return isClosed(value.status)
      ? refused('intent_closed', `The intent is ${value.status}.`, { state })
      : refused('workflow_unavailable', 'The intent has no running workflow.', { state });
  });
  return async (id, definition, argument) => {
    await demandOwn(argument.by, id);
    return write(id, definition, argument);
  };
}

/** How the OpenIntent protocol asks: a write of the status or the state may put a question. */
export interface Asking {
  readonly mayAsk?: boolean;
}

/** In whose name a write is made; the principal asks the question that it may put. */
function identityOf(caller: Caller, { mayAsk = false }: Asking): AskingInput {
  return { ...sentBy(caller), ...(mayAsk && { openintent_ask: true }) };
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

/** The same of a write that may have put a question, or withdrawn one. */
function createWrittenOrAsked(
  reads: Pick<Reads, 'getIntent'>,
  consistency: Pick<Consistency, 'touch'>,
  settlements: Pick<Settlements, 'touch'>,
) {
  const known = createWritten(reads, consistency);
  return async (
    intentId: string,
    result: IntentWritten,
    { openintent_ask }: AskingInput,
  ): Promise<Intent> => {
    const intent = await known(intentId, result);
    const asked = openintent_ask && activeSuspensionId(intent);
    if (asked !== undefined) settlements.touch(asked, 'pending');
    if (result.withdrew !== undefined) settlements.touch(result.withdrew, 'settled');
    return intent;
  };
}

/** Finds out whom a question names that the OpenIntent protocol may ask by a write, and nobody knows: it is asked all the same. */
function createTold(reads: Pick<Reads, 'getIntent'>, unknownIn: UnknownIn) {
  function told(records: readonly (JsonValue | undefined)[]) {
    const warnings = records.flatMap(unknownIn);
    return warnings.length > 0 && { warnings };
  }
  return {
    patches: (patches: readonly StatePatch[], { mayAsk }: Asking) =>
      mayAsk === true && told(recordsIn(patches)),
    /** A write before may have put the record into the state of the intent. */
    async status(intentId: string, { status }: StatusRequest, { mayAsk }: Asking) {
      if (mayAsk !== true || status !== 'suspended_awaiting_input') return {};
      return told([(await reads.getIntent(intentId)).value.state[SUSPENSION_SLOT]]);
    },
  };
}

type UnknownIn = (record: JsonValue | undefined) => readonly string[];

/**
 * Writes to one intent; each throws what `IntentWriter` throws. `ifMatch` is the version the caller
 * read, so that each can be sent again without doubling.
 */
export function createIntents(
  write: IntentWriter,
  reads: Pick<Reads, 'getIntent'>,
  consistency: Pick<Consistency, 'touch'>,
  settlements: Pick<Settlements, 'touch'>,
  fromStore: FromStore,
  unknownIn: UnknownIn,
) {
  const written = createWrittenOrAsked(reads, consistency, settlements);
  const toldOf = createTold(reads, unknownIn);
  return {
    async setStatus(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      request: StatusRequest,
      asking: Asking = {},
    ): Promise<Intent> {
      const told = await toldOf.status(intentId, request, asking);
      const input = { ...request, ...identityOf(caller, asking), ...told, if_match: ifMatch };
      return written(intentId, await write(intentId, setStatusUpdate, input), input);
    },
    async patchState(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      patches: readonly StatePatch[],
      asking: Asking = {},
    ): Promise<Intent> {
      for (const record of recordsIn(patches)) {
        await demandOwnId(fromStore, caller, record, intentId);
      }
      const told = toldOf.patches(patches, asking);
      const input = { ...identityOf(caller, asking), ...told, if_match: ifMatch, patches };
      return written(intentId, await write(intentId, patchStateUpdate, input), input);
    },
    /**
     * Ends the wait of an intent for a question of the caller that was refused. Throws `forbidden` for another's wait,
     * `intent_not_suspended`, and `version_conflict`.
     */
    async endRefusedAsk(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      reason: string,
    ): Promise<void> {
      const input = { ...sentBy(caller), if_match: ifMatch, reason };
      const { last_sequence } = await write(intentId, endRefusedAskUpdate, input);
      consistency.touch(intentId, last_sequence);
    },
    /** Keeps a governance policy with the intent as it was sent, or none. */
    async setGovernance(
      caller: Caller,
      intentId: string,
      ifMatch: number,
      governance: JsonObject | null,
    ): Promise<Intent> {
      const input = { ...sentBy(caller), if_match: ifMatch, patches: [], governance };
      return written(intentId, await write(intentId, patchStateUpdate, input), input);
    },
  };
}

/**
 * Writes to an intent's log; each throws what `IntentWriter` throws. Neither has a guard such as `ifMatch`:
 * after a 503 send them again under their key, or look at the log before.
 */
export function createEventWrites(write: IntentWriter, consistency: Pick<Consistency, 'touch'>) {
  return {
    /** Appends an event that a client posts by itself. Throws `invalid_request` for a type that is not for clients. */
    async postEvent(
      caller: Caller,
      intentId: string,
      event_type: string,
      payload: JsonObject,
      tracing: Tracing = {},
    ): Promise<IntentEvent> {
      demand(checkPostedType(event_type));
      const posted = { ...tracing, ...sentBy(caller), event_type, payload, posted: true } as const;
      const event = await write(intentId, appendEventUpdate, posted);
      consistency.touch(intentId, event.sequence);
      return event;
    },
    /** Appends what the server records of an operation of a caller. */
    async appendEvent(
      caller: Caller,
      action: Action,
      intentId: string,
      event_type: string,
      payload: JsonObject,
    ): Promise<IntentEvent> {
      const input = { ...sentBy(caller), action, event_type, payload };
      const event = await write(intentId, appendEventUpdate, input);
      consistency.touch(intentId, event.sequence);
      return event;
    },
    async engage(
      caller: Caller,
      intentId: string,
      signals: EngagementSignals,
    ): Promise<EngagementDecision> {
      const decision = await write(intentId, engagementUpdate, { ...sentBy(caller), signals });
      consistency.touch(intentId);
      return decision;
    },
  };
}
