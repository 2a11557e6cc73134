import { ScheduleOverlapPolicy, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { once } from 'node:events';
import type { ActivityDependencies } from '../activities/dependencies.js';
import type { FollowUpLog } from '../activities/ports/follow-up-log.js';
import type { PushWork } from '../activities/ports/push-work.js';
import type { Reconciliation } from '../activities/ports/reconciliation.js';
import { isAnythingUnwritten } from '../activities/unwritten.js';
import { RECONCILIATION, TASK_QUEUE, UPKEEP } from '../contracts/constants/names.js';
import { takeLook } from '../store/queries/looks.js';
import type { Store } from '../store/schema.js';
import type { UpkeepInput } from '../workflows/upkeep/messages.js';
import { reconciliation } from './reconciliation.js';
import type { Watched } from './watch.js';

/**
 * What a worker watches: the messages and browsers that it can tell, and what nobody wrote. Each worker does, so none of it waits
 * for another worker that died.
 */
export function upkeepWatches(
  { channels, followUps, pushes, sendPush }: WatchDependencies,
  db: Store,
  client: Pick<Client, 'workflow' | 'schedule'>,
): readonly Watched[] {
  const next: TakeLook = (work, seconds) => takeLook(db, work, seconds);
  const written = reconciliation(db, () => client);
  const watches = [
    watchUnwritten(written, client, next),
    watchSweep('what waits for questions', () => written.recountBlocks(() => undefined), next),
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

/** Takes the next look at some work for this worker; false if another one did less than so many seconds ago. */
export type TakeLook = (work: string, seconds: number) => Promise<boolean>;

/** How soon a message or a browser is told, in milliseconds. */
const DUE_MS = 1_000;
/** One worker at a time looks through everything each minute: the pause between two looks of one worker, and of all, together. */
const TURN_MS = 10_000;
const TURN_SECONDS = 50;

/** Has messages told what has become of their questions, as soon as the store has some that are due. */
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

/** Has browsers told of questions, as soon as there are some that a browser was not told of. */
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
 * Lets the reconciler run at once where the store lacks something, and not only when its schedule does. To look costs no action:
 * Temporal bills no lists. The first look, and one after a failure, do not know what was before: there the reconciler runs.
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
