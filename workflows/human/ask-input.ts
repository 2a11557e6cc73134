import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  log,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { PreparedInput } from '../../contracts/suspension-requests.js';
import { newQuestion, openQuestion } from '../suspension/opening.js';
import { awaitInput } from './await-input.js';
import { HookCalls, splitOptions } from './hooks.js';
import type { InputOptions } from './hooks.js';
import { follow, lostInput } from './inbox.js';

/** Tried for as long as it takes: without Holdpoint's worker nobody could be asked either. */
const { prepareInput } = proxyActivities<Pick<Activities, 'prepareInput'>>({
  taskQueue: TASK_QUEUE,
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'check the question',
});

/**
 * Asks a question and returns its suspension's id once it is durable, without waiting for the answer:
 * `awaitInput` does, in this run or one that continues it. The platform's retry policy applies as over
 * HTTP. Throws a non-retryable ApplicationFailure whose `type` is an error code (`invalid_request`,
 * `invalid_choices`, `invalid_retry_policy`, `invalid_signals`) and whose first detail is the refusal.
 */
export async function openInput(options: InputOptions): Promise<string> {
  const { question, hooks } = splitOptions(options);
  const { draft, warnings } = await prepared(question);
  for (const warning of warnings) log.warn('input_warning', { warning });
  return CancellationScope.nonCancellable(async () => {
    const { workflowId } = workflowInfo();
    const input = newQuestion(draft, {
      intent_id: null,
      subject_workflow_id: workflowId,
      asked_by: options.asked_by ?? workflowId,
      report_attempts: hooks.onInputRequested !== undefined,
    });
    const { record } = input;
    const calls = new HookCalls(hooks);
    Object.assign(follow(record.id), { own: true, calls });
    const { child } = await openQuestion(input, { taskQueue: TASK_QUEUE });
    child.result().catch(() => {
      follow(record.id).settled ??= lostInput(record, 1);
    });
    calls.requested(record, 1);
    return record.id;
  });
}

/** What the activity refused is the agent's to see, not the activity. */
async function prepared(question: JsonObject): Promise<PreparedInput> {
  try {
    return await prepareInput(question);
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : undefined;
    throw cause instanceof ApplicationFailure && cause.nonRetryable ? cause : error;
  }
}

/**
 * Asks an operator, from the code of a workflow, and returns the value of the answer (R25-87, R25-89), or
 * `fallback_value` (null without one) where nobody answered and the policy returns a value.
 * Throws InputTimeoutError (policy `fail`), InputCancelledError, or an ApplicationFailure
 * with the code of what is wrong with the question; where the workflow or its scope is cancelled, the
 * question is withdrawn and the cancellation thrown. Several may be asked at once.
 */
export async function requestInput(options: InputOptions): Promise<JsonValue> {
  return awaitInput(await openInput(options));
}
