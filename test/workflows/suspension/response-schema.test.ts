import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { operatorResponseSignal, recordQuery } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../support/intents.js';
import { openSuspension, respond, timelineOf } from '../support/suspensions.js';
import { World } from '../support/world.js';

const AMOUNT = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };

/** Without a cache, every task judges the answers before it again. */
describe('a question with a response schema', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('refuses an answer that does not fit, and waits for one that does [JC-42, JC-43]', async () => {
    const form = { response_type: 'form', response_schema: AMOUNT } as const;
    const opened = await openSuspension(world, form);
    const wrong = await world.answer(opened.view, { amount: 'all' }, 'r:1');
    const refusal = await refusalOf(respond(opened, wrong));
    assert.deepEqual([refusal.code, refusal.field], ['invalid_value', 'value.amount']);
    const view = await opened.handle.query(recordQuery);
    assert.deepEqual([view.state, view.record.response_schema], ['pending', AMOUNT]);
    assert.deepEqual(await timelineOf(opened, 'answer_rejected'), []);
    await respond(opened, await world.answer(opened.view, { amount: 1 }, 'r:2'));
    const { response } = await opened.handle.result();
    assert.deepEqual(response, { amount: 1 });
  });

  it('judges an answer by Signal no less, and notes why it does not count [JC-42]', async () => {
    const opened = await openSuspension(world, { response_schema: AMOUNT });
    await world.delivered(opened.id);
    const answer = await world.answer(opened.view, 'approve', 'r:1');
    await opened.handle.signal(operatorResponseSignal, { ...answer, data: {} });
    const [rejected] = await timelineOf(opened, 'answer_rejected');
    assert.equal(rejected?.detail['code'], 'invalid_value');
    assert.equal((await opened.handle.query(recordQuery)).state, 'pending');
    const fitting = await world.answer(opened.view, 'approve', 'r:2');
    const data = { amount: 2 };
    await opened.handle.signal(operatorResponseSignal, { ...fitting, data });
    assert.deepEqual((await opened.handle.result()).data, data);
  });
});
