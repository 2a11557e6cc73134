import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { SuspendBody } from '../../contracts/suspension-requests.js';
import { suspendRequestSchema } from '../../contracts/suspension-requests.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { TimelineEntry, TimelineKind } from '../../contracts/timeline.js';
import { resolveQuestion } from '../../domain/question.js';
import { openRecord } from '../../domain/schedule.js';
import { viewOf } from '../../domain/suspension-view.js';
import type { SuspensionReport } from '../../workflows/intent/messages.js';
import {
  respondUpdate,
  timelineQuery,
  type OperatorAnswer,
  type RespondReceipt,
  type SuspensionInput,
} from '../../workflows/suspension/messages.js';
import type { suspension } from '../../workflows/suspension/workflow.js';
import { granted } from '../domain/samples.js';
import type { World } from './world.js';

export type SuspensionHandle = WorkflowHandle<typeof suspension>;

/** A question as it was opened; `view` is how it was read at that moment. */
export interface Opened {
  readonly handle: SuspensionHandle;
  readonly view: SuspensionView;
  readonly id: string;
}

/** Three attempts an hour apart, the ladder of RFC-0026 §4.1. */
export const LADDER = {
  max_attempts: 3,
  interval_seconds: 3_600,
  escalation_ladder: [
    { attempt: 2, channel_hint: 'email' },
    { attempt: 3, channel_hint: 'pagerduty', notify_to: 'supervisor@example.com' },
  ],
};

export const HOUR = 3_600_000;

/** Opens a suspension without an intent: its subject does not exist. */
export async function openSuspension(
  world: World,
  body: Partial<SuspendBody> = {},
  input: Partial<SuspensionInput> = {},
): Promise<Opened> {
  const request = suspendRequestSchema.parse({ question: 'Refund?', ...choices(body), ...body });
  const { draft } = granted(resolveQuestion(request, null, { contextBytes: 65_536 }));
  const suspendedAt = new Date(await world.now()).toISOString();
  const { record, schedule } = openRecord(draft, randomUUID(), suspendedAt);
  const intent_id = randomUUID();
  const opened: SuspensionInput = {
    intent_id,
    subject_workflow_id: workflowIdOf('intent', intent_id),
    asked_by: 'agent-1',
    record,
    schedule,
    ...input,
  };
  const handle = await world.client.start<typeof suspension>('suspension', {
    workflowId: workflowIdOf('suspension', record.id),
    taskQueue: world.taskQueue,
    args: [opened],
  });
  const view = viewOf({ intent_id, record, attempt: 1 }, opened, []);
  return { handle, view, id: record.id };
}

function choices({ response_type = 'choice' }: Partial<SuspendBody>): Partial<SuspendBody> {
  if (response_type !== 'choice') return {};
  const options = ['approve', 'deny'].map((value) => ({ value, label: `${value} refund` }));
  return { choices: options };
}

/** Answers by Update; rejects where the suspension refuses. */
export function respond(
  { handle }: Pick<Opened, 'handle'>,
  answer: OperatorAnswer,
  updateId?: string,
): Promise<RespondReceipt> {
  return handle.executeUpdate(respondUpdate, {
    args: [answer],
    ...(updateId !== undefined && { updateId }),
  });
}

/** The entries of one kind in a suspension's timeline, or all of them. */
export async function timelineOf(
  { handle }: Pick<Opened, 'handle'>,
  kind?: TimelineKind,
): Promise<readonly TimelineEntry[]> {
  const entries = await handle.query(timelineQuery);
  return entries.filter((entry) => kind === undefined || entry.kind === kind);
}

export async function kindsOf(opened: Pick<Opened, 'handle'>): Promise<TimelineKind[]> {
  return (await timelineOf(opened)).map(({ kind }) => kind);
}

/**
 * The events of the suspension's history but its workflow tasks: the time-skipping server writes those
 * for a refused Update as well, other servers do not.
 */
export async function historyOf({ handle }: Pick<Opened, 'handle'>) {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter(
    (event) =>
      !event.workflowTaskScheduledEventAttributes &&
      !event.workflowTaskStartedEventAttributes &&
      !event.workflowTaskCompletedEventAttributes,
  );
}

/** What the suspension told its subject, in order, from its history. */
export async function reportsOf(opened: Pick<Opened, 'handle'>): Promise<SuspensionReport[]> {
  return (await historyOf(opened)).flatMap((event) => {
    const sent =
      event.signalExternalWorkflowExecutionInitiatedEventAttributes?.input?.payloads?.[0];
    return sent ? [defaultPayloadConverter.fromPayload<SuspensionReport>(sent)] : [];
  });
}

/** ISO-8601 instant `ms` after the question was opened. */
export function instantAfter({ view }: Pick<Opened, 'view'>, ms: number): string {
  return new Date(Date.parse(view.record.suspended_at) + ms).toISOString();
}
