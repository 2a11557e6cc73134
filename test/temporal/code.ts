import { TypedSearchAttributes } from '@temporalio/common';
import type { WorkflowInfo } from '@temporalio/workflow';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker.js';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface.js';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { readFile } from 'node:fs/promises';
import { seedOf } from './seed.js';

/** Milliseconds; as in production (workers/worker.ts), and here only the end of a loop without an end. */
const MOST_MS = 60_000;

/** One for each bundle and set of activities, for it takes a good part of a second to make one. */
const creators = new Map<string, Promise<ReusableVMWorkflowCreator>>();

/** Workflow code in the sandbox of the SDK, in this thread. */
export async function loadCode(
  bundle: WorkflowBundleOption,
  activities: readonly string[],
): Promise<ReusableVMWorkflowCreator> {
  const source = 'code' in bundle ? bundle.code : bundle.codePath;
  const key = JSON.stringify([source, [...activities].sort()]);
  const made = creators.get(key) ?? create(bundle, activities);
  creators.set(key, made);
  return made;
}

async function create(
  bundle: WorkflowBundleOption,
  activities: readonly string[],
): Promise<ReusableVMWorkflowCreator> {
  const parsed =
    'code' in bundle
      ? parseWorkflowCode(bundle.code)
      : parseWorkflowCode(await readFile(bundle.codePath, 'utf8'), bundle.codePath);
  const creator = await ReusableVMWorkflowCreator.create(parsed, MOST_MS, new Set(activities));
  // It makes every promise of this thread slow.
  globalHandlers.uninstall();
  return creator;
}

/** What a run is told of itself. */
export type RunInfo = { [F in keyof Told]: Told[F] | undefined };
type Told = Pick<
  WorkflowInfo,
  | 'workflowId'
  | 'runId'
  | 'workflowType'
  | 'parent'
  | 'root'
  | 'taskQueue'
  | 'firstExecutionRunId'
  | 'continuedFromExecutionRunId'
  | 'startTime'
  | 'runStartTime'
>;

/** A run in the sandbox. */
export async function newWorkflow(
  creator: ReusableVMWorkflowCreator,
  info: RunInfo,
  now: number,
): Promise<Workflow> {
  const whole = {
    ...info,
    namespace: 'default',
    searchAttributes: {},
    typedSearchAttributes: new TypedSearchAttributes(),
    originalExecutionRunId: info.runId,
    executionTimeoutMs: undefined,
    executionExpirationTime: undefined,
    runTimeoutMs: undefined,
    taskTimeoutMs: 10_000,
    retryPolicy: undefined,
    attempt: 1,
    cronSchedule: undefined,
    cronScheduleToScheduleInterval: undefined,
    historyLength: 3,
    historySize: 0,
    continueAsNewSuggested: false,
    targetWorkerDeploymentVersionChanged: false,
    suggestedContinueAsNewReasons: undefined,
    currentBuildId: '',
    currentDeploymentVersion: undefined,
    unsafe: {
      now: () => now,
      isReplaying: false,
      isReplayingHistoryEvents: false,
      random: undefined as never,
    },
    priority: undefined as never,
  };
  return creator.createWorkflow({
    info: whole as unknown as WorkflowInfo,
    randomnessSeed: seedBytes(info.runId ?? ''),
    now,
    showStackTraceSources: false,
  });
}

function seedBytes(runId: string): number[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(seedOf(runId));
  return [...bytes];
}
