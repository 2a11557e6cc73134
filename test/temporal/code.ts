import { TypedSearchAttributes } from '@temporalio/common';
import type { WorkflowInfo } from '@temporalio/workflow';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker.js';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface.js';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { globalHandlers, type BaseVMWorkflow } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { readFile } from 'node:fs/promises';
import { NO_LIMIT } from '../support/unlimited-worker.js';
import { seedOf } from './seed.js';

/** One for each bundle and set of activities, for it takes a good part of a second to make one. */
const creators = new Map<string, Promise<ReusableVMWorkflowCreator>>();

/** Workflow code in the sandbox of the SDK, in this thread. */
export async function loadCode(
  bundle: WorkflowBundleOption,
  activities: readonly string[],
): Promise<ReusableVMWorkflowCreator> {
  const key = JSON.stringify([sourceOf(bundle), [...activities].sort()]);
  const made = creators.get(key) ?? create(bundle, activities);
  creators.set(key, made);
  return made;
}

/** A bundle as the SDK takes it apart, by where it is from. */
const parsed = new Map<string, Promise<ParsedBundle>>();
export type ParsedBundle = ReturnType<typeof parseWorkflowCode>;

/** Takes a bundle apart. */
export async function parsedBundle(bundle: WorkflowBundleOption): Promise<ParsedBundle> {
  const source = sourceOf(bundle);
  const made = parsed.get(source) ?? parse(bundle);
  parsed.set(source, made);
  return made;
}

async function parse(bundle: WorkflowBundleOption): Promise<ParsedBundle> {
  if ('code' in bundle) return parseWorkflowCode(bundle.code);
  return parseWorkflowCode(await readFile(bundle.codePath, 'utf8'), bundle.codePath);
}

function sourceOf(bundle: WorkflowBundleOption): string {
  return 'code' in bundle ? bundle.code : bundle.codePath;
}

async function create(
  bundle: WorkflowBundleOption,
  activities: readonly string[],
): Promise<ReusableVMWorkflowCreator> {
  const creator = await ReusableVMWorkflowCreator.create(
    await parsedBundle(bundle),
    NO_LIMIT,
    new Set(activities),
  );
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
  const workflow = await creator.createWorkflow({
    info: whole as unknown as WorkflowInfo,
    randomnessSeed: seedBytes(info.runId ?? ''),
    now,
    showStackTraceSources: false,
  });
  return comingToRest(workflow as BaseVMWorkflow);
}

/** So often may the conditions of a task let one another go on. It takes ours two or three times. */
const MOST_ROUNDS = 1_000;

/** Fails a task that never comes to rest: it has the thread to itself, in which no limit of a test would end it. */
function comingToRest(workflow: BaseVMWorkflow): Workflow {
  const tryUnblockConditionsAndMicrotasks = (): void => {
    for (let rounds = 0; workflow.workflowModule.tryUnblockConditions() > 0; rounds += 1) {
      if (rounds === MOST_ROUNDS) throw new Error('it never comes to rest');
    }
  };
  return Object.assign<Workflow, object>(workflow, { tryUnblockConditionsAndMicrotasks });
}

function seedBytes(runId: string): number[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(seedOf(runId));
  return [...bytes];
}
