import {
  ASKED_CHANNELS,
  type ChannelCheck,
  type ChannelReport,
  type ChannelReports,
} from '../../../contracts/channel/follow-up.js';
import {
  MOST_NAMED,
  MOST_OVERRUNS,
  type RunSetAside,
  type RunsSetAside,
} from '../../../contracts/log/set-aside.js';
import { channelChecks, newestTries } from '../../../store/queries/work/deliveries.js';
import {
  forgetSetAside,
  notedSetAside,
  type NotedRun,
} from '../../../store/queries/work/quarantine.js';
import { callTemporal, outcomeOf } from '../../parts/calls/call.js';
import { READ_MS, limitOf } from '../../parts/calls/deadline.js';
import { useCase, type Call } from '../usecase.js';
import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../../../contracts/constants/names.js';
import {
  MOST_UNATTENDED,
  type UnattendedQueue,
  type UnattendedQueues,
} from '../../../contracts/server/unattended.js';
import { FRESH_POLL_MS, lastPoll, versionOfPoller } from '../../../temporal-config/pollers.js';
import { readUnavailable } from '../../parts/refusals.js';

/** How many of the noted runs are looked up in Temporal: the newest. */
const LOOKED_UP = 50;

const NEVER_ASKED: ChannelCheck = { state: 'unknown', at: null, outcome: null, reason: null };

/**
 * Lists how the channels of the configuration work, by their newest tries and by the replies to the checks of
 * workers.
 */
export const listChannels = useCase({
  name: 'listChannels',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run({ parts: { config, whole, unknownApprovers } }: Call): Promise<ChannelReports> {
    const checks = await whole.fromStore(channelChecks);
    const channels: ChannelReport[] = [];
    for (const [name, { type }] of Object.entries(config.notifications.channels)) {
      const check = ASKED_CHANNELS.includes(type) ? (checks.get(name) ?? NEVER_ASKED) : null;
      channels.push({ name, type, ...(await whole.fromStore(newestTries, name)), check });
    }
    const unknown_approvers = unknownApprovers();
    return { channels, ...(unknown_approvers.length > 0 && { unknown_approvers }) };
  },
});

/**
 * Lists the runs of workflows that workers have set aside, of all spaces. It forgets those that Temporal says have
 * gone on: a worker notes a run again with each of its tasks.
 */
export const listSetAside = useCase({
  name: 'listSetAside',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run(call: Call): Promise<RunsSetAside> {
    const { fromStore } = call.parts.whole;
    const noted = await fromStore(notedSetAside, LOOKED_UP);
    const found = await Promise.all(noted.map((run) => lookUp(call, run)));
    const over = noted.filter((_run, at) => found[at] === undefined);
    await fromStore(
      forgetSetAside,
      over.map(({ run_id }) => run_id),
    );
    const stuck = found.filter((run) => run !== undefined);
    const more = stuck.length > MOST_NAMED || noted.length === LOOKED_UP;
    return { workflows: stuck.slice(0, MOST_NAMED), more };
  },
});

/**
 * Returns the run as it is now; undefined if it has ended, or a newer task of it was done. Without an answer, returns
 * the note.
 */
async function lookUp({ parts }: Call, noted: NotedRun): Promise<RunSetAside | undefined> {
  const { client, clock } = parts;
  const handle = client.workflow.getHandle(noted.workflow_id, noted.run_id);
  const rpc = () => handle.describe();
  const ms = limitOf(clock, 'servers', READ_MS);
  const outcome = await outcomeOf(callTemporal(client, clock, { ms, rpc }));
  if (outcome.kind === 'gone') return undefined;
  if (outcome.kind === 'no_answer') return { ...noted, tries: null };
  const { status, raw } = outcome.value;
  const tries = raw.pendingWorkflowTask?.attempt ?? 0;
  const isStuck = status.name === 'RUNNING' && tries >= MOST_OVERRUNS;
  return isStuck ? { ...noted, tries } : undefined;
}

/** How many questions and approvals are examined: open ones first, then the newest. */
const LOOKED_AT = 500;
/** How many workflows are looked up in one call. */
const AT_ONCE = 50;
/** How many task queues are asked for their workers. */
const MOST_QUEUES = 50;

/**
 * The question of an agent's workflow is a child of that workflow. Temporal keeps this as long as the question, so a
 * workflow that nobody runs is found after the answer too.
 */
const ASKED_BY_WORKFLOWS =
  '(WorkflowType = "suspension" OR WorkflowType = "approval") AND ParentWorkflowId IS NOT NULL AND HoldpointIntentId IS NULL';

type Service = Client['connection']['workflowService'];
type Listed = Awaited<ReturnType<Service['listWorkflowExecutions']>>['executions'][number];

interface Waiting {
  readonly task_queue: string;
  readonly version: string | null;
  readonly ids: string[];
}

/**
 * Lists the task queues, in all spaces, on which workflows of agents wait for a missing worker: they asked something,
 * and nobody will go on with the answer.
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

/** Returns the filter for the open ones of some workflows, without Holdpoint's own, whose workers `/ready` checks. */
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

/** Returns the only version of workers that may run a workflow; null where any may. */
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

/** Returns the group, if none of the workers that may run it has polled lately. */
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

/** Returns the version of a polling worker in the form of the list of workflows. */
function versionIn(poller: Parameters<typeof versionOfPoller>[0]): string | undefined {
  const version = versionOfPoller(poller);
  return version && `${version.deploymentName}:${version.buildId}`;
}
