import proto from '@temporalio/proto';
import type { From, Of } from './commands.js';
import type { Run } from './run.js';

const { SignalExternalWorkflowExecutionFailedCause, CancelExternalWorkflowExecutionFailedCause } =
  proto.temporal.api.enums.v1;
const NOT_THERE =
  SignalExternalWorkflowExecutionFailedCause.SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND;
const NOT_THERE_TO_CANCEL =
  CancelExternalWorkflowExecutionFailedCause.CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND;

/** Signals another workflow, after the task. */
export function signalExternal(
  run: Run,
  command: Of<'signalExternalWorkflowExecution'>,
  { completed }: From,
): void {
  const { seq, signalName, args, headers, workflowExecution, childWorkflowId } = command;
  const target = {
    workflowId: workflowExecution?.workflowId || childWorkflowId || '',
    runId: workflowExecution?.runId ?? '',
  };
  const eventId = run.add('signalExternalWorkflowExecutionInitiated', {
    workflowTaskCompletedEventId: completed,
    namespace: 'default',
    workflowExecution: target,
    signalName: signalName ?? '',
    input: { payloads: args ?? [] },
    header: { fields: headers ?? {} },
    childWorkflowOnly: Boolean(childWorkflowId),
  });
  run.server.order(() => {
    if (!run.isOpen) return;
    const signalled = run.server.openRun(target.workflowId, target.runId);
    const about = { initiatedEventId: eventId, namespace: 'default', workflowExecution: target };
    if (signalled) {
      signalled.signal(signalName ?? '', args ?? [], headers ?? {});
      run.add('externalWorkflowExecutionSignaled', about);
      run.wake({ resolveSignalExternalWorkflow: { seq: seq ?? 0 } });
    } else {
      run.add('signalExternalWorkflowExecutionFailed', { cause: NOT_THERE, ...about });
      const failure = {
        message: 'Unable to signal external workflow because it was not found',
        applicationFailureInfo: { type: 'ExternalWorkflowExecutionNotFound' },
      };
      run.wake({ resolveSignalExternalWorkflow: { seq: seq ?? 0, failure } });
    }
  });
}

/** Cancels a child, after the task. */
export function cancelChild(
  run: Run,
  { childWorkflowSeq }: Of<'cancelChildWorkflowExecution'>,
  { completed }: From,
): void {
  const child = run.children.get(childWorkflowSeq ?? 0);
  if (!child) return;
  cancelOther(run, { workflowId: child.workflowId, runId: child.runId ?? '' }, completed, true);
}

/** Cancels another workflow, after the task. */
export function cancelExternal(
  run: Run,
  { workflowExecution, seq }: Of<'requestCancelExternalWorkflowExecution'>,
  { completed }: From,
): void {
  const { workflowId, runId } = workflowExecution ?? {};
  const target = { workflowId: workflowId ?? '', runId: runId ?? '' };
  cancelOther(run, target, completed, false, seq ?? 0);
}

function cancelOther(
  run: Run,
  target: { workflowId: string; runId: string },
  completed: number,
  childWorkflowOnly: boolean,
  seq?: number,
): void {
  const eventId = run.add('requestCancelExternalWorkflowExecutionInitiated', {
    workflowTaskCompletedEventId: completed,
    namespace: 'default',
    workflowExecution: target,
    childWorkflowOnly,
  });
  run.server.order(() => {
    const other = run.server.openRun(target.workflowId, target.runId);
    const about = { initiatedEventId: eventId, namespace: 'default', workflowExecution: target };
    if (other) run.server.cancel(other);
    if (!run.isOpen) return;
    if (other) run.add('externalWorkflowExecutionCancelRequested', about);
    else
      run.add('requestCancelExternalWorkflowExecutionFailed', {
        cause: NOT_THERE_TO_CANCEL,
        ...about,
      });
    const failure = other
      ? {}
      : { failure: { message: 'Unable to cancel external workflow because it was not found' } };
    run.wake(
      ...(seq === undefined ? [] : [{ resolveRequestCancelExternalWorkflow: { seq, ...failure } }]),
    );
  });
}
