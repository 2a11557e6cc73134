import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { isIntact } from '../../../domain/log/seal.js';
import { writeSignal } from '../../../workflows/engine/messages.js';
import {
  createdUpdate,
  leftRowsQuery,
  type SuspendReceipt,
} from '../../../workflows/intent/messages.js';
import {
  operatorResponseSignal,
  respondUpdate,
  suspensionReportSignal,
} from '../../../workflows/suspension/messages.js';
import { eventKinds, replay, settledAfter } from '../support/histories.js';
import { logOf, patch, typesOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { perSuite, perTest, World } from '../support/world.js';
import { sent } from '../../support/callers.js';
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
  perSuite(World, (one) => (world = one));
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

  it('come with its first task, to whoever starts it and to whoever starts it again', async () => {
    const intent = await world.newIntent();
    const handle = await world.startIntent({ intent, ...LEFT, creation_hash: 'of the body' });
    const begin = () => handle.executeUpdate(createdUpdate, { args: [sent('agent-1')] });
    const first = await begin();
    assert.deepEqual(await begin(), first);
    assert.deepEqual([first.intent, first.creation_hash], [intent, 'of the body']);
    assert.deepEqual(typesOf(eventsIn(first.rows)), ['intent_created']);
    assert.equal(written(await eventKinds(handle)), 0);
    await replay(handle);
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

  it('are not given again once whoever writes them says up to which event they are stored', async () => {
    const headIn = (rows: readonly JournalRow[]) => eventsIn(rows).at(-1)?.event_hash ?? undefined;
    const handle = await start();
    const first = await world.suspend(handle, {}, LEFT);
    await answer(handle, first);
    const ended = await handle.query(leftRowsQuery, headIn(first.rows ?? []));
    assert.deepEqual(typesOf(eventsIn(ended)), ['intent.resumed']);
    const stored_head = headIn(ended);
    assert.ok(stored_head);
    assert.deepEqual(await handle.query(leftRowsQuery, stored_head), []);
    const { rows = [] } = await world.suspend(handle, {}, { ...LEFT, stored_head });
    assert.deepEqual(typesOf(eventsIn(rows)), ['intent.suspended']);
    assert.deepEqual(kindsIn(rows), ['event', 'intent', 'suspension_opened']);
    const byTheSender = [...(first.rows ?? []), ...ended];
    world.activities.rows.push(...byTheSender);
    await patch(handle, [{ op: 'set', path: 'a', value: 1 }]);
    assert.equal(typesOf(await logOf(world, handle)).at(-1), 'state_patched');
    const byTheIntent = eventsIn(world.activities.rows.slice(byTheSender.length));
    assert.deepEqual(typesOf(byTheIntent), ['intent.suspended', 'state_patched']);
    await replay(handle);
    await handle.terminate();
  });

  it('are given again to who names an event that the log does not have', async () => {
    const handle = await start();
    const stored_head = 'sha256:of-a-log-that-was-reset';
    const { rows = [] } = await world.suspend(handle, {}, { ...LEFT, stored_head });
    assert.deepEqual(typesOf(eventsIn(rows)), ['intent_created', 'intent.suspended']);
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

  it('have at most 64 KiB', async () => {
    const intent = { ...(await world.newIntent()), state: LARGE };
    const handle = await world.startIntent({ intent, ...LEFT });
    await settledAfter(handle, 'activityTaskCompleted', 1);
    assert.deepEqual(typesOf(eventsIn(world.activities.rows)), ['intent_created']);
    assert.deepEqual(await left(handle), []);
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
  perTest(World, (one) => (world = one));

  it('are the same whenever they are read', async () => {
    const handle = await world.openIntent(LEFT);
    await settledAfter(handle, 'workflowTaskCompleted', 1);
    const [first] = eventsIn(await handle.query(leftRowsQuery));
    assert.equal(first?.sequence, 1);
    await handle.signal(suspensionReportSignal, {} as never);
    await settledAfter(handle, 'workflowExecutionSignaled', 1);
    const { rows = [] } = await world.suspend(handle, {}, LEFT);
    assert.deepEqual(eventsIn(rows)[0], first);
    assert.ok(isChain(eventsIn(rows)));
    await assert.doesNotReject(replay(handle));
    await handle.terminate();
  });
});
