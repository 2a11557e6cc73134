import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defaultPayloadConverter } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import type { Announcement } from '../../contracts/announcement.js';
import { run, type RunningWorker } from './running-worker.js';
import type { watches } from './watcher-workflows.js';
import type { World } from './world.js';

const LOOKS = 2_000;
const QUEUE = 'watchers';

let bundled: Promise<{ code: string }> | undefined;

function watcherBundle(): Promise<{ code: string }> {
  bundled ??= bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./watcher-workflows.ts', import.meta.url)),
    logger: new DefaultLogger('ERROR'),
  });
  return bundled;
}

/** A worker of workflows that observe intents. */
export async function startWatchers(world: World): Promise<RunningWorker> {
  const { observeIntents } = world.activities;
  const worker = await Worker.create({
    connection: world.env.nativeConnection,
    taskQueue: QUEUE,
    workflowBundle: await watcherBundle(),
    activities: { observeIntents },
    maxCachedWorkflows: 0,
    shutdownGraceTime: '1s',
    shutdownForceTime: '5s',
  });
  return run(worker);
}

/** Starts a workflow that observes these intents. */
export function watch(world: World, intentIds: readonly string[]): Promise<WorkflowHandle> {
  return world.client.start<typeof watches>('watches', {
    workflowId: `watcher-${randomUUID()}`,
    taskQueue: QUEUE,
    args: [intentIds],
  });
}

/** An observer that only lets Signals come in, for no worker polls its task queue. */
export async function stillObserver(world: World): Promise<WorkflowHandle> {
  const workflowId = `still-${randomUUID()}`;
  return world.client.start('still', { workflowId, taskQueue: workflowId });
}

/** The announcements in the history of an observer's run, in the order in which they came. */
export async function announcedTo(observer: WorkflowHandle): Promise<readonly Announcement[]> {
  const { events } = await observer.fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal?.signalName === 'announcement'
      ? [defaultPayloadConverter.fromPayload<Announcement>(signal.input?.payloads?.[0] ?? {})]
      : [],
  );
}

/** The newest announcement to an observer, once it is one that is looked for. */
export async function announced(
  observer: WorkflowHandle,
  wanted: (newest: Announcement) => boolean,
): Promise<readonly Announcement[]> {
  for (let look = 0; look < LOOKS; look += 1) {
    const all = await announcedTo(observer);
    const newest = all.at(-1);
    if (newest && wanted(newest)) return all;
  }
  return assert.fail('it is not announced');
}
