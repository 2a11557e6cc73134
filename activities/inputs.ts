import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { LIMITS } from '../contracts/constants/limits.js';
import type { Refusal } from '../contracts/problem.js';
import { SUSPEND_CODES, inputRequestSchema } from '../contracts/suspension-requests.js';
import type { PreparedInput, StoredInput } from '../contracts/suspension-requests.js';
import { parseKnownFields } from '../contracts/unknown-fields.js';
import { configuredQuestion } from '../domain/suspension/question.js';
import { isSettled, lostRecord, settlementOf } from '../domain/suspension/state.js';
import { secretRefusal } from '../runtime/secrets.js';
import { toInstant } from '../domain/kernel/time.js';
import type { ActivityDependencies, ActivityStore, WorkflowMessages } from './dependencies.js';

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
 * Checks a question of an agent's workflow as `/v1` does, unknown fields included, and completes it with the
 * platform's policy. The warnings name what has no effect, such as a channel that is not configured. A refusal is a
 * non-retryable ApplicationFailure whose type is an error code.
 */
export async function prepareInput(
  { config, now }: Pick<ActivityDependencies, 'config' | 'now'>,
  request: unknown,
): Promise<PreparedInput> {
  const parsed = parseKnownFields(inputRequestSchema, request, SUSPEND_CODES);
  if (!parsed.ok) throw refusal(parsed.refusal);
  const secret = await secretRefusal(parsed.value, config.suspension);
  if (secret !== undefined) throw refusal(secret);
  const question = configuredQuestion(parsed.value, config, LIMITS);
  if (!question.ok) throw refusal(question.refusal);
  return { ...question.value, asked_at: toInstant(now().getTime()) };
}

/**
 * Ends a question whose workflow is gone: whoever waited for it would wait for ever. If the store has it settled, that
 * counts. Otherwise it is cancelled by the system, in the store too. Returns null if the store does not have it.
 */
export async function settleLost(
  {
    store: { findSuspension, settleSuspension },
    workflows: { isOpen },
    now,
  }: {
    readonly store: Pick<ActivityStore, 'findSuspension' | 'settleSuspension'>;
    readonly workflows: Pick<WorkflowMessages, 'isOpen'>;
    readonly now: () => Date;
  },
  suspensionId: string,
  space: string,
): Promise<StoredInput | null> {
  const found = await findSuspension(suspensionId, space);
  if (found === undefined) return null;
  const { record, attempt } = found;
  if (isSettled(record) || (await isOpen(suspensionId, space))) return { record, attempt };
  const lost = lostRecord(record, toInstant(now().getTime()));
  await settleSuspension(suspensionId, settlementOf(lost), space);
  const ended = await findSuspension(suspensionId, space);
  return { record: ended?.record ?? lost, attempt };
}
