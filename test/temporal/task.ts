import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import type { Workflow } from '@temporalio/worker/lib/workflow/interface.js';
import Long from 'long';
import { CANCELLED, ofActivity } from './failures.js';
import type { Job, Run } from './run.js';
import { writeCommand } from './commands.js';

export type Command = proto.coresdk.workflow_commands.IWorkflowCommand;

const { WorkflowActivation } = proto.coresdk.workflow_activation;
type Activation = proto.coresdk.workflow_activation.IWorkflowActivation;
const { WorkflowActivationCompletion } = proto.coresdk.workflow_completion;
const { ActivityCancellationType } = proto.coresdk.workflow_commands;

/** What the SDK's core says of itself in the first task: the flags that it always sets. */
const FIRST = { coreUsedFlags: [1, 2, 3], sdkName: 'temporal-typescript', sdkVersion: '1.24.0' };

/** That a task waits, and that it has begun: a task that may leave no event counts them too. */
const EVENTS_OF_A_START = 2;

/** The commands with which a run ends. */
const ENDS: ReadonlySet<string> = new Set([
  'completeWorkflowExecution',
  'failWorkflowExecution',
  'cancelWorkflowExecution',
  'continueAsNewWorkflowExecution',
]);

/** What a task leads to, in its order. */
interface Outgoing {
  readonly commands: Command[];
  readonly flags: number[];
  /** What the code has to hear before the task is over. */
  readonly next: Job[];
  /** What it has heard. */
  readonly heard: Activation[];
}

/** Runs one task of a run: its code takes in what has happened, and what it orders is written down. */
export async function runTask(run: Run, scheduled: number, jobs: readonly Job[]): Promise<void> {
  const { workflow, first } = await run.load();
  // A task for Updates alone leaves no event if it refuses them all.
  const begun = scheduled > 0 ? run.begin(scheduled) : undefined;
  const length = run.history.length + (begun ? 0 : EVENTS_OF_A_START);
  const { commands, flags, heard } = await takeIn(run, workflow, length, [
    ...first,
    ...inOrder(jobs),
  ]);
  const refused = commands.filter(isRefusal);
  refuse(run, refused);
  const isEmpty = !begun && commands.length === refused.length;
  if (isEmpty && !run.server.keepsRefusals) return;
  if (!isEmpty) run.heard.push(...heard.map((one) => asReplayed(one, refused, flags)));
  const { scheduled: scheduledEventId, started } = begun ?? run.begin(0);
  const completed = run.add('workflowTaskCompleted', {
    scheduledEventId,
    startedEventId: started,
    identity: 'local',
    sdkMetadata: { ...(first.length > 0 && FIRST), langUsedFlags: [...new Set(flags)] },
  });
  for (const command of endLast(commands)) {
    if (!isRefusal(command)) writeCommand(run, command, { scheduledEventId, completed });
  }
}

/** As the SDK's core sends them: what the run ends with comes after all else. */
function endLast(commands: readonly Command[]): readonly Command[] {
  return [
    ...commands.filter((one) => !isEnd(one)),
    ...commands.filter((one) => isEnd(one)).slice(0, 1),
  ];
}

function isEnd({ variant }: Command): boolean {
  return variant !== undefined && ENDS.has(variant);
}

/** Lets the code take in what has come, and what its own orders lead to at once. */
async function takeIn(
  run: Run,
  workflow: Workflow,
  historyLength: number,
  jobs: readonly Job[],
): Promise<Outgoing> {
  const out: Outgoing = { commands: [], flags: [], next: [], heard: [] };
  for (let due = jobs; due.length > 0; due = out.next.splice(0)) {
    const activation = WorkflowActivation.fromObject({
      runId: run.runId,
      timestamp: msToTs(run.server.clock.now),
      isReplaying: false,
      historyLength,
      historySizeBytes: Long.ZERO,
      jobs: due,
    });
    out.heard.push(activation);
    const done = await completionOf(run, workflow, activation);
    for (const command of done.commands ?? []) collect(run, command, out);
    out.flags.push(...(done.usedInternalFlags ?? []));
  }
  return out;
}

async function completionOf(
  run: Run,
  workflow: Workflow,
  activation: Activation,
): Promise<proto.coresdk.workflow_completion.ISuccess> {
  const completion = await workflow.activate(activation);
  await run.server.takeSinkCalls(run, await workflow.getAndResetSinkCalls());
  // The code lives in a realm of its own: on the wire it leaves that.
  const { successful, failed } = WorkflowActivationCompletion.decode(
    WorkflowActivationCompletion.encode(completion).finish(),
  );
  if (failed) throw new FailedTask(run, failed.failure?.message ?? 'without a message');
  return successful ?? {};
}

function isRefusal({ updateResponse }: Command): boolean {
  return Boolean(updateResponse?.rejected);
}

/** An activation as a replay has it: an accepted Update is not asked about again, and a refused one is not there. */
function asReplayed(
  heard: Activation,
  refusals: readonly Command[],
  flags: readonly number[],
): Activation {
  const refused = new Set(refusals.map((one) => one.updateResponse?.protocolInstanceId));
  const jobs = (heard.jobs ?? [])
    .filter(({ doUpdate }) => !doUpdate || !refused.has(doUpdate.protocolInstanceId))
    .map((job) => (job.doUpdate ? { doUpdate: { ...job.doUpdate, runValidator: false } } : job));
  return { ...heard, jobs, isReplaying: true, availableInternalFlags: [...flags] };
}

