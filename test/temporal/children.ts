import proto from '@temporalio/proto';
import type { Child, Run, Status } from './run.js';
import { NORMAL_QUEUE, executionOf } from './execution.js';
import type { Command } from './task.js';
import type { RunHistory } from './history.js';

const { ParentClosePolicy, StartChildWorkflowExecutionFailedCause } = proto.coresdk.child_workflow;
const ALREADY_THERE =
  StartChildWorkflowExecutionFailedCause.START_CHILD_WORKFLOW_EXECUTION_FAILED_CAUSE_WORKFLOW_ALREADY_EXISTS;
type Result = proto.coresdk.child_workflow.IChildWorkflowResult;
type More = Parameters<RunHistory['add']>[3];

/** Orders a child; Temporal starts it after the task. */
export function startChild(
  run: Run,
  command: NonNullable<Command['startChildWorkflowExecution']>,
  completed: number,
  more: More,
): void {
  const seq = command.seq ?? 0;
  const [workflowId, type] = [command.workflowId ?? '', command.workflowType ?? ''];
  const taskQueue = command.taskQueue || run.start.taskQueue;
  const memo = command.memo ?? {};
  const searchAttributes = command.searchAttributes?.indexedFields ?? {};
  const about = { namespace: 'default', workflowId, workflowType: { name: type } };
  const initiatedEventId = run.add(
    'startChildWorkflowExecutionInitiated',
    {
      ...about,
      taskQueue: { name: taskQueue, kind: NORMAL_QUEUE },
      input: { payloads: command.input ?? [] },
      header: { fields: command.headers ?? {} },
      memo: { fields: memo },
      searchAttributes: { indexedFields: searchAttributes },
      parentClosePolicy: command.parentClosePolicy ?? 0,
      workflowIdReusePolicy: command.workflowIdReusePolicy ?? 0,
      workflowTaskCompletedEventId: completed,
    },
    more,
  );
  const child: Child = {
    seq,
    workflowId,
    type,
    initiatedEventId,
    closePolicy: command.parentClosePolicy ?? ParentClosePolicy.PARENT_CLOSE_POLICY_UNSPECIFIED,
  };
  run.children.set(seq, child);
  run.server.orderStart(() => {
    if (!run.isOpen && child.closePolicy !== ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON) return;
    if (!run.server.isFree(workflowId, command.workflowIdReusePolicy)) {
      run.children.delete(seq);
      if (!run.isOpen) return;
      run.add('startChildWorkflowExecutionFailed', {
        ...about,
        cause: ALREADY_THERE,
        initiatedEventId,
        workflowTaskCompletedEventId: completed,
      });
      run.wake({
        resolveChildWorkflowExecutionStart: {
          seq,
          failed: { workflowId, workflowType: type, cause: ALREADY_THERE },
        },
      });
      return;
    }
    const started = run.server.newRun({
      workflowId,
      type,
      taskQueue,
      input: command.input ?? [],
      headers: command.headers ?? {},
      memo,
      searchAttributes,
      parent: { run, seq, initiatedEventId },
    });
    child.runId = started.runId;
    if (!run.isOpen) return;
    child.startedEventId = run.add('childWorkflowExecutionStarted', {
      initiatedEventId,
      namespace: 'default',
      workflowExecution: executionOf(started),
      workflowType: { name: type },
      header: { fields: command.headers ?? {} },
    });
    run.wake({ resolveChildWorkflowExecutionStart: { seq, succeeded: { runId: started.runId } } });
  });
}

type End = 'COMPLETED' | 'FAILED' | 'CANCELED' | 'TERMINATED';
const KINDS = {
  COMPLETED: 'childWorkflowExecutionCompleted',
  FAILED: 'childWorkflowExecutionFailed',
  CANCELED: 'childWorkflowExecutionCanceled',
  TERMINATED: 'childWorkflowExecutionTerminated',
} as const;

/** A run is over: its parent hears of it, and what it leaves behind is ended as it has ordered. */
export function endParentsChildren(run: Run, status: End & Status, result: Result): void {
  run.close(status);
  const { parent } = run.start;
  if (parent) run.server.order(() => tell(run, parent, status, result));
  endChildren(run);
}

/** Ends what a run leaves behind as it has ordered, also where the run continues as new. */
export function endChildren(run: Run): void {
  for (const child of run.children.values()) {
    run.server.order(() => {
      const other = child.runId === undefined ? undefined : run.server.openRun(child.workflowId);
      if (other?.firstRunId !== child.runId || !other) return;
      if (child.closePolicy === ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL)
        run.server.cancel(other);
      if (
        child.closePolicy === ParentClosePolicy.PARENT_CLOSE_POLICY_TERMINATE ||
        !child.closePolicy
      )
        run.server.terminate(other, 'by parent close policy');
    });
  }
}

function tell(
  run: Run,
  { run: parent, seq, initiatedEventId }: NonNullable<Run['start']['parent']>,
  status: End,
  result: Result,
): void {
  const child = parent.children.get(seq);
  if (!parent.isOpen || !child) return;
  parent.children.delete(seq);
  const about = {
    initiatedEventId,
    startedEventId: child.startedEventId ?? 0,
    namespace: 'default',
    workflowExecution: executionOf(run),
    workflowType: { name: run.start.type },
  };
  const payload = result.completed?.result;
  parent.add(KINDS[status], {
    ...about,
    ...(status === 'COMPLETED' && { result: { payloads: payload ? [payload] : [] } }),
    ...(status === 'FAILED' && { failure: result.failed?.failure ?? {} }),
  });
  parent.wake({ resolveChildWorkflowExecution: { seq, result: asTold(run, result) } });
}

/** How a parent is told of the end of a child: a failure names the child. */
function asTold(run: Run, { completed, failed, cancelled }: Result): Result {
  if (completed) return { completed };
  const cause = failed?.failure ?? cancelled?.failure;
  const failure = {
    message: 'Child Workflow execution failed',
    ...(cause && { cause }),
    childWorkflowExecutionFailureInfo: {
      namespace: 'default',
      workflowExecution: executionOf(run),
      workflowType: { name: run.start.type },
    },
  };
  return cancelled ? { cancelled: { failure } } : { failed: { failure } };
}
