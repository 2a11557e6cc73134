import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { CreateIntentRequest, Intent } from '../../contracts/intent.js';
import { hashJson, uuidFrom } from '../../domain/canonical.js';
import { newIntent } from '../../domain/intent-entity.js';
import { toInstant } from '../../domain/time.js';
import { intentQuery, type IntentInput } from '../../workflows/intent/messages.js';
import { creationAttributes } from '../../workflows/support/attributes.js';
import type { Clock } from './clock.js';
import type { Consistency } from './consistency.js';
import { creatorOf } from './creator.js';
import type { Ask } from './queries.js';
import { idempotencyKeyReused, writeUnavailable } from './refusals.js';
import type { Start } from './starts.js';
import type { Gateway } from './types.js';

interface Deps {
  readonly start: Start;
  readonly clock: Pick<Clock, 'now'>;
  readonly ask: Ask;
  readonly consistency: Pick<Consistency, 'touch'>;
}

/** The body as it was sent; what was left out and what is undefined are the same. */
function hashOf(request: CreateIntentRequest): string {
  const { title, description = null, status, state, constraints, created_by = null } = request;
  return hashJson({ title, description, status, state, constraints, created_by });
}

/**
 * Starts intents. With an Idempotency-Key the id follows from principal and key, so the same request
 * gives the same intent for as long as Temporal keeps its workflow, and another body is refused with
 * `idempotency_key_reused`. Throws `forbidden` where a foreign `created_by` needs an admin, and
 * `workflow_unavailable` after 10 s; the intent may then exist all the same.
 */
export function createCreation(deps: Deps): Pick<Gateway, 'createIntent'> {
  const { start, clock, ask, consistency } = deps;

  async function existing(input: IntentInput): Promise<Intent> {
    const asked = await ask(workflowIdOf('intent', input.intent.id), intentQuery);
    if (asked.kind !== 'found') throw writeUnavailable();
    if (asked.value.creation_hash === input.creation_hash) return asked.value.intent;
    throw idempotencyKeyReused();
  }

  return {
    async createIntent(caller, request, idempotencyKey) {
      const created_by = creatorOf(caller, request, 'an intent');
      const keyed = idempotencyKey !== undefined;
      const id = keyed
        ? uuidFrom(['intent', caller.principal, idempotencyKey].join('\0'))
        : randomUUID();
      const intent = newIntent(request, { id, created_by, created_at: toInstant(clock.now()) });
      const input = { intent, ...(keyed && { creation_hash: hashOf(request) }) };
      const outcome = await start('intent', {
        workflowId: workflowIdOf('intent', id),
        input,
        summary: intent.title,
        attributes: creationAttributes(intent),
      });
      if (outcome === 'exists') return existing(input);
      consistency.touch(id, 1);
      return intent;
    },
  };
}
