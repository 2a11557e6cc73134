import { randomUUID } from 'node:crypto';
import type { ServerConfig } from '../../../contracts/config.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { JsonObject } from '../../../contracts/primitives.js';
import type { SuspendRequest } from '../../../contracts/suspension-requests.js';
import type { SuspensionView } from '../../../contracts/suspension-view.js';
import type { SuspensionDraft } from '../../../contracts/suspension.js';
import { hashJson, uuidFrom } from '../../../domain/kernel/hashing.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { channelWarnings, resolveQuestion } from '../../../domain/suspension/question.js';
import { openRecord } from '../../../domain/suspension/schedule.js';
import { viewOf } from '../../../domain/suspension/view.js';
import { openingAttributes } from '../../../workflows/engine/search-attributes.js';
import { suspendUpdate } from '../../../workflows/intent/messages.js';
import type { SuspendInput } from '../../../workflows/intent/messages.js';
import type { SuspensionInput } from '../../../workflows/suspension/messages.js';
import { RefusalError } from '../../errors.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import type { IntentWriter } from '../intent/writes.js';
import type { Consistency } from '../reads/consistency.js';
import { refused } from '../refusals.js';
import type { Settlements } from './inbox.js';

/** A question as it stands; `created` is false where a request_key re-attached to an earlier one. */
export interface Opened {
  readonly created: boolean;
  readonly view: SuspensionView;
  readonly warnings: readonly string[];
}

interface SuspendDeps {
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

/** The question that a request asks, with warnings for the caller. Throws what refuses it. */
function questionOf({ suspension, notifications }: ServerConfig, request: SuspendRequest) {
  const question = resolveQuestion(request, suspension.default_retry_policy, LIMITS);
  if (!question.ok) throw new RefusalError(question.refusal);
  const { draft, warnings } = question.value;
  const unheard = channelWarnings(draft, Object.keys(notifications.channels));
  return { draft, warnings: [...warnings, ...unheard] };
}

/** Questions that hold up an intent. */
export function createSuspensions(deps: SuspendDeps) {
  const { config, write, reads, consistency, settlements } = deps;

  return {
    /**
     * A `request_key` is remembered by the intent itself, not by an update id, so a repetition is
     * recognised and gets the suspension as it stands now. Throws `invalid_choices`,
     * `invalid_request`, `invalid_retry_policy`, `request_key_reused`, or what `IntentWriter` throws.
     */
    async suspend(
      { principal: actor }: Caller,
      intentId: string,
      request: SuspendRequest,
    ): Promise<Opened> {
      const { draft, warnings } = questionOf(config, request);
      const input = { actor, draft, ...requestOf(request) };
      const receipt = await write(intentId, suspendUpdate, input);
      consistency.touch(intentId);
      settlements.touch(receipt.suspension_id, 'pending');
      const view = receipt.view ?? (await reads.getSuspension(receipt.suspension_id)).value;
      return { created: !receipt.reattached, view, warnings };
    },
  };
}

interface OpenDeps {
  readonly config: ServerConfig;
  readonly clock: Pick<Clock, 'now'>;
  readonly temporal: Pick<Temporal, 'start'>;
  readonly reads: Pick<Reads, 'getSuspension'>;
  readonly settlements: Pick<Settlements, 'touch'>;
}

/** A request_key stands for what is asked, not for how: the same fields as for an intent's question. */
function askedIn({ question, response_type, choices }: SuspensionDraft): unknown {
  return { question, response_type, choices: choices ?? null };
}

/**
 * Questions that hold up no intent: who asked waits for the suspension itself. With a
 * `request_key` the id follows from principal and key, for as long as Temporal keeps the workflow.
 * Throws `invalid_choices`, `invalid_request`, `invalid_retry_policy`, `request_key_reused`, or
 * `workflow_unavailable`: the question may then be open all the same.
 */
export function createOpenings(deps: OpenDeps) {
  const { config, clock, temporal, reads, settlements } = deps;

  return {
    async openSuspension({ principal }: Caller, request: SuspendRequest): Promise<Opened> {
      const { draft, warnings } = questionOf(config, request);
      const { request_key: key } = request;
      const id =
        key === undefined ? randomUUID() : uuidFrom(['suspension', principal, key].join('\0'));
      const opened = openRecord(draft, id, toInstant(clock.now()));
      const { record } = opened;
      const nobody = { intent_id: null, subject_workflow_id: null };
      const input: SuspensionInput = { ...nobody, asked_by: principal, ...opened };
      const view = viewOf({ intent_id: null, record, attempt: 1 }, input, []);
      const outcome = await temporal.start('suspension', {
        workflowId: workflowIdOf('suspension', id),
        input,
        summary: record.question,
        attributes: openingAttributes(view),
      });
      settlements.touch(id, 'pending');
      if (outcome === 'started') return { created: true, view, warnings };
      const { value: earlier } = await reads.getSuspension(id);
      if (jsonEqual(askedIn(earlier.record), askedIn(draft))) {
        return { created: false, view: earlier, warnings };
      }
      throw refused('request_key_reused', 'This request_key opened another question.', {
        field: 'request_key',
        accepted: 'the question of the first request, or a new key',
      });
    },
  };
}
