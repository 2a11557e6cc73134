import { defaultPayloadConverter } from '@temporalio/common';
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/event.js';
import type { JournalRow } from '../../../contracts/journal.js';
import { isIntact } from '../../../domain/intent/event-seal.js';
import { writeSignal } from '../../../workflows/engine/messages.js';
import { leftRowsQuery } from '../../../workflows/intent/messages.js';
import type { SuspendReceipt } from '../../../workflows/intent/messages.js';
import {
  operatorResponseSignal,
  respondUpdate,
  suspensionReportSignal,
} from '../../../workflows/suspension/messages.js';
import { eventKinds, replay, replayHistory, settledAfter } from '../support/histories.js';
import type { History } from '../support/replayed-inputs.js';
import { logOf, patch, typesOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { World } from '../support/world.js';
import { lookUntil } from '../../support/looks.js';

const LEFT = { sender_writes: true } as const;
/** More than the rows that may be left. */
const LARGE = { text: 'x'.repeat(65_536) };

function eventsIn(rows: readonly JournalRow[]): readonly IntentEvent[] {
  return rows.flatMap((row) => (row.kind === 'event' ? [row.event] : []));
}

function kindsIn(rows: readonly JournalRow[]): readonly string[] {
  return [...new Set(rows.map(({ kind }) => kind))].sort();
}

/** The same history of a workflow that was started with more fields. */
function withInput(history: History, fields: object): History {
  const [payload] =
    history.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  assert.ok(payload);
  const started = { ...defaultPayloadConverter.fromPayload<object>(payload), ...fields };
  payload.data = defaultPayloadConverter.toPayload(started).data ?? assert.fail();
  return history;
}

/** Whether the events are a log from its beginning, each as it was sealed. */
function isChain(events: readonly IntentEvent[]): boolean {
  return events.every(
    (event, index) =>
      event.sequence === index + 1 &&
      event.previous_event_hash === (events[index - 1]?.event_hash ?? null) &&
      isIntact({ ...event }),
  );
}

describe('the rows that an intent leaves to who writes to it', () => {
  let world: World;
  before(async () => {
    world = await World.start({ on: 'this process' });
  });
  after(() => world.close());
  beforeEach(() => world.activities.rows.splice(0));

  const left = (handle: IntentHandle) => handle.query(leftRowsQuery);
  const written = (kinds: readonly string[]) =>
    kinds.filter((kind) => kind === 'activityTaskScheduled').length;

  async function start(options: Parameters<World['openIntent']>[0] = {}): Promise<IntentHandle> {
    const handle = await world.openIntent({ ...LEFT, ...options });
    await settledAfter(handle, 'workflowTaskCompleted', 1);
    return handle;
  }

  async function answer(
    handle: IntentHandle,
    { suspension_id, view }: SuspendReceipt,
    fields: { readonly sender_writes?: true } = LEFT,
  ): Promise<void> {
    assert.ok(view);
    const suspension = world.suspension(suspension_id);
    const args = [{ ...(await world.answer(view)), ...fields }] as const;
    await suspension.executeUpdate(respondUpdate, { args: [...args] });
    await settledAfter(handle, 'childWorkflowExecutionCompleted', 1);
  }

  it('are those of its creation, at the instant of its record, and no activity', async () => {
    const intent = await world.newIntent();
    const handle = await world.startIntent({ intent, ...LEFT });
    const rows = await left(handle);
    assert.deepEqual(kindsIn(rows), ['event', 'intent']);
    const events = eventsIn(rows);
    assert.deepEqual(
      [typesOf(events), events[0]?.created_at],
      [['intent_created'], intent.created_at],
    );
    assert.equal(written(await eventKinds(handle)), 0);
    await handle.terminate();
  });

  it('come with the receipt of a question, and with its end', async () => {
    const handle = await start();
    const receipt = await world.suspend(handle, {}, LEFT);
    const asked = receipt.rows ?? [];
    assert.deepEqual(kindsIn(asked), ['event', 'intent', 'suspension_opened']);
    assert.deepEqual(typesOf(eventsIn(asked)), ['intent_created', 'intent.suspended']);
    await answer(handle, receipt);
    const rows = await left(handle);
    const settled = ['event', 'intent', 'suspension_opened', 'suspension_settled', 'timeline'];
    assert.deepEqual(kindsIn(rows), settled);
    const events = eventsIn(rows);
    assert.deepEqual(typesOf(events), ['intent_created', 'intent.suspended', 'intent.resumed']);
    assert.ok(isChain(events));
    assert.deepEqual([written(await eventKinds(handle)), world.activities.rows], [0, []]);
    await replay(handle);
    await handle.terminate();
  });

  it('are written with the next write that nobody takes over', async () => {
    const handle = await start();
    const receipt = await world.suspend(handle, {}, LEFT);
    await answer(handle, receipt);
    await patch(handle, [{ op: 'set', path: 'a', value: 1 }]);
    const events = await logOf(world, handle);
    assert.ok(isChain(events));
    assert.equal(typesOf(events).at(-1), 'state_patched');
    assert.deepEqual(await left(handle), []);
    await handle.terminate();
  });

  it('are written by the intent once it is told to', async () => {
    const handle = await start();
    await handle.signal(writeSignal);
    await settledAfter(handle, 'activityTaskCompleted', 1);
    assert.deepEqual(typesOf(eventsIn(world.activities.rows)), ['intent_created']);
    assert.deepEqual(await left(handle), []);
    await handle.terminate();
  });

  it('are not left by a question that nobody settled by an Update', async () => {
    const handle = await start();
    const receipt = await world.suspend(handle, {}, LEFT);
    assert.ok(receipt.view);
    const answered = { ...(await world.answer(receipt.view)), ...LEFT };
    await world.suspension(receipt.suspension_id).signal(operatorResponseSignal, answered);
    await settledAfter(handle, 'childWorkflowExecutionCompleted', 1);
    assert.equal(typesOf(await logOf(world, handle)).at(-1), 'intent.resumed');
    assert.deepEqual(await left(handle), []);
    await handle.terminate();
  });

  it('are not left by who asks for nothing', async () => {
    const handle = await start();
    const receipt = await world.suspend(handle, {}, LEFT);
    await answer(handle, receipt, {});
    assert.equal(typesOf(await logOf(world, handle)).at(-1), 'intent.resumed');
    assert.deepEqual(await left(handle), []);
    await handle.terminate();
  });

  it('have at most 64 KiB', async () => {
    const intent = { ...(await world.newIntent()), state: LARGE };
    const handle = await world.startIntent({ intent, ...LEFT });
    await settledAfter(handle, 'activityTaskCompleted', 1);
    assert.deepEqual(typesOf(eventsIn(world.activities.rows)), ['intent_created']);
    assert.deepEqual(await left(handle), []);
    await handle.terminate();
  });

  it('are not left where a worker of before has written them', async () => {
    const handle = await world.openIntent();
    await settledAfter(handle, 'activityTaskCompleted', 1);
    const receipt = await world.suspend(handle);
    await answer(handle, receipt, {});
    await logOf(world, handle);
    const history = await handle.fetchHistory();
    await replayHistory(handle.workflowId, withInput(history, LEFT));
    await handle.terminate();
  });

  it('are written before the intent ends', async () => {
    const handle = await start();
    await writeStatus(handle, 'completed');
    await handle.result();
    assert.ok(isChain(eventsIn(world.activities.rows)));
    assert.equal(eventsIn(world.activities.rows).length, 2);
  });

  it('are written by a run that is to end', async () => {
    const handle = await world.openIntent({ ...LEFT, history_limit: 1 });
    const log = () => eventsIn(world.activities.rows);
    await lookUntil(async () => log().length > 0, 'nothing is written');
    assert.deepEqual(typesOf(log()), ['intent_created']);
    await handle.terminate();
  });
});

/** A task that only leaves rows has no command: a worker without a cache may get it, and one more, as one with the next. */
describe('the rows that an intent leaves without a cache', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start({ on: 'this process' });
  });
  afterEach(() => world.close());

  it('are the same whenever they are read', async () => {
    const handle = await world.openIntent(LEFT);
    await settledAfter(handle, 'workflowTaskCompleted', 1);
    const [first] = eventsIn(await handle.query(leftRowsQuery));
    await handle.signal(suspensionReportSignal, {} as never);
    await settledAfter(handle, 'workflowExecutionSignaled', 1);
    const { rows = [] } = await world.suspend(handle, {}, LEFT);
    assert.deepEqual(eventsIn(rows)[0], first);
    assert.ok(isChain(eventsIn(rows)));
    await assert.doesNotReject(replay(handle));
    await handle.terminate();
  });
});
