import {
  ApplicationFailure,
  type ActivateInput,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';

type Activation = ActivateInput['activation'];
type Job = NonNullable<Activation['jobs']>[number];

/** The id with which the SDK delivers a Query without a workflow task. */
const QUERY_ALONE = 'legacy_query';

/**
 * Prevents Queries from advancing a workflow (docs/adr/0030). If a Query reaches a worker before the task with the
 * latest events, the SDK applies them to answer it, at the time of the task before. A replay applies them in their
 * own task, so times and the order of events would differ from what was stored. Such a Query is refused, and the
 * worker evicts the workflow, so that the coming task finds it as a replay does.
 */
class QueryGuard {
  private time: string | undefined;
  /** Whether this copy of the workflow has seen events that no task has brought. */
  private ahead = false;

  take({ timestamp, isReplaying, jobs }: Activation): void {
    const all = jobs ?? [];
    if (all.some(({ queryWorkflow }) => queryWorkflow?.queryId === QUERY_ALONE)) {
      if (this.ahead) throw behind();
      return;
    }
    if (all.some(({ queryWorkflow }) => queryWorkflow)) return;
    const time = instantOf(timestamp);
    const start = all.find(({ initializeWorkflow }) => initializeWorkflow)?.initializeWorkflow;
    const before = start ? instantOf(start.startTime) : this.time;
    if (time !== before) this.ahead = false;
    else if (!isReplaying && all.some(comesFromServer)) this.ahead = true;
    this.time = time;
  }
}

/** Whether only an event can cause this job; the SDK resolves other things itself, at the time of the current task. */
function comesFromServer({ resolveActivity: activity, ...job }: Job): boolean {
  if (activity && !activity.isLocal) return !activity.result?.cancelled;
  const { fireTimer, signalWorkflow, cancelWorkflow, initializeWorkflow } = job;
  const { resolveChildWorkflowExecution, resolveChildWorkflowExecutionStart } = job;
  return [
    fireTimer,
    signalWorkflow,
    cancelWorkflow,
    initializeWorkflow,
    job.resolveSignalExternalWorkflow,
    resolveChildWorkflowExecution,
    resolveChildWorkflowExecutionStart,
  ].some((one) => one !== null && one !== undefined);
}

function instantOf(stamp: Activation['timestamp']): string {
  return `${String(stamp?.seconds ?? 0)}.${stamp?.nanos ?? 0}`;
}

function behind(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'query_before_task',
    message: 'Something has happened that the workflow has not taken in yet. Ask again.',
    nonRetryable: true,
  });
}

/** Called for each copy of a workflow in a worker. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const guard = new QueryGuard();
  return {
    internals: [
      {
        activate(input, next) {
          guard.take(input.activation);
          next(input);
        },
      },
    ],
  };
};
