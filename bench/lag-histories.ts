import { workflowIdOf } from '../contracts/constants/names.js';
import type { BenchStack } from './bench-stack.js';
import { rateOf } from './statistics.js';

/** How many histories are read together. */
const AT_ONCE = 8;

/** How long work waited for the worker, by the clock of Temporal's server. Milliseconds. */
export interface Waited {
  /** From the start of an intent until its first task began. */
  readonly firstTaskMs: number[];
  /** From the end of a question until its intent has taken the outcome. */
  readonly takenMs: number[];
}

interface HistoryEvent {
  readonly eventTime?: {
    readonly seconds?: { toNumber(): number } | null;
    readonly nanos?: number | null;
  } | null;
  readonly workflowExecutionStartedEventAttributes?: unknown;
  readonly workflowTaskStartedEventAttributes?: unknown;
  readonly workflowTaskCompletedEventAttributes?: unknown;
  readonly workflowExecutionCompletedEventAttributes?: unknown;
  readonly childWorkflowExecutionCompletedEventAttributes?: unknown;
}

/** Reads it from the histories of intents, each of which asked one question that was answered. */
export async function waitedFor(
  bench: BenchStack,
  asked: readonly { readonly intentId: string; readonly suspensionId: string }[],
): Promise<Waited> {
  const waited: Waited = { firstTaskMs: [], takenMs: [] };
  await rateOf(asked.length, AT_ONCE, async (index) => {
    const { intentId = '', suspensionId = '' } = asked[index] ?? {};
    const intent = await eventsOf(bench, workflowIdOf('intent', intentId));
    const question = await eventsOf(bench, workflowIdOf('suspension', suspensionId));
    const started = intent.find((event) => event.workflowExecutionStartedEventAttributes);
    const firstTask = intent.find((event) => event.workflowTaskStartedEventAttributes);
    waited.firstTaskMs.push(timeOf(firstTask) - timeOf(started));
    const ended = question.find((event) => event.workflowExecutionCompletedEventAttributes);
    const told = intent.findIndex((event) => event.childWorkflowExecutionCompletedEventAttributes);
    const taken = intent.slice(told).find((event) => event.workflowTaskCompletedEventAttributes);
    waited.takenMs.push(timeOf(taken) - timeOf(ended));
  });
  return waited;
}

async function eventsOf(bench: BenchStack, workflowId: string): Promise<readonly HistoryEvent[]> {
  const { events } = await bench.temporal.workflow.getHandle(workflowId).fetchHistory();
  return events ?? [];
}

/** Milliseconds since the epoch; not a number where there is no such event. */
function timeOf(event: HistoryEvent | undefined): number {
  const { seconds, nanos } = event?.eventTime ?? {};
  return (seconds?.toNumber() ?? NaN) * 1_000 + (nanos ?? 0) / 1_000_000;
}
