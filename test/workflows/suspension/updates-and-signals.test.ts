import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cancelUpdate, operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../support/intents.js';
import {
  kindsOf,
  LADDER,
  openDelivered,
  settledRecord,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';
import { caller } from '../../support/callers.js';

describe('Updates and Signals of a suspension', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

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
});
