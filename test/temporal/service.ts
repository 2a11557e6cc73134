import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { randomUUID } from 'node:crypto';
import { serverError } from './failures.js';
import { queryRun } from './queries.js';
import type { LocalTemporal } from './local-temporal.js';
import { executionOf } from './execution.js';
import type { Run, RunStart } from './run.js';
import { Update } from './updates.js';

type Api = typeof proto.temporal.api.workflowservice.v1;
type Request<K extends string> = K extends keyof Api
  ? Api[K] extends { prototype: infer R }
    ? Partial<R>
    : never
  : never;
type Execution = proto.temporal.api.common.v1.IWorkflowExecution | null | undefined;
type Start = Request<'StartWorkflowExecutionRequest'>;
type UpdateSent = Request<'UpdateWorkflowExecutionRequest'>;

const { UpdateWorkflowExecutionLifecycleStage: STAGE, WorkflowExecutionStatus } =
  proto.temporal.api.enums.v1;
const COMPLETED = STAGE.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_COMPLETED;
const ACCEPTED = STAGE.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED;
const ADMITTED = STAGE.UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ADMITTED;
const USE_EXISTING =
  proto.temporal.api.enums.v1.WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING;
const CLOSE_EVENT =
  proto.temporal.api.enums.v1.HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;

/** The calls of Temporal's API that clients make, answered in this process. */
export function localService(server: LocalTemporal) {
  const found = (execution: Execution): Run => {
    const run = server.findRun(execution?.workflowId ?? '', execution?.runId ?? '');
    if (run) return run;
    const { workflowId, runId } = execution ?? {};
    throw serverError(
      'notFound',
      `workflow not found for ID: ${workflowId ?? ''} ${runId ?? ''}`.trim(),
    );
  };
  const open = (execution: Execution): Run => {
    const run = found(execution);
    if (run.isOpen) return run;
    throw serverError('notFound', 'workflow execution already completed');
  };

  const start = (request: Start): Run => {
    const workflowId = request.workflowId ?? '';
    const existing = server.openRun(workflowId);
    if (existing && request.workflowIdConflictPolicy === USE_EXISTING) return existing;
    if (!server.isFree(workflowId, request.workflowIdReusePolicy))
      throw serverError('alreadyExists', 'Workflow execution is already running');
    return server.newRun(startOf(request));
  };

  const admit = (request: UpdateSent): { readonly run: Run; readonly update: Update } => {
    const id = request.request?.meta?.updateId || randomUUID();
    const run = found(request.workflowExecution);
    const known = run.updates.get(id);
    if (known) return { run, update: known };
    if (!run.isOpen) throw serverError('notFound', 'workflow execution already completed');
    const update = new Update(id, request.request ?? {});
    run.admit(update);
    return { run, update };
  };

  const updated = async (
    { run, update }: { readonly run: Run; readonly update: Update },
    stage: proto.temporal.api.enums.v1.UpdateWorkflowExecutionLifecycleStage | null | undefined,
  ) => {
    if (stage === COMPLETED) await server.waitFor(update.ended);
    else if (stage) await server.waitFor(update.decided);
    return {
      updateRef: { workflowExecution: executionOf(run), updateId: update.id },
      stage: stageOf(update),
      ...(update.outcome && { outcome: update.outcome }),
    };
  };

  return {
    startWorkflowExecution: (request: Start) =>
      server.call(() => ({ runId: start(request).runId, started: true })),

    signalWorkflowExecution: (request: Request<'SignalWorkflowExecutionRequest'>) =>
      server.call(() => {
        signal(open(request.workflowExecution), request.signalName, request.input, request.header);
        return {};
      }),

    signalWithStartWorkflowExecution: (
      request: Request<'SignalWithStartWorkflowExecutionRequest'>,
    ) =>
      server.call(() => {
        const existing = server.openRun(request.workflowId ?? '');
        const run = existing ?? start(request);
        signal(run, request.signalName, request.signalInput, request.header);
        return { runId: run.runId, started: existing === undefined };
      }),

    updateWorkflowExecution: async (request: UpdateSent) =>
      updated(await server.call(() => admit(request)), request.waitPolicy?.lifecycleStage),

    executeMultiOperation: async ({ operations }: Request<'ExecuteMultiOperationRequest'>) => {
      const [{ startWorkflow } = {}, { updateWorkflow } = {}] = operations ?? [];
      const { run, admitted } = await server.call(() => {
        const begun = start((startWorkflow ?? {}) as Start);
        return { run: begun, admitted: admit((updateWorkflow ?? {}) as UpdateSent) };
      });
      const answer = await updated(admitted, updateWorkflow?.waitPolicy?.lifecycleStage);
      return { responses: [{ startWorkflow: { runId: run.runId } }, { updateWorkflow: answer }] };
    },

    pollWorkflowExecutionUpdate: async (request: Request<'PollWorkflowExecutionUpdateRequest'>) => {
      const { workflowExecution, updateId } = request.updateRef ?? {};
      const known = await server.call(() => {
        const run = found(workflowExecution);
        const update = run.updates.get(updateId ?? '');
        if (!update) throw serverError('notFound', `update ${updateId ?? ''} not found`);
        return { run, update };
      });
      return updated(known, request.waitPolicy?.lifecycleStage);
    },

    queryWorkflow: ({ execution, query }: Request<'QueryWorkflowRequest'>) =>
      server.look(() => queryRun(found(execution), query ?? {})),

    requestCancelWorkflowExecution: (request: Request<'RequestCancelWorkflowExecutionRequest'>) =>
      server.call(() => {
        server.cancel(open(request.workflowExecution));
        return {};
      }),

    terminateWorkflowExecution: (request: Request<'TerminateWorkflowExecutionRequest'>) =>
      server.call(() => {
        server.terminate(open(request.workflowExecution), request.reason ?? '');
        return {};
      }),

    getWorkflowExecutionHistory: async (request: Request<'GetWorkflowExecutionHistoryRequest'>) => {
      const run = await server.look(() => found(request.execution));
      if (request.waitNewEvent && run.isOpen) await server.waitFor(run.whenClosed);
      const { events } = run.history;
      const isClose = request.historyEventFilterType === CLOSE_EVENT;
      return { history: { events: isClose ? events.slice(-1) : [...events] } };
    },

    describeWorkflowExecution: ({ execution }: Request<'DescribeWorkflowExecutionRequest'>) =>
      server.look(() => describe(found(execution))),
  };
}

