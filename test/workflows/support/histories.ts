import type { WorkflowHandle } from '@temporalio/client';
import type { ReplayWorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import assert from 'node:assert/strict';
import { replayBundle } from '../../support/temporal-test-server.js';
import { lookUntil } from '../../support/looks.js';
import { Replayer } from '../../temporal/replayer.js';
import { ReplayedCommands, differenceOf, type History } from './replayed-inputs.js';

/** The kinds of a workflow's history events in order, such as `activityTaskScheduled`. */
export async function eventKinds(handle: WorkflowHandle): Promise<string[]> {
  return kindsOf(await handle.fetchHistory());
}

/** The kinds of a history's events in order. */
export function kindsOf({ events }: History): string[] {
  return (events ?? []).map((event) => {
    const attributes = Object.keys(event).find((key) => key.endsWith('EventAttributes'));
    return (attributes ?? 'unknown').replace('EventAttributes', '');
  });
}

/** Waits until so many events of a kind have happened, and the workflow has taken them in. */
export async function settledAfter(
  handle: WorkflowHandle,
  kind: string,
  count: number,
): Promise<void> {
  let kinds: string[] = [];
  await lookUntil(
    async () => {
      kinds = await eventKinds(handle);
      const last = kinds.lastIndexOf(kind);
      const happened = kinds.filter((one) => one === kind).length === count;
      const task = kinds.lastIndexOf('workflowTaskCompleted');
      return happened && task >= last && kinds.lastIndexOf('workflowTaskScheduled') < task;
    },
    () => `not ${count} ${kind} that were taken in: ${kinds.join(', ')}`,
  );
}

/** Takes a step again and again, until a workflow is in its next run; returns how many it took. */
export async function untilNextRun(
  handle: Pick<WorkflowHandle, 'describe'>,
  step: (taken: number) => Promise<unknown>,
): Promise<number> {
  const { runId } = await handle.describe();
  let taken = 0;
  for (; (await handle.describe()).runId === runId; taken += 1) {
    assert.ok(taken < 200, 'it stays in its run');
    await step(taken);
  }
  return taken;
}

/** Waits until a workflow has nothing to do: no task is under way, and no activity but those that failed and are tried again. */
export async function atRest(handle: Pick<WorkflowHandle, 'describe'>): Promise<void> {
  await lookUntil(async () => {
    const { raw } = await handle.describe();
    const underWay = raw.pendingActivities?.filter(({ lastFailure }) => !lastFailure) ?? [];
    return !raw.pendingWorkflowTask && underWay.length === 0;
  }, 'the workflow does not come to rest');
}

/** Replays the workflow's whole history; rejects where it does not fit the code. */
export async function replay(handle: WorkflowHandle): Promise<void> {
  await replayHistory(handle.workflowId, await handle.fetchHistory());
}

/** Replays a history as it was kept or changed; rejects where it does not fit the code. */
export async function replayHistory(workflowId: string, history: History): Promise<void> {
  const name = workflowId;
  const failure = (await replayAll([{ name, workflowId, history }])).get(name);
  if (failure) throw failure;
}

/** A history to replay; several runs of a workflow have the same id. */
export interface NamedHistory {
  readonly name: string;
  readonly workflowId: string;
  readonly history: History;
}

/**
 * Replays histories; returns the error of each, by its name, or undefined where it fits the code and the code issues the
 * very content that the history has.
 *
 * @param bundle - code that tells what commands it issues; ours unless given
 */
export async function replayAll(
  histories: readonly NamedHistory[],
  bundle: () => Promise<WorkflowBundleOption> = replayBundle,
): Promise<ReadonlyMap<string, Error | undefined>> {
  const workflowBundle = await bundle();
  return inRounds(histories, () => {
    const replayed = new ReplayedCommands();
    return {
      options: { workflowBundle, sinks: replayed.sinks },
      differenceIn: ({ workflowId, history }) => differenceOf(history, replayed.of(workflowId)),
    };
  });
}

/** Replays histories with another bundle; returns the error of each, by its name, or undefined where it fits. */
export async function replayWith(
  workflowBundle: WorkflowBundleOption,
  histories: readonly NamedHistory[],
): Promise<ReadonlyMap<string, Error | undefined>> {
  return inRounds(histories, () => ({
    options: { workflowBundle },
    differenceIn: () => undefined,
  }));
}

/** How some histories are replayed, none of them of the same workflow. */
interface Round {
  readonly options: ReplayWorkerOptions;
  /** What it did that the history has not. */
  readonly differenceIn: (one: NamedHistory) => Error | undefined;
}

/** Replays several runs of a workflow one after the other, for they have the same id. */
async function inRounds(
  histories: readonly NamedHistory[],
  newRound: () => Round,
): Promise<ReadonlyMap<string, Error | undefined>> {
  const failures = new Map<string, Error | undefined>();
  let left = histories;
  while (left.length > 0) {
    const round = new Map([...left].reverse().map((one) => [one.workflowId, one]));
    const { options, differenceIn } = newRound();
    const ended = Replayer.runReplayHistories(options, [...round.values()]);
    for await (const { workflowId, error } of ended) {
      const one = round.get(workflowId) ?? assert.fail(workflowId);
      failures.set(one.name, error ?? differenceIn(one));
    }
    left = left.filter(({ name }) => !failures.has(name));
  }
  return failures;
}

interface Stamp {
  readonly seconds?: { toNumber(): number } | null;
  readonly nanos?: number | null;
}

/** Timers are whole seconds, rounded up. */
const ROUNDING = 1_000;

/**
 * The instants (ms) at which the timers of a run are due, as it armed them: the clock of the task that did
 * so, and the duration. How long a task takes, and when a timer's task is run, has no part in it.
 */
export async function timersOf(handle: Pick<WorkflowHandle, 'fetchHistory'>): Promise<number[]> {
  const { events } = await handle.fetchHistory();
  let clock = 0;
  return (events ?? []).flatMap((event) => {
    if (event.workflowTaskStartedEventAttributes) clock = msOf(event.eventTime);
    const timeout = event.timerStartedEventAttributes?.startToFireTimeout;
    return timeout ? [clock + msOf(timeout)] : [];
  });
}

/** Fails unless a run has armed a timer for each of these instants (ISO-8601). */
export async function assertArmed(
  handle: Pick<WorkflowHandle, 'fetchHistory'>,
  instants: readonly string[],
): Promise<void> {
  const armed = await timersOf(handle);
  for (const instant of instants) {
    const due = Date.parse(instant);
    const isArmed = armed.some((at) => at >= due && at < due + ROUNDING);
    assert.ok(isArmed, `no timer for ${instant} among ${armed.map(isoOf).join()}`);
  }
}

function msOf(stamp: Stamp | null | undefined): number {
  return (stamp?.seconds?.toNumber() ?? 0) * 1_000 + Math.floor((stamp?.nanos ?? 0) / 1_000_000);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
