import { WorkflowNotFoundError, type Client, type WorkflowExecutionInfo } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';

/** An open workflow of the sample. */
export type Sampled = Pick<WorkflowExecutionInfo, 'workflowId' | 'runId'>;

/** The results of the open workflows of one type. */
export interface Checked {
  readonly type: string;
  readonly replayed: number;
  readonly failures: readonly { readonly workflowId: string; readonly reason: string }[];
}

/** Returns the newest workflows of a type that began before an instant (ms), newest first. */
type Listing = (before: number) => Promise<readonly Sampled[]>;

/** How far back the search for the oldest workflow begins. Older ones are found too, while a younger one is open. */
const MOST_AGE_MS = 10 * 365 * 24 * 3_600_000;
/** How many halvings reduce ten years to about a millisecond. */
const HALVINGS = 38;

/**
 * Replays open workflows of one type against other code, and changes nothing.
 *
 * @param most - how many are replayed at most: half of them the newest, half the oldest
 * @param options - the code, and how payloads are decoded
 */
export async function checkType(
  client: Pick<Client, 'workflow'>,
  type: string,
  most: number,
  options: ReplayWorkerOptions,
): Promise<Checked> {
  const half = Math.ceil(most / 2);
  const list: Listing = (before) => openBefore(client, type, before, half);
  const newest = await list(Date.now());
  const oldest = newest.length < half ? [] : await oldestOf(list, half);
  const sample = new Map([...newest, ...oldest].map((one) => [one.workflowId, one]));
  const failures: { workflowId: string; reason: string }[] = [];
  let replayed = 0;
  const histories = historiesOf(client, [...sample.values()].slice(0, most));
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
    replayed += 1;
    if (error) failures.push({ workflowId, reason: reasonIn(error.message) });
  }
  return { type, replayed, failures };
}

/** Returns the failure in the text that the SDK's core prints of its own types. */
function reasonIn(text: string): string {
  return /message: "((?:[^"\\]|\\.)+)"/.exec(text)?.[1] ?? text;
}

async function openBefore(
  { workflow }: Pick<Client, 'workflow'>,
  type: string,
  before: number,
  count: number,
): Promise<readonly Sampled[]> {
  const until = new Date(before).toISOString();
  const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Running' AND StartTime <= '${until}'`;
  const found: Sampled[] = [];
  for await (const one of workflow.list({ query, pageSize: count })) {
    found.push(one);
    if (found.length >= count) break;
  }
  return found;
}

/**
 * Finds the oldest workflows by halving: Temporal lists the newest first, and not every visibility store knows
 * another order.
 */
async function oldestOf(list: Listing, count: number): Promise<readonly Sampled[]> {
  let filled = Date.now();
  let empty = filled - MOST_AGE_MS;
  let oldest: readonly Sampled[] = [];
  for (let halved = 0; halved < HALVINGS; halved += 1) {
    const middle = (empty + filled) / 2;
    const page = await list(middle);
    if (page.length === 0) {
      empty = middle;
    } else {
      filled = middle;
      oldest = page;
      // The page is not full, so these are all of them.
      if (page.length < count) break;
    }
  }
  return oldest;
}

/** Yields their histories, one by one, without those that Temporal has removed meanwhile. */
async function* historiesOf(
  { workflow }: Pick<Client, 'workflow'>,
  sample: readonly Sampled[],
): AsyncIterable<{ workflowId: string; history: History }> {
  for (const { workflowId, runId } of sample) {
    try {
      yield { workflowId, history: await workflow.getHandle(workflowId, runId).fetchHistory() };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}
