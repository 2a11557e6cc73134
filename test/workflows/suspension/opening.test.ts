import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { describe, it } from 'mocha';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { openingRow } from '../../../domain/suspension/record/opening-row.js';
import { openRecord } from '../../../domain/suspension/asking/schedule.js';
import { attachSignal, respondUpdate } from '../../../workflows/suspension/messages.js';
import { lookUntil } from '../../support/looks.js';
import { writeSignal } from '../../../workflows/engine/messages.js';
import { eventKinds } from '../support/histories.js';
import {
  BY_DELIVERY,
  LADDER,
  openSuspension,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { perTest, World } from '../support/world.js';

describe('the opening of a question that its first delivery writes', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  async function openAtRest(): Promise<Opened> {
    const opened = await openSuspension(world, { context: { order: 12 } }, BY_DELIVERY);
    await lookUntil(
      () => Promise.resolve(world.activities.notified.length > 0),
      'nothing is tried',
    );
    await world.delivered(opened.id);
    return opened;
  }

  /** Fails unless the store gets the opening, and once. */
  async function assertWritten({ view }: Opened): Promise<void> {
    await lookUntil(() => Promise.resolve(openings().length > 0), 'nobody writes the opening');
    assert.deepEqual(openings(), [openingRow(view)]);
  }

  function openings(): readonly JournalRow[] {
    return world.activities.rows.filter(({ kind }) => kind === 'suspension_opened');
  }

  /** Which activities a question has started, in order. */
  async function startedBy({ handle }: Opened): Promise<readonly string[]> {
    const { events } = await handle.fetchHistory();
    return (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: activity }) => activity?.activityType?.name ?? [],
    );
  }

  async function answer(opened: Opened): Promise<readonly string[]> {
    await respond(opened, await world.answer(opened.view));
    return (await opened.handle.result()).rows.map(({ kind }) => kind);
  }

  /** Deliveries fail, and are tried again, until what is returned is called. */
  function breakChannel(): () => void {
    const { deliver } = world.activities;
    world.activities.deliver = () => Promise.reject(new Error('the channel is down'));
    return () => {
      world.activities.deliver = deliver;
    };
  }

  it('is the row that the question would write, and needs no activity of its own', async () => {
    const opened = await openAtRest();
    assert.deepEqual(world.activities.rows, [openingRow(opened.view)]);
    const left = await answer(opened);
    assert.deepEqual(left, ['timeline', 'timeline', 'timeline', 'timeline', 'suspension_settled']);
    assert.deepEqual(await startedBy(opened), ['notify']);
    const kinds = await eventKinds(opened.handle);
    assert.equal(kinds.filter((kind) => kind === 'workflowTaskCompleted').length, 3);
    assert.ok(!kinds.includes('markerRecorded'));
    const [delivered] = await timelineOf(opened, 'delivered');
    assert.ok(delivered && !('row_written' in delivered.detail));
  });

  it('goes with the first delivery, and with no later one', async () => {
    await openSuspension(world, { retry_policy: LADDER }, BY_DELIVERY);
    await world.sleep('7201 s');
    const given = world.activities.given.map((beside) => beside && Object.keys(beside));
    assert.deepEqual(given, [['opening'], ['progress'], ['progress']]);
    assert.equal(openings().length, 1);
  });

  it('is written by the question if the store was away when the message went out', async () => {
    world.activities.storeIsDown = true;
    const opened = await openAtRest();
    assert.equal(world.activities.notified.length, 1);
    await world.sleep('60 s');
    assert.deepEqual(openings(), []);
    world.activities.storeIsDown = false;
    await world.sleep('90 s');
    await assertWritten(opened);
    assert.deepEqual(await answer(opened), ['timeline', 'suspension_settled']);
  });

  it('is there at once though the channel is down, and once', async () => {
    const mend = breakChannel();
    const opened = await openAtRest();
    await assertWritten(opened);
    await world.sleep('60 s');
    mend();
    await world.sleep('60 s');
    assert.ok(world.activities.notified.length > 2);
    assert.ok(!(await answer(opened)).includes('suspension_opened'));
    assert.equal(openings().length, 1);
  });

  it('is written by the question once a delivery has failed for good', async () => {
    world.activities.storeIsDown = true;
    world.activities.deliver = () =>
      Promise.reject(ApplicationFailure.nonRetryable('not on the list', 'recipient_not_allowed'));
    const opened = await openAtRest();
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await assertWritten(opened);
  });

  it('is written by the question where deliveries do not know of it', async () => {
    world.activities.knowsRows = false;
    const opened = await openAtRest();
    await assertWritten(opened);
    assert.deepEqual(await startedBy(opened), ['notify', 'writeJournal']);
  });

  it('is written by the question that is told to, while a delivery is tried', async () => {
    world.activities.knowsRows = false;
    const mend = breakChannel();
    const opened = await openAtRest();
    assert.deepEqual(openings(), []);
    await opened.handle.signal(writeSignal);
    await world.sleep('10 s');
    await assertWritten(opened);
    mend();
    await world.sleep('60 s');
    assert.ok(!(await answer(opened)).includes('suspension_opened'));
    assert.equal(openings().length, 1);
  });

  it('is written by the next run if no delivery has been made', async () => {
    world.activities.knowsRows = false;
    breakChannel();
    const opened = await openSuspension(world, {}, { ...BY_DELIVERY, history_limit: 10 });
    await world.sleep('1 s');
    const { runId } = await opened.handle.describe();
    for (let sent = 0; sent < 10; sent += 1) await opened.handle.signal(attachSignal);
    await lookUntil(
      async () => (await opened.handle.describe()).runId !== runId,
      'it stays in its run',
    );
    await assertWritten(opened);
  });

  it('is among the last rows if the answer comes before the first delivery', async () => {
    const draft = { question: 'Refund?', response_type: 'text', fallback_policy: 'fail' } as const;
    const later = new Date((await world.now()) + 120_000).toISOString();
    const asked = openRecord(draft, randomUUID(), later);
    const opened = await openSuspension(world, {}, { ...BY_DELIVERY, ...asked });
    const handle = world.suspension(opened.id);
    await handle.executeUpdate(respondUpdate, { args: [await world.answer(opened.view, 'yes')] });
    assert.deepEqual(world.activities.notified, []);
    const { rows } = await handle.result();
    assert.equal(rows[0]?.kind, 'suspension_opened');
    assert.deepEqual(openings(), []);
  });
});
