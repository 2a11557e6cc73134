import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  cancelUpdate,
  operatorResponseSignal,
  recordQuery,
  withdrawSignal,
} from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../support/intents.js';
import {
  awaitOutcome,
  historyOf,
  kindsOf,
  LADDER,
  openDelivered,
  settledRecord,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { World } from '../support/world.js';
import { caller } from '../../support/callers.js';

describe('Updates and Signals of a suspension', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  /** A question whose opening has come to rest: delivered and written. */
  async function openAtRest(): Promise<Opened> {
    const opened = await openDelivered(world, { retry_policy: LADDER });
    assert.deepEqual(await kindsOf(opened), ['opened', 'attempt', 'delivered']);
    return opened;
  }

  function cancelOf({ view }: Opened) {
    return {
      intent_id: view.intent_id,
      by: caller('agent-1'),
      cancelled_by: 'agent-1',
      settled_by: 'agent',
      reason: 'no longer needed',
    } as const;
  }

  it('refuses a second answer with what counted [R25-82, R25-83, R26-90]', async () => {
    const opened = await openAtRest();
    world.activities.storeIsDown = true;
    const { result } = await respond(opened, await world.answer(opened.view, 'deny'));
    const second = await refusalOf(respond(opened, await world.answer(opened.view)));
    assert.equal(second.code, 'suspension_settled');
    assert.deepEqual(second.state, {
      resolution: 'responded',
      settled_at: result.responded_at,
      responded_by: 'alice',
      responded_at: result.responded_at,
      value: 'deny',
    });
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    assert.equal((await opened.handle.result()).response, 'deny');
  });

  it('withstands two hundred refused Updates', async () => {
    const opened = await openAtRest();
    const answer = await world.answer(opened.view, 'neither');
    const before = await historyOf(opened);
    for (let batch = 0; batch < 20; batch++) {
      const sent = Array.from({ length: 10 }, () => refusalOf(respond(opened, answer)));
      const codes = (await Promise.all(sent)).map(({ code }) => code);
      assert.deepEqual([...new Set(codes)], ['invalid_value']);
    }
    assert.equal((await historyOf(opened)).length, before.length);
    await respond(opened, await world.answer(opened.view));
    assert.equal((await opened.handle.result()).resolution, 'responded');
  });

  it('takes an answer by Signal [TM-04]', async () => {
    const opened = await openAtRest();
    const metadata = { ticket: 7 };
    const answer = { ...(await world.answer(opened.view)), metadata };
    await opened.handle.signal(operatorResponseSignal, answer);
    const settled = await opened.handle.result();
    assert.equal(settled.response, 'approve');
    assert.deepEqual(
      [settled.resolution, settled.settled_by, settled.responded_by, settled.submitted_by],
      ['responded', 'operator', 'alice', 'alice'],
    );
    assert.equal(settled.responded_at, answer.received_at);
    assert.deepEqual(settled.metadata, metadata);
  });

  it('records invalid Signals, the first fifty of them', async () => {
    const opened = await openAtRest();
    const answer = await world.answer(opened.view, 'neither');
    for (let sent = 0; sent < 60; sent++) {
      await opened.handle.signal(operatorResponseSignal, answer);
    }
    const rejected = await timelineOf(opened, 'answer_rejected');
    assert.equal(rejected.length, 50);
    assert.equal(rejected[0]?.detail['code'], 'invalid_value');
    assert.equal(rejected[0].detail['responded_by'], 'alice');
    await respond(opened, await world.answer(opened.view));
    assert.equal((await opened.handle.result()).response, 'approve');
  });

  it('records a late Signal without changing the outcome [R26-90]', async () => {
    const opened = await openAtRest();
    world.activities.storeIsDown = true;
    await respond(opened, await world.answer(opened.view, 'deny'));
    await opened.handle.signal(operatorResponseSignal, await world.answer(opened.view));
    const [rejected] = await timelineOf(opened, 'answer_rejected');
    assert.equal(rejected?.detail['code'], 'suspension_settled');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    assert.equal((await opened.handle.result()).response, 'deny');
  });

  it('survives Signals that are no answers', async () => {
    const opened = await openAtRest();
    const answer = await world.answer(opened.view);
    const garbage: unknown[] = [
      undefined,
      null,
      'approve',
      [],
      {},
      { ...answer, answer: undefined },
      { ...answer, answer: null },
      { ...answer, answer: { key: 1, body_hash: 'x' } },
      { ...answer, responded_by: { name: 'alice' } },
      { ...answer, metadata: 'none' },
      { ...answer, value: undefined },
      { ...answer, value: { nested: [1] } },
      { ...answer, value: 'neither', received_at: 'yesterday' },
      { ...answer, value: 'neither', received_at: 17 },
    ];
    for (const message of garbage) await opened.handle.signal('operatorResponse', message);
    for (const message of [undefined, null, 1, {}, { intent_id: 3 }]) {
      await opened.handle.signal('withdraw', message);
    }
    const codes = (await timelineOf(opened, 'answer_rejected')).map(({ detail }) => detail['code']);
    assert.deepEqual(codes, [
      ...Array.from({ length: 11 }, () => 'invalid_request'),
      ...Array.from({ length: 3 }, () => 'invalid_value'),
    ]);
    await opened.handle.signal('operatorResponse', { ...answer, received_at: 'yesterday' });
    const settled = await opened.handle.result();
    assert.equal(settled.response, 'approve');
    assert.ok(Date.parse(settled.settled_at) >= Date.parse(opened.view.record.suspended_at));
  });

  it('never dates an answer before its question', async () => {
    const opened = await openAtRest();
    const answer = { ...(await world.answer(opened.view)), received_at: '2001-01-01T00:00:00Z' };
    await opened.handle.signal(operatorResponseSignal, answer);
    assert.equal((await opened.handle.result()).responded_at, opened.view.record.suspended_at);
  });

  it('cancels by Update with the reason', async () => {
    const opened = await openAtRest();
    const other = { ...cancelOf(opened), intent_id: 'other' };
    const cancelling = opened.handle.executeUpdate(cancelUpdate, { args: [other] });
    assert.equal((await refusalOf(cancelling)).code, 'suspension_mismatch');
    const stranger = { ...cancelOf(opened), by: caller('agent-2', 'agent', 'operator') };
    const forbidden = opened.handle.executeUpdate(cancelUpdate, { args: [stranger] });
    assert.equal((await refusalOf(forbidden)).code, 'forbidden');
    const receipt = await opened.handle.executeUpdate(cancelUpdate, { args: [cancelOf(opened)] });
    const { record, intent_id } = receipt;
    assert.equal(intent_id, opened.view.intent_id);
    assert.deepEqual(await settledRecord(opened.handle), record);
    const { resolution, settled_by, submitted_by, reason, response } = record;
    assert.deepEqual(
      { resolution, settled_by, submitted_by, reason, response },
      {
        resolution: 'cancelled',
        settled_by: 'agent',
        submitted_by: 'agent-1',
        reason: 'no longer needed',
        response: undefined,
      },
    );
    await world.sleep('2 hours');
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1]);
  });

  it('withdraws by Signal; a later one changes nothing', async () => {
    const opened = await openAtRest();
    world.activities.storeIsDown = true;
    await opened.handle.signal(withdrawSignal, cancelOf(opened));
    await opened.handle.signal(withdrawSignal, { ...cancelOf(opened), reason: 'again' });
    const { record } = await opened.handle.query(recordQuery);
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    assert.deepEqual(await settledRecord(opened.handle), record);
    assert.deepEqual([record.resolution, record.reason], ['cancelled', 'no longer needed']);
  });

  it('tells waiters before the store has the rows', async () => {
    const opened = await openAtRest();
    world.activities.storeIsDown = true;
    const waiting = await awaitOutcome(opened);
    await respond(opened, await world.answer(opened.view));
    const outcome = await waiting.result();
    assert.equal(outcome.moved, false);
    assert.equal((await opened.handle.describe()).status.name, 'RUNNING');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await opened.handle.result();
  });

  it('takes a cancellation through Temporal as a withdrawal', async () => {
    const opened = await openAtRest();
    const waiting = await awaitOutcome(opened);
    await opened.handle.cancel();
    const record = await settledRecord(opened.handle);
    assert.deepEqual(
      [record.resolution, record.settled_by, record.submitted_by, record.reason],
      ['cancelled', 'admin', 'temporal', 'cancelled through Temporal'],
    );
    const outcome = await waiting.result();
    assert.ok(!outcome.moved);
    assert.deepEqual(outcome.view.record, record);
  });
});
