import { tsToMs } from '@temporalio/common/lib/time.js';
import { ScheduledActivity } from './activities.js';
import { startChild } from './children.js';
import { cancelled, completed, continueAsNew, failed } from './ends.js';
import { cancelChild, cancelExternal, signalExternal } from './other-workflows.js';
import type { Fields, Run } from './run.js';
import type { Command } from './task.js';

/** The task that a command comes from. */
export interface From {
  readonly scheduledEventId: number;
  readonly completed: number;
}

type Variant = NonNullable<Command['variant']>;
/** What a command of a kind says. */
export type Of<K extends Variant> = NonNullable<Command[K]>;
/** What the Temporal UI shows of it. */
export type More = Pick<Command, 'userMetadata'>;

type Writers = {
  readonly [K in Variant]?: (run: Run, said: Of<K>, from: From, more: More) => void;
};

/** Writes each kind of command down, and sees to it that it is carried out. */
const WRITERS: Writers = {
  startTimer(run, { seq, startToFireTimeout }, { completed: task }, more) {
    const timerId = String(seq);
    const fields = { timerId, startToFireTimeout: startToFireTimeout ?? null };
    const eventId = run.add(
      'timerStarted',
      { ...fields, workflowTaskCompletedEventId: task },
      more,
    );
    const { clock } = run.server;
    const stop = clock.at(clock.now + tsToMs(startToFireTimeout), () => {
      run.timers.delete(seq ?? 0);
      run.add('timerFired', { timerId, startedEventId: eventId });
      run.wake({ fireTimer: { seq: seq ?? 0 } });
    });
    run.timers.set(seq ?? 0, { eventId, stop });
  },
  cancelTimer(run, { seq }, { completed: task }) {
    const timer = run.timers.get(seq ?? 0);
    if (!timer) return;
    timer.stop();
    run.timers.delete(seq ?? 0);
    const fields = { timerId: String(seq), startedEventId: timer.eventId, identity: 'local' };
    run.add('timerCanceled', { ...fields, workflowTaskCompletedEventId: task });
  },
  scheduleActivity(run, said, { completed: task }, more) {
    new ScheduledActivity(run, said, task, more).order();
  },
  requestCancelActivity(run, { seq }, { completed: task }) {
    run.activities.get(seq ?? 0)?.requestCancel(task);
  },
  startChildWorkflowExecution(run, said, { completed: task }, more) {
    startChild(run, said, task, more);
  },
  cancelChildWorkflowExecution: cancelChild,
  signalExternalWorkflowExecution: signalExternal,
  requestCancelExternalWorkflowExecution: cancelExternal,
  setPatchMarker: notePatch,
  upsertWorkflowSearchAttributes(run, { searchAttributes }, { completed: task }) {
    upsert(run, searchAttributes?.indexedFields ?? {}, task);
  },
  modifyWorkflowProperties(run, { upsertedMemo }, { completed: task }) {
    const fields = upsertedMemo?.fields ?? {};
    run.memo = { ...run.memo, ...fields };
    run.add('workflowPropertiesModified', {
      upsertedMemo: { fields },
      workflowTaskCompletedEventId: task,
    });
  },
  updateResponse: answerUpdate,
  completeWorkflowExecution: completed,
  failWorkflowExecution: failed,
  cancelWorkflowExecution: cancelled,
  continueAsNewWorkflowExecution: continueAsNew,
};

/** Writes a command of a task down, and sees to it that it is carried out. */
export function writeCommand(run: Run, command: Command, from: From): void {
  const { variant, userMetadata } = command;
  const write = variant && WRITERS[variant];
  if (!write) throw new Error(`a command that nobody knows: ${JSON.stringify(command)}`);
  const more = userMetadata ? { userMetadata } : {};
  (write as (run: Run, said: unknown, from: From, more: object) => void)(
    run,
    command[variant],
    from,
    more,
  );
}

function answerUpdate(run: Run, answer: Of<'updateResponse'>, { scheduledEventId }: From): void {
  const id = answer.protocolInstanceId ?? '';
  const update = run.updates.get(id);
  if (!update) throw new Error(`an answer to the Update ${id}, which nobody has sent`);
  const { meta } = update.request;
  if (answer.accepted) {
    const eventId = run.add('workflowExecutionUpdateAccepted', {
      protocolInstanceId: id,
      acceptedRequestMessageId: `${id}/request`,
      acceptedRequestSequencingEventId: scheduledEventId,
      acceptedRequest: update.request,
    });
    update.accepted(eventId);
    return;
  }
  // Once it is accepted, what refuses it is how it failed.
  const outcome = answer.completed
    ? { success: { payloads: [answer.completed] } }
    : { failure: answer.rejected ?? {} };
  run.add('workflowExecutionUpdateCompleted', {
    meta: meta ?? {},
    acceptedEventId: update.acceptedEventId ?? 0,
    outcome,
  });
  update.settle(outcome);
}

function notePatch(
  run: Run,
  { patchId, deprecated }: Of<'setPatchMarker'>,
  { completed: task }: From,
): void {
  const id = patchId ?? '';
  const by = { workflowTaskCompletedEventId: task };
  const json = (value: unknown, type?: string) => ({
    metadata: {
      encoding: Buffer.from('json/plain'),
      ...(type !== undefined && { type: Buffer.from(type) }),
    },
    data: Buffer.from(JSON.stringify(value)),
  });
  const data = json({ id, deprecated: deprecated ?? false });
  run.add('markerRecorded', {
    markerName: 'core_patch',
    details: { 'patch-data': { payloads: [data] } },
    ...by,
  });
  run.patches.push(id);
  upsert(run, { TemporalChangeVersion: json(run.patches, 'KeywordList') }, task);
}

function upsert(run: Run, fields: Fields, task: number): void {
  run.searchAttributes = { ...run.searchAttributes, ...fields };
  run.add('upsertWorkflowSearchAttributes', {
    searchAttributes: { indexedFields: fields },
    workflowTaskCompletedEventId: task,
  });
}
