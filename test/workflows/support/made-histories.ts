import type { WorkflowClient, WorkflowClientInterceptor } from '@temporalio/client';
import assert from 'node:assert/strict';
import type { WorkflowCode } from '../../support/temporal-test-server.js';
import { kindsOf, replayAll, type NamedHistory } from './histories.js';
import type { History } from './replayed-inputs.js';

/** One run of a workflow. */
export interface RunRef {
  readonly workflowId: string;
  readonly runId: string;
}

/** Has a list of the runs that a client starts. */
export function notingStarts(started: RunRef[]): WorkflowClientInterceptor {
  return {
    async startWithDetails(input, next) {
      const output = await next(input);
      started.push({ workflowId: input.options.workflowId, runId: output.runId });
      return output;
    },
    async signalWithStart(input, next) {
      const runId = await next(input);
      started.push({ workflowId: input.options.workflowId, runId });
      return runId;
    },
    async startUpdateWithStart(input, next) {
      const output = await next(input);
      const { workflowId, runId } = output.workflowExecution;
      if (workflowId && runId) started.push({ workflowId, runId });
      return output;
    },
  };
}

/** A history, and the task queue of its run. */
export interface MadeHistory extends NamedHistory {
  readonly taskQueue: string;
}

/** The histories of these runs, of their children, and of the runs that followed them. */
export async function historiesFrom(
  client: WorkflowClient,
  started: readonly RunRef[],
): Promise<readonly MadeHistory[]> {
  const found = new Map<string, MadeHistory>();
  const left = [...started];
  for (let run = left.pop(); run; run = left.pop()) {
    const { workflowId, runId } = run;
    if (found.has(runId)) continue;
    const history = await client.getHandle(workflowId, runId).fetchHistory();
    const start = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    const taskQueue = start?.taskQueue?.name ?? '';
    found.set(runId, { name: runId, workflowId, history, taskQueue });
    left.push(...followersOf(workflowId, history));
  }
  return [...found.values()];
}

function followersOf(workflowId: string, { events }: History): readonly RunRef[] {
  return (events ?? []).flatMap((event) => {
    const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
    if (child?.workflowId && child.runId)
      return [{ workflowId: child.workflowId, runId: child.runId }];
    const next =
      event.workflowExecutionContinuedAsNewEventAttributes ??
      event.workflowExecutionCompletedEventAttributes;
    return next?.newExecutionRunId ? [{ workflowId, runId: next.newExecutionRunId }] : [];
  });
}

/** Fails unless what these runs did would be done again, to the letter, by the code that works on their task queues. */
export async function assertAllReplay(
  made: readonly MadeHistory[],
  codes: ReadonlyMap<string, WorkflowCode>,
): Promise<void> {
  const failed: ReplayFailure[] = [];
  const strays = made.filter(({ taskQueue }) => !codes.has(taskQueue)).filter(hasBegun);
  assert.deepEqual(
    strays.map(({ workflowId }) => workflowId),
    [],
    'nobody knows with which code to replay these',
  );
  for (const [queue, { replayed }] of codes) {
    const histories = made.filter(({ taskQueue }) => taskQueue === queue);
    if (histories.length === 0) continue;
    const failures = await replayAll(histories, replayed);
    for (const one of histories) {
      const failure = failures.get(one.name);
      if (failure) failed.push(new ReplayFailure(one, failure));
    }
  }
  if (failed.length > 0)
    throw new AggregateError(
      failed,
      `${failed.length} runs of ${made.length} do not replay: ${String(failed[0])}`,
    );
}

function hasBegun({ history }: MadeHistory): boolean {
  return kindsOf(history).includes('workflowTaskCompleted');
}

/** A run whose code does not do the same again. */
class ReplayFailure extends Error {
  constructor({ workflowId, history }: NamedHistory, cause: Error) {
    const events = kindsOf(history).map((kind, index) => `${index + 1} ${kind}`);
    super(`${workflowId}: ${cause.message}\nIts history: ${events.join(', ')}`, { cause });
  }
}
