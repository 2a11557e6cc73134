import type { WorkflowClient, WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter, type SearchAttributePair } from '@temporalio/common';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { OUTCOME_UPDATE_ID, workflowIdOf } from '../../../contracts/constants/names.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { suspendRequestSchema, type SuspendBody } from '../../../contracts/suspension/requests.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import type {
  SettledRecord,
  SuspensionDraft,
  TimelineEntry,
  TimelineKind,
} from '../../../contracts/suspension/suspension.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { settlementOf } from '../../../domain/suspension/record/state.js';
import { viewOf } from '../../../domain/suspension/record/view.js';
import { WRITERS } from '../../../workflows/engine/row-duty.js';
import {
  patchStateUpdate,
  setStatusUpdate,
  type IntentWritten,
} from '../../../workflows/intent/messages.js';
import {
  outcomeUpdate,
  recordQuery,
  respondUpdate,
  timelineQuery,
  type OperatorAnswer,
  type RespondReceipt,
  type SuspensionInput,
  type SuspensionReport,
  operatorResponseSignal,
  withdrawSignal,
} from '../../../workflows/suspension/messages.js';
import type { suspension } from '../../../workflows/suspension/workflow.js';
import { granted } from '../../domain/samples.js';
import { atRest, untilNextRun } from './histories.js';
import { versionOf, type IntentHandle } from './intents.js';
import type { World } from './world.js';
import { caller } from '../../support/callers.js';

export type SuspensionHandle = WorkflowHandle<typeof suspension>;