/** Lets code that begins anew hear again what it has heard. */
export async function hearAgain(run: Run, workflow: Workflow): Promise<void> {
  const patches = run.patches.map((patchId) => ({ notifyHasPatch: { patchId } }));
  for (const [nth, heard] of run.heard.entries()) {
    const jobs = [...(nth === 0 ? patches : []), ...(heard.jobs ?? [])];
    await workflow.activate(WorkflowActivation.fromObject({ ...heard, jobs }));
    // What it logs and traces, it has logged and traced before.
    await workflow.getAndResetSinkCalls();
  }
}

/** An Update that is refused before it is accepted is forgotten. */
function refuse(run: Run, refusals: readonly Command[]): void {
  for (const { updateResponse } of refusals) {
    const id = updateResponse?.protocolInstanceId ?? '';
    const update = run.updates.get(id);
    if (update?.acceptedEventId !== undefined) throw new Error(`the Update ${id} is refused late`);
    run.updates.delete(id);
    update?.settle({ failure: updateResponse?.rejected ?? {} });
  }
}

/** A task that threw: a defect of the workflow, which Temporal would try again for ever. */
export class FailedTask extends Error {
  constructor({ start }: Run, message: string) {
    super(`a task of ${start.workflowId} failed: ${message}`);
  }
}

/** As the SDK's core orders what a task brings: Updates come with the task, after all that its history tells of Signals. */
function inOrder(jobs: readonly Job[]): Job[] {
  const rank = ({ notifyHasPatch, signalWorkflow, doUpdate }: Job): number => {
    if (notifyHasPatch) return 0;
    if (signalWorkflow) return 1;
    return doUpdate ? 2 : 3;
  };
  return [...jobs].sort((one, other) => rank(one) - rank(other));
}

/** Keeps a command, or takes back one of the same task that it cancels. */
function collect(run: Run, command: Command, out: Outgoing): void {
  const { cancelTimer, requestCancelActivity, cancelSignalWorkflow } = command;
  const { cancelChildWorkflowExecution: cancelChild } = command;
  let isTakenBack = false;
  if (cancelTimer) {
    isTakenBack =
      takeBack(out, ({ startTimer }) => startTimer?.seq === cancelTimer.seq) !== undefined;
  } else if (requestCancelActivity) {
    isTakenBack = cancelActivity(run, requestCancelActivity.seq ?? 0, out);
  } else if (cancelChild) {
    isTakenBack = cancelUnstarted(cancelChild.childWorkflowSeq ?? 0, out);
  } else if (cancelSignalWorkflow) {
    cancelUnsent(cancelSignalWorkflow.seq ?? 0, out);
    isTakenBack = true;
  }
  if (!isTakenBack) out.commands.push(command);
}

/** A command of this task that has not gone out. */
function takeBack({ commands }: Outgoing, is: (one: Command) => boolean): Command | undefined {
  const index = commands.findIndex(is);
  return index < 0 ? undefined : commands.splice(index, 1)[0];
}

/** Whether the cancellation needs no command. */
function cancelActivity(run: Run, seq: number, out: Outgoing): boolean {
  const taken = takeBack(out, ({ scheduleActivity }) => scheduleActivity?.seq === seq);
  const activity = run.activities.get(seq);
  const type = activity?.command.cancellationType ?? ActivityCancellationType.TRY_CANCEL;
  if (taken || type !== ActivityCancellationType.WAIT_CANCELLATION_COMPLETED) {
    const at = taken?.scheduleActivity ?? activity?.command;
    const result = cancelledActivity(at, activity?.scheduledEventId);
    out.next.push({ resolveActivity: { seq, result } });
    activity?.forget();
  }
  return taken !== undefined || type === ActivityCancellationType.ABANDON;
}

function cancelUnstarted(seq: number, out: Outgoing): boolean {
  if (!takeBack(out, ({ startChildWorkflowExecution: child }) => child?.seq === seq)) return false;
  const message = 'Child Workflow execution cancelled before scheduled';
  const failure = { message, canceledFailureInfo: {} };
  out.next.push({ resolveChildWorkflowExecutionStart: { seq, cancelled: { failure } } });
  return true;
}

function cancelUnsent(seq: number, out: Outgoing): void {
  if (!takeBack(out, ({ signalExternalWorkflowExecution: one }) => one?.seq === seq)) return;
  const failure = { message: 'Signal was cancelled before being sent', canceledFailureInfo: {} };
  out.next.push({ resolveSignalExternalWorkflow: { seq, failure } });
}

function cancelledActivity(
  at: proto.coresdk.workflow_commands.IScheduleActivity | null | undefined,
  scheduledEventId = 0,
): proto.coresdk.activity_result.IActivityResolution {
  const where = {
    scheduledEventId,
    startedEventId: 0,
    activityId: at?.activityId ?? '',
    activityType: at?.activityType ?? '',
  };
  return { cancelled: { failure: ofActivity('Activity cancelled', CANCELLED, where) } };
}
