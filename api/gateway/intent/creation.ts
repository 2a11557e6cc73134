import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { CreateIntentRequest, Intent } from '../../../contracts/intent.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { hashJson, uuidFrom } from '../../../domain/kernel/hashing.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { creationAttributes } from '../../../workflows/engine/search-attributes.js';
import { createChildUpdate, intentQuery } from '../../../workflows/intent/messages.js';
import type { IntentInput } from '../../../workflows/intent/messages.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import { createOnce } from '../calls/once.js';
import { creatorOf } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Consistency } from '../reads/consistency.js';
import { referenced } from '../references.js';
import type { Reads } from './reads.js';
import type { IntentWriter } from './writes.js';

/** Creates an intent. */
export type CreateIntent = ReturnType<typeof createCreation>['createIntent'];

interface Deps {
  readonly temporal: Pick<Temporal, 'start' | 'query'>;
  readonly write: IntentWriter;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly consistency: Pick<Consistency, 'touch'>;
}

/** The body as it was sent; what was left out and what is undefined are the same. */
function hashOf(request: CreateIntentRequest): string {
  const { title, description = null, status, state, constraints, created_by = null } = request;
  const { parent_intent_id = null, depends_on, governance_policy } = request;
  const policy = governance_policy && { governance_policy };
  const graph = { parent_intent_id, depends_on: [...depends_on], ...policy };
  return hashJson({ title, description, status, state, constraints, created_by, ...graph });
}

/**
 * Starts intents. With an Idempotency-Key the id follows from principal and key, so the same request
 * gives the same intent for as long as Temporal keeps its workflow, and another body is refused with
 * `idempotency_key_reused`. Throws `forbidden` where a foreign `created_by` needs an admin, and
 * `workflow_unavailable` after 10 s; the intent may then exist all the same. A parent starts its children;
 * where it is closed, `intent_closed`. `intent_not_found` tells the field that names no intent.
 */
export function createCreation(deps: Deps) {
  const { temporal, write, clock, reads, consistency } = deps;

  /** Every intent that the request names has to be there. */
  async function demandReferences({
    parent_intent_id,
    depends_on,
  }: CreateIntentRequest): Promise<void> {
    if (parent_intent_id) await referenced('parent_intent_id', reads.getIntent(parent_intent_id));
    await Promise.all(
      depends_on.map((id, index) => referenced(`depends_on[${index}]`, reads.getIntent(id))),
    );
  }

  async function begin(input: IntentInput): Promise<'started' | 'exists'> {
    const { id, title, parent_intent_id } = input.intent;
    if (parent_intent_id !== null) return write(parent_intent_id, createChildUpdate, input);
    return temporal.start('intent', {
      workflowId: workflowIdOf('intent', id),
      input,
      summary: title,
      attributes: creationAttributes(input.intent),
    });
  }

  return {
    /** As a child, by the workflow of its parent, where the request refers to one. */
    async createIntent(
      caller: Caller,
      request: CreateIntentRequest,
      idempotencyKey?: string,
    ): Promise<Intent> {
      const created_by = creatorOf(caller, request, 'an intent');
      const keyed = idempotencyKey !== undefined;
      const id = keyed
        ? uuidFrom(['intent', caller.principal, idempotencyKey].join('\0'))
        : randomUUID();
      const intent = newIntent(request, { id, created_by, created_at: toInstant(clock.now()) });
      const hash = keyed ? hashOf(request) : undefined;
      const input = { intent, ...(hash !== undefined && { creation_hash: hash }) };
      const create = async (): Promise<Intent | 'exists'> => {
        await demandReferences(request);
        if ((await begin(input)) === 'exists') return 'exists';
        consistency.touch(id, 1);
        return intent;
      };
      const earlier = { workflowId: workflowIdOf('intent', id), definition: intentQuery, hash };
      return createOnce(temporal.query, earlier, create, (created) => created.intent);
    },
  };
}