function stageOf({ outcome, acceptedEventId }: Update) {
  if (outcome) return COMPLETED;
  return acceptedEventId === undefined ? ADMITTED : ACCEPTED;
}

function signal(
  run: Run,
  signalName: string | null | undefined,
  input: proto.temporal.api.common.v1.IPayloads | null | undefined,
  header: proto.temporal.api.common.v1.IHeader | null | undefined,
): void {
  run.signal(signalName ?? '', input?.payloads ?? [], header?.fields ?? {});
}

function startOf(request: Start): RunStart {
  return {
    workflowId: request.workflowId ?? '',
    type: request.workflowType?.name ?? '',
    taskQueue: request.taskQueue?.name ?? '',
    input: request.input?.payloads ?? [],
    headers: request.header?.fields ?? {},
    memo: request.memo?.fields ?? {},
    searchAttributes: request.searchAttributes?.indexedFields ?? {},
  };
}

function describe(run: Run) {
  const { start, history, closedAt } = run;
  const { parent } = start;
  const status = `WORKFLOW_EXECUTION_STATUS_${run.status}` as keyof typeof WorkflowExecutionStatus;
  return proto.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse.fromObject({
    executionConfig: { taskQueue: { name: start.taskQueue } },
    workflowExecutionInfo: {
      execution: executionOf(run),
      type: { name: start.type },
      startTime: msToTs(run.startedAt),
      executionTime: msToTs(run.startedAt),
      ...(closedAt !== undefined && { closeTime: msToTs(closedAt) }),
      status: WorkflowExecutionStatus[status],
      historyLength: history.length,
      ...(parent && { parentExecution: executionOf(parent.run) }),
      memo: { fields: run.memo },
      searchAttributes: { indexedFields: run.searchAttributes },
      taskQueue: start.taskQueue,
      firstRunId: run.firstRunId,
    },
    pendingActivities: [...run.activities.values()].map((activity) => ({
      activityId: activity.command.activityId ?? '',
      activityType: { name: activity.command.activityType ?? '' },
      state: activity.isUnderWay ? 2 : 1,
      attempt: activity.attempt,
      ...(activity.lastFailure && { lastFailure: activity.lastFailure }),
    })),
    pendingChildren: [...run.children.values()].map(
      ({ workflowId, runId, type, initiatedEventId }) => ({
        workflowId,
        runId: runId ?? '',
        workflowTypeName: type,
        initiatedId: initiatedEventId,
      }),
    ),
    ...(run.hasTask && { pendingWorkflowTask: { state: 1 } }),
  });
}
