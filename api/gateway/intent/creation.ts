import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { CreateIntentRequest, Intent } from '../../../contracts/intent.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { SUSPENSION_SLOT } from '../../../domain/intent/state-patch.js';
import { claimsIn, stateWithoutClaims } from '../../../domain/openintent/claims.js';
import { checkFirstState } from '../../../domain/openintent/record-rule.js';
import { checkFieldSizes } from '../../../domain/kernel/ruling.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { creationAttributes } from '../../../workflows/engine/search-attributes.js';
import { createChildUpdate, intentQuery } from '../../../workflows/intent/messages.js';
import type { IntentInput } from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import { createOnce, logStartOf } from '../calls/once.js';
import type { CreationOf } from '../calls/once.js';
import { nameFor, proven } from '../caller.js';
import type { Caller, Naming } from '../caller.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore, GatewayLog } from '../reads/from-store.js';
import { referenced } from '../refusals.js';
import { demandOwnId } from '../suspension/chosen-id.js';
import type { OwnReach } from './access.js';
import type { IntentRows } from './left-rows.js';
import type { Reads } from './reads.js';
import type { IntentWriter } from './writes.js';

/** Creates an intent. */
export type CreateIntent = ReturnType<typeof createCreation>['createIntent'];

interface Deps {
  readonly temporal: Pick<Temporal, 'start' | 'query'>;
  readonly write: IntentWriter;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly readNamed: OwnReach['readNamed'];
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly fromStore: FromStore;
  readonly creationOf: CreationOf;
  readonly intentRows: Pick<IntentRows, 'collectLater'>;
  readonly log?: GatewayLog | undefined;
}

/** What is compared under a key: a field that was left out and its default are the same. */
function comparable(request: CreateIntentRequest): object {
  const { title, description = null, status, state, constraints, created_by = null } = request;
  const { parent_intent_id = null, depends_on, governance_policy } = request;
  const policy = governance_policy && { governance_policy };
  const graph = { parent_intent_id, depends_on: [...depends_on], ...policy };
  return { title, description, status, state, constraints, created_by, ...graph };
}

/** Every intent that the request names has to be there. */
async function demandReferences(
  { readNamed }: Pick<Deps, 'readNamed'>,
  caller: Caller,
  { parent_intent_id, depends_on }: CreateIntentRequest,
): Promise<void> {
  const demandThere = (field: string, id: string) => referenced(field, readNamed(caller, id));
  if (parent_intent_id) await demandThere('parent_intent_id', parent_intent_id);
  await Promise.all(depends_on.map((id, index) => demandThere(`depends_on[${index}]`, id)));
}

/**
 * Starts intents. With an Idempotency-Key the id follows from principal and key, so the same request
 * gives the same intent for as long as the store has it, and another body is refused with
 * `idempotency_key_reused`. Throws `store_unavailable` where only the store could tell, `forbidden` if a foreign `created_by` needs an admin, and
 * `workflow_unavailable` after 10 s; the intent may then exist all the same. A parent starts its children;
 * where it is closed, `intent_closed`. `intent_not_found` tells the field that names no intent.
 */
export function createCreation(deps: Deps) {
  const { temporal, write, clock, reads, consistency, fromStore, creationOf, intentRows } = deps;
  const { log } = deps;

  async function begin(caller: Caller, input: IntentInput): Promise<'started' | 'exists'> {
    const { id, title, parent_intent_id } = input.intent;
    if (parent_intent_id !== null) {
      return write(parent_intent_id, createChildUpdate, { ...input, by: proven(caller) });
    }
    const started = await temporal.start('intent', {
      workflowId: workflowIdOf('intent', id),
      input: { ...input, sender_writes: true },
      summary: title,
      attributes: creationAttributes(input.intent),
    });
    if (started === 'started') intentRows.collectLater(id);
    return started;
  }

  return {
    /** As a child, by the workflow of its parent, if the request refers to one. */
    async createIntent(
      caller: Caller,
      request: CreateIntentRequest,
      idempotencyKey?: string,
      naming: Naming = {},
    ): Promise<Intent> {
      const { state, constraints, governance_policy } = request;
      demand(checkFirstState(state));
      demand(checkFieldSizes({ constraints, governance_policy }, LIMITS.intentFieldBytes));
      const slot = state[SUSPENSION_SLOT];
      const refusal = 'Only an admin key may create an intent in the name of somebody else.';
      const sent = { field: 'created_by', name: request.created_by, refusal };
      const created_by = nameFor(caller, 'createIntent', sent, naming);
      const { principal } = caller;
      const creation = creationOf('intent', caller, idempotencyKey, comparable(request));
      const { id } = creation;
      const created_at = toInstant(clock.now());
      const dropped = claimsIn(slot);
      if (dropped.length > 0)
        log?.warn({ intent_id: id, fields: dropped }, 'claimed_answer_dropped');
      const first = { ...request, state: stateWithoutClaims(state) };
      const intent = newIntent(first, { id, created_by, owner: principal, created_at });
      const input = { intent, ...logStartOf(creation) };
      const create = async (): Promise<Intent | 'exists'> => {
        await demandReferences(deps, caller, request);
        await demandOwnId(fromStore, caller, slot);
        if ((await begin(caller, input)) === 'exists') return 'exists';
        consistency.touch(id, 1);
        return intent;
      };
      return createOnce(deps, creation, {
        table: 'intents',
        definition: intentQuery,
        create,
        viewOf: (made) => made.intent,
        read: reads.getIntent,
      });
    },
  };
}
