import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import Long from 'long';
import { randomUUID } from 'node:crypto';
import { serverError } from './failures.js';
import type { Run } from './run.js';

const { WorkflowActivation } = proto.coresdk.workflow_activation;
const { WorkflowActivationCompletion } = proto.coresdk.workflow_completion;

type Query = proto.temporal.api.query.v1.IWorkflowQuery;

/** Asks the code of a run; rejects as Temporal does where it does not answer. */
export async function queryRun(
  run: Run,
  query: Query,
): Promise<{ queryResult: proto.temporal.api.common.v1.IPayloads }> {
  if (run.heard.length === 0)
    throw serverError('invalidArgument', 'no worker has run a task of the workflow yet');
  if (!run.server.hasWorkerFor(run))
    throw serverError('failedPrecondition', 'no poller seen for task queue recently');
  const { workflow } = await run.load();
  const completion = await workflow.activate(activationFor(run, query));
  const { successful, failed } = WorkflowActivationCompletion.decode(
    WorkflowActivationCompletion.encode(completion).finish(),
  );
  const answer = successful?.commands?.find(({ respondToQuery }) => respondToQuery)?.respondToQuery;
  const failure = failed?.failure ?? answer?.failed;
  if (failure || !answer) throw serverError('invalidArgument', failure?.message ?? 'no answer');
  const { response } = answer.succeeded ?? {};
  return { queryResult: { payloads: response ? [response] : [] } };
}

function activationFor(run: Run, { queryType, queryArgs, header }: Query) {
  const queryWorkflow = {
    queryId: randomUUID(),
    queryType: queryType ?? '',
    arguments: queryArgs?.payloads ?? [],
    headers: header?.fields ?? {},
  };
  return WorkflowActivation.fromObject({
    runId: run.runId,
    timestamp: msToTs(run.server.clock.now),
    isReplaying: true,
    historyLength: run.history.length,
    historySizeBytes: Long.ZERO,
    jobs: [{ queryWorkflow }],
  });
}
