import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  log,
  ParentClosePolicy,
  proxyActivities,
  startChild,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { TASK_QUEUE, WORKFLOW_TYPES, workflowIdOf } from '../../contracts/constants/names.js';
import type { PreparedInput } from '../../contracts/input-request.js';
import type { JsonObject } from '../../contracts/json.js';
import { openRecord } from '../../domain/schedule.js';
import { summaryOf } from '../../domain/summary.js';
import { viewOf } from '../../domain/suspension-view.js';
import { toInstant } from '../../domain/time.js';
import { openingAttributes } from '../support/attributes.js';
import { now } from '../support/clock.js';
import type { SuspensionInput } from '../suspension/messages.js';
import { HookCalls } from './hook-calls.js';
import { follow } from './inbox.js';
import { lostInput } from './lost-input.js';
import { partOptions, type InputOptions } from './options.js';

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
  const { question, hooks } = partOptions(options);
  const { draft, warnings } = await prepared(question);
  for (const warning of warnings) log.warn('input_warning', { warning });
  return CancellationScope.nonCancellable(async () => {
    const { workflowId } = workflowInfo();
    const { asked_by } = options;
    const opened = openRecord(draft, uuid4(), toInstant(now()));
    const calls = new HookCalls(hooks);
    Object.assign(follow(opened.record.id), { own: true, calls });
    await start({
      ...opened,
      intent_id: null,
      subject_workflow_id: workflowId,
      asked_by: asked_by ?? workflowId,
      report_attempts: hooks.onInputRequested !== undefined,
    });
    calls.requested(opened.record, 1);
    return opened.record.id;
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

/** Starts the suspension, which outlives a run that continues as new (docs/adr/0014). */
async function start(input: SuspensionInput): Promise<void> {
  const { record } = input;
  const view = viewOf({ intent_id: null, record, attempt: 1 }, input, []);
  const child = await startChild(WORKFLOW_TYPES.suspension, {
    workflowId: workflowIdOf('suspension', record.id),
    taskQueue: TASK_QUEUE,
    args: [input],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: summaryOf(record.question),
    typedSearchAttributes: openingAttributes(view),
  });
  child.result().catch(() => {
    follow(record.id).settled ??= lostInput(record, 1);
  });
}
