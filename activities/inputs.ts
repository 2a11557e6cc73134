import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ServerConfig } from '../contracts/config.js';
import { LIMITS } from '../contracts/constants/limits.js';
import { parseFields } from '../contracts/parse-fields.js';
import type { Refusal } from '../contracts/problem.js';
import { SUSPEND_CODES, inputRequestSchema } from '../contracts/suspension-requests.js';
import type { SuspensionView } from '../contracts/suspension-view.js';
import { resolveQuestion } from '../domain/suspension/question.js';
import { secretRefusal } from '../runtime/secrets.js';
import type { Activities } from './types.js';

export interface InputPorts {
  readonly config: Pick<ServerConfig, 'suspension'>;
  /** The suspension as the store has it. */
  readonly find: (suspensionId: string) => Promise<SuspensionView | undefined>;
}

/** Trying again would be refused again, and it is no defect of this worker. */
function refusal(refused: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    type: refused.code,
    message: refused.detail,
    details: [refused],
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}

/**
 * What the workflow of an agent cannot do itself: check a question as the API does and resolve it with the
 * platform's policy, and read a suspension whose workflow is gone. Refusals are non-retryable
 * ApplicationFailures whose type is an error code; a store that is away is tried again.
 */
export function createInputActivities({
  config,
  find,
}: InputPorts): Pick<Activities, 'prepareInput' | 'readInput'> {
  return {
    async prepareInput(request) {
      const parsed = parseFields(inputRequestSchema, request, SUSPEND_CODES);
      if (!parsed.ok) throw refusal(parsed.refusal);
      const secret = await secretRefusal(parsed.value, config.suspension);
      if (secret !== undefined) throw refusal(secret);
      const platform = config.suspension.default_retry_policy;
      const question = resolveQuestion(parsed.value, platform, LIMITS);
      if (!question.ok) throw refusal(question.refusal);
      return question.value;
    },

    async readInput(suspensionId) {
      const found = await find(suspensionId);
      if (found) return { record: found.record, attempt: found.attempt };
      throw refusal({ code: 'suspension_not_found', detail: 'No suspension has this id.' });
    },
  };
}
