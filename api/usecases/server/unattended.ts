import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../../../contracts/constants/names.js';
import { MOST_UNATTENDED } from '../../../contracts/server/unattended.js';
import type { UnattendedQueue, UnattendedQueues } from '../../../contracts/server/unattended.js';
import { FRESH_POLL_MS, lastPoll, versionOfPoller } from '../../../temporal-config/pollers.js';
import { callTemporal, outcomeOf } from '../../parts/calls/call.js';
import { READ_MS, limitOf } from '../../parts/calls/deadline.js';
import { readUnavailable } from '../../parts/refusals.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** So many questions and approvals are looked at: those that are open come first, then the newest. */
const LOOKED_AT = 500;
/** So many workflows are looked up in one call. */
const AT_ONCE = 50;
/** So many task queues are asked for their workers. */
const MOST_QUEUES = 50;

/**
 * What an agent's workflow asks is a child of this workflow. Temporal keeps that for as long as it keeps the question, so a
 * workflow that nobody runs is found after the answer too.
 */
const ASKED_BY_WORKFLOWS =
  '(WorkflowType = "suspension" OR WorkflowType = "approval") AND ParentWorkflowId IS NOT NULL AND HoldpointIntentId IS NULL';

type Service = Client['connection']['workflowService'];
type Listed = Awaited<ReturnType<Service['listWorkflowExecutions']>>['executions'][number];

/** Workflows that wait for the same workers. */
interface Waiting {
  readonly task_queue: string;
  readonly version: string | null;
  readonly ids: string[];
}

/**
 * The task queues on which workflows of agents wait for a worker that is not there, in all spaces: they asked something, and nobody
 * will go on with the answer.
 */
export const listUnattended = useCase({
  name: 'listUnattended',
  resource: 'server',
  refusals: ['workflow_unavailable'],
  async run(call: Call): Promise<UnattendedQueues> {
    const asked = await listOf(call, ASKED_BY_WORKFLOWS, LOOKED_AT);
    const ids = [...new Set(asked.map(({ parentExecution }) => parentExecution?.workflowId ?? ''))];
    const pages = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, page) =>
      ids.slice(page * AT_ONCE, (page + 1) * AT_ONCE),
    );
    const running = await Promise.all(pages.map((page) => listOf(call, runningOf(page), AT_ONCE)));
    const waiting = byWorkers(running.flat());
    const looked = waiting.slice(0, MOST_QUEUES);
    const found = await Promise.all(looked.map((group) => unattended(call, group)));
    const queues = found.filter((queue) => queue !== undefined);
    return {
      queues: queues.slice(0, MOST_UNATTENDED.queues),
      more:
        asked.length === LOOKED_AT ||
        waiting.length > MOST_QUEUES ||
        queues.length > MOST_UNATTENDED.queues,
    };
  },
});

/** The filter for those of some workflows that are open, without Holdpoint's own, whose workers `/ready` looks for. */
function runningOf(ids: readonly string[]): string {
  const named = ids.map((id) => JSON.stringify(id)).join(', ');
  return `ExecutionStatus = "Running" AND TaskQueue != "${TASK_QUEUE}" AND WorkflowId IN (${named})`;
}

/** Throws `workflow_unavailable` if Temporal does not answer in time. */
async function ask<T>({ parts: { client, clock } }: Call, rpc: () => Promise<T>): Promise<T> {
  const ms = limitOf(clock, 'servers', READ_MS);
  const outcome = await outcomeOf(callTemporal(client, clock, { ms, rpc }));
  if (outcome.kind !== 'done') throw readUnavailable();
  return outcome.value;
}

async function listOf(call: Call, query: string, pageSize: number): Promise<readonly Listed[]> {
  const { connection, options } = call.parts.client;
  const { namespace } = options;
  const { executions } = await ask(call, () =>
    connection.workflowService.listWorkflowExecutions({ namespace, query, pageSize }),
  );
  return executions;
}

function byWorkers(running: readonly Listed[]): readonly Waiting[] {
  const groups = new Map<string, Waiting>();
  for (const one of running) {
    const task_queue = one.taskQueue ?? '';
    const version = pinnedTo(one);
    const key = JSON.stringify([task_queue, version]);
    const group = groups.get(key) ?? { task_queue, version, ids: [] };
    group.ids.push(one.execution?.workflowId ?? '');
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The version of workers that alone may run a workflow; null where any may. */
function pinnedTo({ searchAttributes }: Listed): string | null {
  const { indexedFields } = searchAttributes ?? {};
  const text = (name: string): unknown => {
    const data = indexedFields?.[name]?.data;
    return data ? JSON.parse(new TextDecoder().decode(data)) : undefined;
  };
  const version = text('TemporalWorkerDeploymentVersion');
  const isPinned = text('TemporalWorkflowVersioningBehavior') === 'Pinned';
  return isPinned && typeof version === 'string' ? version : null;
}

/** The group, if none of the workers that may run it has polled lately. */
async function unattended(
  call: Call,
  { task_queue, version, ids }: Waiting,
): Promise<UnattendedQueue | undefined> {
  const { client, clock } = call.parts;
  const { pollers } = await ask(call, () =>
    client.connection.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: task_queue },
    }),
  );
  const able = pollers.filter((poller) => version === null || versionIn(poller) === version);
  const last = Math.max(0, ...able.map(lastPoll));
  if (last > clock.now() - FRESH_POLL_MS) return undefined;
  return {
    task_queue,
    version,
    workflows: ids.length,
    examples: ids.slice(0, MOST_UNATTENDED.examples),
    last_poll: last === 0 ? null : new Date(last).toISOString(),
  };
}

/** The version of a polling worker, as the list of workflows has it. */
function versionIn(poller: Parameters<typeof versionOfPoller>[0]): string | undefined {
  const version = versionOfPoller(poller);
  return version && `${version.deploymentName}:${version.buildId}`;
}
