import { randomUUID } from 'node:crypto';
import type { ServerConfig } from '../../contracts/config.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { SuspensionDraft } from '../../contracts/suspension.js';
import { uuidFrom } from '../../domain/canonical.js';
import { jsonEqual } from '../../domain/json-size.js';
import { resolveQuestion } from '../../domain/question.js';
import { openRecord } from '../../domain/schedule.js';
import { viewOf } from '../../domain/suspension-view.js';
import { toInstant } from '../../domain/time.js';
import type { SuspensionInput } from '../../workflows/suspension/messages.js';
import { openingAttributes } from '../../workflows/support/attributes.js';
import { RefusalError } from '../errors.js';
import type { Clock } from './clock.js';
import type { Reads } from './reads.js';
import { refused } from './refusals.js';
import type { Settlements } from './settlements.js';
import type { Start } from './starts.js';
import type { Gateway } from './types.js';

interface Deps {
  readonly config: ServerConfig;
  readonly clock: Pick<Clock, 'now'>;
  readonly start: Start;
  readonly reads: Pick<Reads, 'getSuspension'>;
  readonly settlements: Pick<Settlements, 'touch'>;
}

/** A request_key stands for what is asked, not for how: the same fields as for an intent's question. */
function askedIn({ question, response_type, choices }: SuspensionDraft): unknown {
  return { question, response_type, choices: choices ?? null };
}

/**
 * Questions that hold up no intent: nobody is told, who asked waits for the suspension itself. With a
 * `request_key` the id follows from principal and key, for as long as Temporal keeps the workflow.
 * Throws `invalid_choices`, `invalid_request`, `invalid_retry_policy`, `request_key_reused`, or
 * `workflow_unavailable`: the question may then be open all the same.
 */
export function createOpenings(deps: Deps): Pick<Gateway, 'openSuspension'> {
  const { config, clock, start, reads, settlements } = deps;

  return {
    async openSuspension({ principal }, request) {
      const platform = config.suspension.default_retry_policy;
      const question = resolveQuestion(request, platform, LIMITS);
      if (!question.ok) throw new RefusalError(question.refusal);
      const { draft, warnings } = question.value;
      const { request_key: key } = request;
      const id =
        key === undefined ? randomUUID() : uuidFrom(['suspension', principal, key].join('\0'));
      const opened = openRecord(draft, id, toInstant(clock.now()));
      const { record } = opened;
      const nobody = { intent_id: null, subject_workflow_id: null };
      const input: SuspensionInput = { ...nobody, asked_by: principal, ...opened };
      const view = viewOf({ intent_id: null, record, attempt: 1 }, input, []);
      const outcome = await start('suspension', {
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
