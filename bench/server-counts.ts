import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseMetrics, type Counts, type MetricSample } from './server-metrics.js';

/** What the Temporal server has done since it started, by operation. */
export interface ServerCounts {
  /** Changes of workflows: one transaction each, with the events that it adds. */
  readonly writes: Counts;
  /** Changes of the list of workflows, each a transaction of its own. */
  readonly visibility: Counts;
  /** All other changes in its database: task queues that overflow, positions in its own queues. */
  readonly others: Counts;
  /** Workflow tasks and activities that workers have finished, by result. */
  readonly tasks: Counts;
  readonly activities: Counts;
  /** What Temporal Cloud bills as actions, by the types of the server's own counter. */
  readonly actions: Counts;
}

/** What `writes` counts. */
const WORKFLOW_WRITES = [
  'CreateWorkflowExecution',
  'UpdateWorkflowExecution',
  'ConflictResolveWorkflowExecution',
  'SetWorkflowExecution',
];
/** Of the rest, what reads. */
const READS = /^(?:Get(?!OrCreate)|List|Count|Describe|Read|Scan|Assert)/;
const TASKS = ['RespondWorkflowTaskCompleted', 'RespondWorkflowTaskFailed'];
const ACTIVITIES = ['RespondActivityTaskCompleted', 'RespondActivityTaskFailed'];

/** Sorts the server's counters for the workflows in `namespace`. Visibility is not counted by namespace. */
export function countsOf(samples: readonly MetricSample[], namespace = 'default'): ServerCounts {
  const persistence = byOperation(samples, 'persistence_requests');
  const ours = byOperation(samples, 'persistence_requests', { namespace });
  const frontend = { namespace, service_name: 'frontend' };
  const services = byOperation(samples, 'service_requests', frontend);
  return {
    writes: only(ours, (name) => WORKFLOW_WRITES.includes(name)),
    visibility: only(byOperation(samples, 'visibility_persistence_requests'), isWrite),
    others: only(persistence, (name) => isWrite(name) && !WORKFLOW_WRITES.includes(name)),
    tasks: only(services, (name) => TASKS.includes(name)),
    activities: only(services, (name) => ACTIVITIES.includes(name)),
    actions: sums(samples, 'action', 'action_type', { namespace }),
  };
}

function isWrite(operation: string): boolean {
  return !READS.test(operation);
}

function byOperation(
  samples: readonly MetricSample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Counts {
  return sums(samples, name, 'operation', labels);
}

/** Adds up the samples of a metric that have these labels, for each value of the label `by`. */
function sums(
  samples: readonly MetricSample[],
  name: string,
  by: string,
  labels: Readonly<Record<string, string>>,
): Counts {
  const found: Record<string, number> = {};
  for (const sample of samples) {
    const group = sample.labels[by];
    const fits = Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
    if (sample.name !== name || group === undefined || !fits) continue;
    found[group] = (found[group] ?? 0) + sample.value;
  }
  return found;
}

function only(counts: Counts, wanted: (name: string) => boolean): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([name]) => wanted(name)));
}

/** The server publishes its counters about once a second: unchanged for longer, they are complete. */
const PUBLISHED_MS = 2_200;
const LOOK_MS = 200;

/** The server's counters, once it has published all that it has done so far. */
export async function readServerCounts(metricsUrl: string): Promise<ServerCounts> {
  let counts = await countsNow(metricsUrl);
  for (let since = performance.now(); performance.now() - since < PUBLISHED_MS;) {
    await pause(LOOK_MS);
    const latest = await countsNow(metricsUrl);
    if (!isDeepStrictEqual(essential(latest), essential(counts))) since = performance.now();
    counts = latest;
  }
  return counts;
}

/** A server's own upkeep never rests, and neither do heartbeats, which are actions. */
function essential({ writes, visibility, tasks, activities }: ServerCounts): object {
  return { writes, visibility, tasks, activities };
}

async function countsNow(metricsUrl: string): Promise<ServerCounts> {
  const reply = await fetch(metricsUrl);
  if (!reply.ok) throw new Error(`the server's metrics: ${reply.status}`);
  return countsOf(parseMetrics(await reply.text()));
}
