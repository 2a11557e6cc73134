import { LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { ServerConfig } from '../../contracts/config.js';
import type { JsonObject } from '../../contracts/json.js';
import type { SuspendRequest } from '../../contracts/suspension-requests.js';
import { hashJson } from '../../domain/canonical.js';
import { resolveQuestion } from '../../domain/question.js';
import { suspendUpdate, type SuspendInput } from '../../workflows/intent/messages.js';
import { cancelUpdate } from '../../workflows/suspension/messages.js';
import { RefusalError, refusalOf } from '../errors.js';
import type { Consistency } from './consistency.js';
import { activeSuspensionId, type Diagnose } from './diagnosis.js';
import type { IntentWriter } from './intent-writer.js';
import type { Reads } from './reads.js';
import { refused, writeUnavailable } from './refusals.js';
import type { Settlements } from './settlements.js';
import type { Caller, Gateway } from './types.js';
import type { Updates } from './updates.js';

interface Deps {
  readonly config: ServerConfig;
  readonly write: IntentWriter;
  readonly updates: Updates;
  readonly reads: Reads;
  readonly diagnose: Diagnose;
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

/** Withdrawing is for who asked, or an admin; the record tells which of the two it was. */
function withdrawerOf({ principal, roles }: Caller, askedBy: string): 'agent' | 'admin' {
  if (principal === askedBy) return 'agent';
  if (roles.has('admin')) return 'admin';
  throw refused('forbidden', 'Only who asked, or an admin, may cancel the question.');
}

/** Asking and withdrawing (AM-33, AM-34). */
export function createSuspensions(deps: Deps): Pick<Gateway, 'suspend' | 'cancel'> {
  const { config, write, updates, reads, diagnose, consistency, settlements } = deps;

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

    /**
     * Without a `suspension_id` it is the open question that is withdrawn. Throws
     * `intent_not_found`, `intent_not_suspended`, `suspension_mismatch`, `suspension_settled`,
     * `forbidden`, or `workflow_unavailable`: the withdrawal may then still happen later.
     */
    async cancel(caller, intentId, request) {
      const { value: intent } = await reads.getIntent(intentId);
      const active = activeSuspensionId(intent);
      const id = request.suspension_id ?? active ?? '';
      if (active === undefined || id !== active) throw await diagnose(intentId, id);
      const { value: view } = await reads.getSuspension(active);
      const settled_by = withdrawerOf(caller, view.asked_by);
      const { reason } = request;
      const input = {
        intent_id: intentId,
        cancelled_by: caller.principal,
        settled_by,
        ...(reason !== undefined && { reason }),
      };
      try {
        const workflowId = workflowIdOf('suspension', active);
        const outcome = await updates.send(workflowId, cancelUpdate, input);
        if (outcome.kind === 'closed_or_missing') throw await diagnose(intentId, active);
        if (outcome.kind === 'no_worker') throw writeUnavailable();
        consistency.touch(intentId);
        settlements.touch(active, 'settled');
        return outcome.value;
      } catch (error) {
        if (refusalOf(error)?.code !== 'suspension_settled') throw error;
        throw await diagnose(intentId, active);
      }
    },
  };
}
