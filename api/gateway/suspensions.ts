import { LIMITS } from '../../contracts/constants/limits.js';
import type { ServerConfig } from '../../contracts/config.js';
import type { JsonObject } from '../../contracts/json.js';
import type { SuspendRequest } from '../../contracts/suspension-requests.js';
import { hashJson } from '../../domain/canonical.js';
import { resolveQuestion } from '../../domain/question.js';
import { suspendUpdate, type SuspendInput } from '../../workflows/intent/messages.js';
import { RefusalError } from '../errors.js';
import type { Consistency } from './consistency.js';
import type { IntentWriter } from './intent-writer.js';
import type { Reads } from './reads.js';
import type { Settlements } from './settlements.js';
import type { Gateway } from './types.js';

interface Deps {
  readonly config: ServerConfig;
  readonly write: IntentWriter;
  readonly reads: Reads;
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly settlements: Pick<Settlements, 'touch'>;
}

/**
 * A request_key stands for what is asked. How it is asked (policies, decision, confidence) may differ
 * after a restart of the agent, which still finds its question.
 */
function requestOf(request: SuspendRequest): Pick<SuspendInput, 'request'> {
  const { request_key: key, question, response_type, choices = [] } = request;
  if (key === undefined) return {};
  // Absent and undefined are the same to JSON.
  const asked = JSON.parse(JSON.stringify({ question, response_type, choices })) as JsonObject;
  return { request: { key, body_hash: hashJson(asked) } };
}

/** Asking for an intent (AM-33). */
export function createSuspensions(deps: Deps): Pick<Gateway, 'suspend'> {
  const { config, write, reads, consistency, settlements } = deps;

  return {
    /**
     * A `request_key` is remembered by the intent itself, not by an update id, so a repetition is
     * told apart and gets the suspension as it stands now. Throws `invalid_choices`,
     * `invalid_request`, `invalid_retry_policy`, `request_key_reused`, or what `IntentWriter` throws.
     */
    async suspend({ principal: actor }, intentId, request) {
      const platform = config.suspension.default_retry_policy;
      const question = resolveQuestion(request, platform, LIMITS);
      if (!question.ok) throw new RefusalError(question.refusal);
      const { draft, warnings } = question.value;
      const input = { actor, draft, ...requestOf(request) };
      const receipt = await write(intentId, suspendUpdate, input);
      consistency.touch(intentId);
      settlements.touch(receipt.suspension_id, 'pending');
      const view = receipt.view ?? (await reads.getSuspension(receipt.suspension_id)).value;
      return { created: !receipt.reattached, view, warnings };
    },
  };
}
