import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { CreateIntentRequest, Intent } from '../../../contracts/intent/intent.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { SUSPENSION_SLOT } from '../../../domain/intent/state-patch.js';
import { claimsIn, stateWithoutClaims } from '../../../domain/openintent/claims.js';
import { checkFirstState } from '../../../domain/openintent/record-rule.js';
import { checkFieldSizes } from '../../../domain/kernel/ruling.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { creationAttributes } from '../../../workflows/engine/search-attributes.js';
import {
  createChildUpdate,
  createdUpdate,
  intentQuery,
  type IntentInput,
} from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import { nameFor, proven, sentBy, type Naming } from '../../parts/caller.js';
import { createOnce, demandSame, logStartOf, type Creation } from '../../parts/calls/once.js';
import { demandOwnId } from '../../parts/chosen-id.js';
import { referenced } from '../../parts/refusals.js';
import { WRITE, refuseSecrets, useCase, type Call } from '../usecase.js';
import { intentFor } from '../visibility.js';

/** Creates an intent; with an Idempotency-Key once. */
export const createIntent = useCase({
  name: 'createIntent',
  resource: 'intent',
  refusals: [
    'suspension_id_taken',
    'intent_not_found',
    'intent_closed',
    'state_too_large',
    'idempotency_key_reused',
    'removed_by_retention',
    ...WRITE,
  ],
  async run(
    call: Call,
    request: CreateIntentRequest,
    key?: string,
    naming: Naming = {},
  ): Promise<Intent> {
    // A record of a question in the first state is plain data, and no later write shows it again.
    const { [SUSPENSION_SLOT]: _suspension } = request.state;
    if (_suspension !== undefined) await refuseSecrets(call, { state: { _suspension } });
    return intentFor(call.caller, await startIntent(call, request, key, naming));
  },
});

/**
 * Starts an intent, or returns what the same key and body started before; another body is refused with
 * `idempotency_key_reused`. A parent starts its children: a closed one refuses with `intent_closed`.
 * `intent_not_found` names the field. Throws `store_unavailable` where only the store could tell, `forbidden` if
 * another's name in `created_by` needs an admin, and `workflow_unavailable` after 10 s; the intent may then exist all
 * the same.
 */
export async function startIntent(
  call: Call,
  request: CreateIntentRequest,
  key?: string,
  naming: Naming = {},
): Promise<Intent> {
  const { caller, parts } = call;
  const { state, constraints, governance_policy } = request;
  demand(checkFirstState(state));
  demand(checkFieldSizes({ constraints, governance_policy }, LIMITS.intentFieldBytes));
  const slot = state[SUSPENSION_SLOT];
  const refusal = 'Only an admin key may create an intent in the name of somebody else.';
  const sent = { field: 'created_by', name: request.created_by, refusal };
  const created_by = nameFor(caller, 'createIntent', sent, naming);
  const creation = parts.creationOf('intent', caller, key, comparable(request));
  const { id } = creation;
  const created_at = toInstant(parts.clock.now());
  const dropped = claimsIn(slot);
  if (dropped.length > 0) {
    parts.log.warn({ intent_id: id, fields: dropped }, 'claimed_answer_dropped');
  }
  const first = { ...request, state: stateWithoutClaims(state) };
  const intent = newIntent(first, { id, created_by, owner: caller.principal, created_at });
  const input = { intent, ...logStartOf(creation) };
  const create = async (): Promise<Intent | 'exists'> => {
    await demandReferences(call, request);
    await demandOwnId(parts.fromStore, caller, slot);
    const begun = await begin(call, input, creation);
    if (begun === 'exists') return 'exists';
    parts.consistency.touch(id, 1);
    return begun === 'started' ? intent : begun;
  };
  const memory = { temporal: parts.patientTemporal, fromStore: parts.fromStore };
  return createOnce(memory, creation, {
    table: 'intents',
    definition: intentQuery,
    create,
    viewOf: (made) => made.intent,
    read: parts.patientReads.getIntent,
  });
}

/** Returns what is compared under a key: a missing field and its default are the same. */
function comparable(request: CreateIntentRequest): object {
  const { title, description = null, status, state, constraints, created_by = null } = request;
  const { parent_intent_id = null, depends_on, governance_policy } = request;
  const policy = governance_policy && { governance_policy };
  const graph = { parent_intent_id, depends_on: [...depends_on], ...policy };
  return { title, description, status, state, constraints, created_by, ...graph };
}

/** Demands that every intent in the request exists. */
async function demandReferences(
  { caller, parts }: Call,
  { parent_intent_id, depends_on }: CreateIntentRequest,
): Promise<void> {
  const demandThere = (field: string, id: string) => referenced(field, parts.readNamed(caller, id));
  if (parent_intent_id) await demandThere('parent_intent_id', parent_intent_id);
  await Promise.all(depends_on.map((id, index) => demandThere(`depends_on[${index}]`, id)));
}

/**
 * Starts the workflow, or has that of the parent start it. With a key it may find an earlier intent. Without a worker
 * for the first task, the intent is started all the same.
 */
async function begin(
  { caller, parts }: Call,
  input: IntentInput,
  creation: Creation,
): Promise<'started' | 'exists' | Intent> {
  const { id, title, parent_intent_id } = input.intent;
  if (parent_intent_id !== null) {
    return parts.write(parent_intent_id, createChildUpdate, { ...input, by: proven(caller) });
  }
  const opening = {
    workflowId: workflowIdOf('intent', id),
    input: { ...input, sender_writes: true },
    summary: title,
    attributes: creationAttributes(input.intent),
  };
  const begun = await parts.temporal.begin('intent', opening, createdUpdate, sentBy(caller));
  if (begun.kind === 'exists') return 'exists';
  if (begun.kind === 'started') {
    parts.intentRows.collectLater(id);
    return 'started';
  }
  const { creation_hash, intent, rows } = begun.value;
  demandSame(creation, creation_hash);
  await parts.intentRows.writeLeft(id, rows, false);
  if (creation.creation_hash === undefined) return 'started';
  // An intent that is too large for the result is read instead.
  return intent ?? 'exists';
}
