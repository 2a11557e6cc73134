import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ServerConfig } from '../contracts/config.js';
import { LIMITS } from '../contracts/constants/limits.js';
import { parseFields } from '../contracts/parse-fields.js';
import type { Refusal } from '../contracts/problem.js';
import { SUSPEND_CODES, inputRequestSchema } from '../contracts/suspension-requests.js';
import type { PreparedInput, StoredInput } from '../contracts/suspension-requests.js';
import { resolveQuestion } from '../domain/suspension/question.js';
import { secretRefusal } from '../runtime/secrets.js';
import type { ActivityStore } from './dependencies.js';

/** Another try would be refused too, and the refusal is no defect of this worker. */
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
 * Checks a question of an agent's workflow as the API does, and completes it with the platform's policy.
 * A refusal is a non-retryable ApplicationFailure whose type is an error code.
 */
export async function prepareInput(
  { suspension }: Pick<ServerConfig, 'suspension'>,
  request: unknown,
): Promise<PreparedInput> {
  const parsed = parseFields(inputRequestSchema, request, SUSPEND_CODES);
  if (!parsed.ok) throw refusal(parsed.refusal);
  const secret = await secretRefusal(parsed.value, suspension);
  if (secret !== undefined) throw refusal(secret);
  const question = resolveQuestion(parsed.value, suspension.default_retry_policy, LIMITS);
  if (!question.ok) throw refusal(question.refusal);
  return question.value;
}

/** Reads a suspension whose workflow may be gone; refuses `suspension_not_found`. */
export async function readInput(
  { findSuspension }: Pick<ActivityStore, 'findSuspension'>,
  suspensionId: string,
): Promise<StoredInput> {
  const found = await findSuspension(suspensionId);
  if (found) return { record: found.record, attempt: found.attempt };
  throw refusal({ code: 'suspension_not_found', detail: 'No suspension has this id.' });
}