/** A question as it was opened; `view` is how it was read at that moment. */
export interface Opened {
  readonly handle: SuspensionHandle;
  readonly view: LiveView;
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

/** A question that writes all its rows itself. */
export const BY_ITSELF = { opening: 'self', ending: 'self' } as const;

const NOBODY = { intent_id: null, subject_workflow_id: null } as const;

/** A question that holds up nobody: it writes its opening, and whoever settles it its last rows. */
export const LEAVING = { ...NOBODY, writers: WRITERS.agentAlone } as const;

/** The same, but whoever asks writes its opening. */
export const ALONE = { ...NOBODY, writers: WRITERS.api } as const;

/** The same, but its first delivery writes it. */
export const BY_DELIVERY = { ...NOBODY, writers: WRITERS.agent } as const;

export const HOUR = 3_600_000;

/** Opens a suspension without an intent: its subject does not exist. */
export async function openSuspension(
  world: Pick<World, 'taskQueue' | 'now'> & { readonly client: Pick<WorkflowClient, 'start'> },
  { approval, ...body }: Partial<SuspendBody> & Pick<SuspensionDraft, 'approval'> = {},
  input: Partial<SuspensionInput> = {},
  attributes: SearchAttributePair[] = [],
): Promise<Opened> {
  const request = suspendRequestSchema.parse({ question: 'Refund?', ...choices(body), ...body });
  const { draft } = granted(resolveQuestion(request, null, { contextBytes: 65_536 }));
  const suspendedAt = new Date(await world.now()).toISOString();
  const asked = { ...draft, ...(approval && { approval }) };
  const { record, schedule } = openRecord(asked, randomUUID(), suspendedAt);
  const intent_id = randomUUID();
  const opened: SuspensionInput = {
    intent_id,
    subject_workflow_id: workflowIdOf('intent', intent_id),
    asked_by: 'agent-1',
    writers: BY_ITSELF,
    record,
    schedule,
    ...input,
  };
  const handle = await world.client.start<typeof suspension>('suspension', {
    workflowId: workflowIdOf('suspension', record.id),
    taskQueue: world.taskQueue,
    args: [opened],
    typedSearchAttributes: attributes,
  });
  const view = viewOf({ intent_id: opened.intent_id, record, attempt: 1 }, opened, []);
  return { handle, view, id: record.id };
}

/** The same, once its first message is out and its opening is written. */
export async function openDelivered(
  world: Pick<World, 'client' | 'taskQueue' | 'now' | 'delivered'>,
  body?: Parameters<typeof openSuspension>[1],
  input?: Partial<SuspensionInput>,
): Promise<Opened> {
  const opened = await openSuspension(world, body, input);
  await world.delivered(opened.id);
  await atRest(opened.handle);
  return opened;
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

/** Sends answers that do not count, until the suspension is in its next run; returns how many. */
export async function intoNextRun(
  world: World,
  { handle, view }: Opened,
  fields: Partial<OperatorAnswer> = {},
): Promise<number> {
  const answer = { ...(await world.answer(view, 'neither')), ...fields };
  return untilNextRun(handle, async () => {
    await handle.signal(operatorResponseSignal, answer);
    await world.sleep('1 s');
  });
}

/** Withdraws a question, and waits for its end. */
export async function withdrawn({ handle }: Pick<Opened, 'handle'>): Promise<void> {
  await handle.signal(withdrawSignal, { cancelled_by: 'agent-1', settled_by: 'agent' });
  await handle.result();
}

/** An answer of an operator, under a key that is the same for its later answers. */
export async function answerBy(
  world: World,
  { view }: Pick<Opened, 'view'>,
  principal: string,
  { value = 'approve', ...fields }: Partial<OperatorAnswer> = {},
): Promise<OperatorAnswer> {
  const answer = await world.answer(view, value, `r:${principal}`);
  return { ...answer, responded_by: principal, by: caller(principal, 'operator'), ...fields };
}

/** Waits for the outcome, and has been accepted when this returns: no skipped second proves that. */
export function awaitOutcome({ handle }: Pick<Opened, 'handle'>) {
  return handle.startUpdate(outcomeUpdate, {
    updateId: OUTCOME_UPDATE_ID,
    waitForStage: 'ACCEPTED',
  });
}

/** The record of a suspension once it has ended, which says the same as what it returned. */
export async function settledRecord(handle: SuspensionHandle): Promise<SettledRecord> {
  const result = await handle.result();
  const { record } = await handle.query(recordQuery);
  assert.deepEqual(settlementOf(result), settlementOf(record as SettledRecord));
  return record as SettledRecord;
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

/** The events of the suspension's history but its workflow tasks, of which servers have more or less. */
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

const OPENINTENT_WRITER = {
  by: caller('agent-1'),
  actor: 'refunder',
  openintent_ask: true,
} as const;

/** The status that the OpenIntent SDK writes first when it asks; `active` takes it back. */
export async function writeAskingStatus(
  handle: IntentHandle,
  status: 'suspended_awaiting_input' | 'active' = 'suspended_awaiting_input',
): Promise<IntentWritten> {
  const input = { ...OPENINTENT_WRITER, status, if_match: await versionOf(handle) };
  return handle.executeUpdate(setStatusUpdate, { args: [input] });
}

/** The record that it writes second; the agent's clock is `aheadSeconds` before ours. */
export async function writeAskingRecord(
  world: World,
  handle: IntentHandle,
  {
    aheadSeconds = 0,
    id = randomUUID(),
    ...fields
  }: JsonObject & { aheadSeconds?: number; id?: string } = {},
): Promise<string> {
  const suspended_at = new Date((await world.now()) + aheadSeconds * 1_000).toISOString();
  const value = {
    id,
    question: 'Refund?',
    response_type: 'text',
    fallback_policy: 'fail',
    suspended_at,
    ...fields,
  };
  const patches = [{ op: 'set', path: '_suspension', value }] as const;
  const input = { ...OPENINTENT_WRITER, patches, if_match: await versionOf(handle) };
  await handle.executeUpdate(patchStateUpdate, { args: [input] });
  await world.delivered(id);
  return id;
}

/** An operator's answer to it. */
export async function answerAsk(world: World, handle: IntentHandle, id: string): Promise<void> {
  const answer = {
    intent_id: handle.workflowId.replace('intent-', ''),
    value: 'yes',
    responded_by: 'alice',
    by: caller('alice', 'operator'),
    received_at: new Date(await world.now()).toISOString(),
    answer: { key: randomUUID(), body_hash: 'hash' },
  };
  await world.suspension(id).executeUpdate(respondUpdate, { args: [answer] });
}
