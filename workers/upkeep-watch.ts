import { setTimeout as sleep } from 'node:timers/promises';
import { failureOf } from '../store/failures.js';
import type { Log } from './log.js';
import {
  ScheduleOverlapPolicy,
  WorkflowExecutionAlreadyStartedError,
  type Client,
} from '@temporalio/client';
import { once } from 'node:events';
import type { ActivityDependencies } from '../activities/dependencies.js';
import type { FollowUpLog, PushWork } from '../activities/ports/upkeep.js';
import type { Reconciliation } from '../activities/ports/reconciliation.js';
import { isAnythingUnwritten } from '../activities/unwritten.js';
import { RECONCILIATION, TASK_QUEUE, UPKEEP } from '../contracts/constants/names.js';
import { takeLook } from '../store/queries/suspension.js';
import type { Store } from '../store/schema.js';
import type { UpkeepInput } from '../workflows/upkeep/messages.js';
import { reconciliation } from './reconciliation.js';

/** Work that a worker looks for outside of Temporal, so that nothing is billed while there is none. */
interface Watched {
  /** The subject of the log line about a failed check. */
  readonly what: string;
  /** The pause between two checks, in milliseconds. */
  readonly everyMs: number;
  /** Checks, and resolves once the work that it found is done, or `signal` aborts. */
  readonly look: (signal: AbortSignal) => Promise<void>;
}

export interface WatchSurroundings {
  readonly log: Log;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  /** The first check waits for it: for the schedule that a watch starts. */
  readonly after?: Promise<void>;
  /** Waits so many milliseconds, or rejects once the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The shortest pause after a failed check, in milliseconds. */
const AFTER_FAILURE_MS = 10_000;

/**
 * Checks repeatedly until the worker stops. Logs the first failure of several in a row, and never rejects: a store or
 * a Temporal that is away is tried again.
 */
export async function keepWatch(
  { what, everyMs, look }: Watched,
  { log, signal, after, wait = pause }: WatchSurroundings,
): Promise<void> {
  await after;
  let hasFailed = false;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    try {
      await look(signal);
      hasFailed = false;
    } catch (error) {
      // An interruption by the end of the worker is no failure.
      if (isOver()) return;
      if (!hasFailed) log.warn({ what, ...failureOf(error) }, 'watch_failed');
      hasFailed = true;
    }
    try {
      await wait(hasFailed ? Math.max(everyMs, AFTER_FAILURE_MS) : everyMs, signal);
    } catch {
      // Only a stop ends the pause early.
      return;
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false });
}

/**
 * Returns the watches of a worker: due messages and pushes, and rows that nobody wrote. Each worker has all of them,
 * so none of this waits for a worker that died.
 */
export function upkeepWatches(
  { channels, followUps, pushes, sendPush }: WatchDependencies,
  db: Store,
  client: Pick<Client, 'workflow' | 'schedule'>,
): readonly Watched[] {
  const next: TakeLook = (work, seconds) => takeLook(db, work, seconds);
  const watches = [
    watchUnwritten(
      reconciliation(db, () => client),
      client,
      next,
    ),
  ];
  if ([...channels.values()].some((channel) => channel.update !== undefined)) {
    watches.push(
      watchFollowUps(followUps, client),
      watchSweep('messages that crossed with a change', followUps.sweep, next),
    );
  }
  if (sendPush) {
    watches.push(
      watchPushes(pushes, client),
      watchSweep('snoozes and sessions', pushes.sweep, next),
    );
  }
  return watches;
}

type WatchDependencies = Pick<
  ActivityDependencies,
  'channels' | 'followUps' | 'pushes' | 'sendPush'
>;

/**
 * Reserves the next run of some work for this worker; false if another one reserved one less than so many seconds
 * ago.
 */
export type TakeLook = (work: string, seconds: number) => Promise<boolean>;

/** The pause between two checks for due messages or pushes, in milliseconds. */
const DUE_MS = 1_000;
/**
 * One worker at a time checks everything each minute: the pause between two checks of one worker (ms), and of all
 * together (s).
 */
const TURN_MS = 10_000;
const TURN_SECONDS = 50;

/** Updates messages whose questions changed or ended, as soon as the store has due ones. */
export function watchFollowUps(
  followUps: Pick<FollowUpLog, 'due'>,
  client: Pick<Client, 'workflow'>,
): Watched {
  return {
    what: 'messages of questions that have ended or changed',
    everyMs: DUE_MS,
    async look(signal) {
      const range = { at: new Date().toISOString(), limit: 1, except: [] };
      if ((await followUps.due(range)).length === 0) return;
      await upkeep(client, UPKEEP.followUps, { work: 'follow_ups' }, signal);
    },
  };
}

/** Sends pushes about questions, as soon as the store has due ones. */
export function watchPushes(
  pushes: Pick<PushWork, 'due' | 'fanOut'>,
  client: Pick<Client, 'workflow'>,
): Watched {
  return {
    what: 'questions of which browsers are told',
    everyMs: DUE_MS,
    async look(signal) {
      while (await pushes.fanOut()) signal.throwIfAborted();
      if ((await pushes.due({ limit: 1, except: [] })).length === 0) return;
      await upkeep(client, UPKEEP.pushes, { work: 'pushes' }, signal);
    },
  };
}

/** Makes due, each minute, what no change in the store makes due. */
export function watchSweep(work: string, sweep: () => Promise<void>, takeLook: TakeLook): Watched {
  return {
    what: work,
    everyMs: TURN_MS,
    async look() {
      if (await takeLook(work, TURN_SECONDS)) await sweep();
    },
  };
}

/**
 * Starts the reconciler at once when the store lacks something, and not only by its schedule. A check costs nothing,
 * because Temporal bills no lists. At the first check, and after a failure, nothing is known of the time before, so
 * the reconciler runs.
 */
export function watchUnwritten(
  reconciliation: Reconciliation,
  client: Pick<Client, 'schedule'>,
  takeLook: TakeLook,
  now = (): Date => new Date(),
): Watched {
  let hasGap = true;
  return {
    what: 'what nobody wrote',
    everyMs: TURN_MS,
    async look() {
      if (!(await takeLook('unwritten', TURN_SECONDS))) return;
      const hadGap = hasGap;
      hasGap = true;
      if (hadGap || (await isAnythingUnwritten(reconciliation, now()))) {
        const schedule = client.schedule.getHandle(RECONCILIATION.schedule);
        await schedule.trigger(ScheduleOverlapPolicy.SKIP);
      }
      hasGap = false;
    },
  };
}

/** Starts a workflow unless it runs, and waits until it has ended. All workers may do so at once. */
async function upkeep(
  { workflow }: Pick<Client, 'workflow'>,
  workflowId: string,
  input: UpkeepInput,
  signal: AbortSignal,
): Promise<void> {
  try {
    await workflow.start(UPKEEP.type, { workflowId, taskQueue: TASK_QUEUE, args: [input] });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  signal.throwIfAborted();
  const waited = new AbortController();
  const stopped = once(signal, 'abort', { signal: waited.signal });
  try {
    await Promise.race([workflow.getHandle(workflowId).result(), stopped]);
  } finally {
    waited.abort();
  }
}
