import proto from '@temporalio/proto';
import { endChildren, endParentsChildren } from './children.js';
import type { From, Of } from './commands.js';
import { NORMAL_QUEUE } from './execution.js';
import type { Run } from './run.js';

const { RETRY_STATE_RETRY_POLICY_NOT_SET } = proto.temporal.api.enums.v1.RetryState;

export function completed(
  run: Run,
  { result }: Of<'completeWorkflowExecution'>,
  { completed: task }: From,
): void {
  const payloads = result ? [result] : [];
  run.add('workflowExecutionCompleted', {
    result: { payloads },
    workflowTaskCompletedEventId: task,
  });
  endParentsChildren(run, 'COMPLETED', { completed: { result: result ?? null } });
}

export function failed(
  run: Run,
  said: Of<'failWorkflowExecution'>,
  { completed: task }: From,
): void {
  const failure = said.failure ?? {};
  const retryState = RETRY_STATE_RETRY_POLICY_NOT_SET;
  run.add('workflowExecutionFailed', { failure, retryState, workflowTaskCompletedEventId: task });
  endParentsChildren(run, 'FAILED', { failed: { failure } });
}

export function cancelled(
  run: Run,
  _said: Of<'cancelWorkflowExecution'>,
  { completed: task }: From,
): void {
  run.add('workflowExecutionCanceled', { workflowTaskCompletedEventId: task });
  const failure = { message: 'Child Workflow execution canceled', canceledFailureInfo: {} };
  endParentsChildren(run, 'CANCELED', { cancelled: { failure } });
}

/** Begins a new run in the place of this one. */
export function continueAsNew(
  run: Run,
  command: Of<'continueAsNewWorkflowExecution'>,
  { completed: task }: From,
): void {
  const { start, server } = run;
  const fields = (given: Record<string, unknown> | null | undefined) =>
    Object.keys(given ?? {}).length > 0;
  const type = command.workflowType || start.type;
  const taskQueue = command.taskQueue || start.taskQueue;
  const memo = fields(command.memo) ? (command.memo ?? {}) : run.memo;
  const indexed = command.searchAttributes?.indexedFields ?? {};
  const searchAttributes = fields(indexed) ? indexed : run.searchAttributes;
  const next = server.newRun({
    workflowId: start.workflowId,
    type,
    taskQueue,
    input: command.arguments ?? [],
    headers: command.headers ?? {},
    memo,
    searchAttributes,
    ...(start.parent && { parent: start.parent }),
    continues: { runId: run.runId, firstRunId: run.firstRunId },
  });
  run.add('workflowExecutionContinuedAsNew', {
    newExecutionRunId: next.runId,
    workflowType: { name: type },
    taskQueue: { name: taskQueue, kind: NORMAL_QUEUE },
    input: { payloads: command.arguments ?? [] },
    memo: { fields: memo },
    workflowTaskCompletedEventId: task,
  });
  run.close('CONTINUED_AS_NEW');
  endChildren(run);
}
