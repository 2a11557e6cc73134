import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { FaultStack } from './fault-stack.js';

/** Long enough for a task that died with its worker to come again (10 s) before the end. */
const REMINDED = { retry_policy: { max_attempts: 2, interval_seconds: 8 } };
const PATIENT = { retry_policy: { max_attempts: 2, interval_seconds: 4_000 } };
const ANSWERED = ['intent_created', 'intent.suspended', 'intent.resumed'];
const ANSWERED_LATE = [
  'intent_created',
  'intent.suspended',
  'intent.suspension_renotified',
  'intent.resumed',
];

describe('faults on a real stack', () => {
  let world: FaultStack;
  before(async () => {
    world = await FaultStack.start();
  });
  after(() => world.close());

  it('reminds on time although the worker was killed', async () => {
    const { intentId, view } = await world.ask(REMINDED);
    await world.stack.kill('worker', 'SIGKILL');
    const reminded = await world.attemptAfter(view.id, 1);
    assert.equal(reminded.attempt, 2);
    await world.operator.respond(intentId, { suspension_id: view.id, value: 'approve' });
    assert.deepEqual(await world.types(intentId, 4), ANSWERED_LATE);
    assert.deepEqual(await world.breaks(intentId), []);
  });

  it('takes an answer in while the worker is away, once', async () => {
    const { intentId, view } = await world.ask(PATIENT);
    await world.stack.pause('worker');
    const answer = { suspension_id: view.id, value: 'deny' };
    const idempotencyKey = 'while-away';
    const handed = await world.operator.respond(intentId, answer, { idempotencyKey });
    assert.equal(handed.accepted, false);
    await world.stack.resume('worker');
    const settled = await world.operator.waitForSuspension(view.id);
    assert.equal(settled.record.response, 'deny');
    const again = await world.operator.respond(intentId, answer, { idempotencyKey });
    assert.equal(again.accepted, true);
    assert.deepEqual(await world.types(intentId, 3), ANSWERED);
  });

  it('keeps one answer: API killed before it replies', async () => {
    const { intentId, view } = await world.ask(PATIENT);
    const answer = { suspension_id: view.id, value: 'approve' };
    const idempotencyKey = 'api-dies';
    const first = world.operator.respond(intentId, answer, { idempotencyKey });
    const killed = world.stack.kill('api', 'SIGKILL');
    const receipt = await first;
    await killed;
    assert.equal(receipt.accepted, true);
    const settled = await world.operator.waitForSuspension(view.id);
    assert.equal(settled.record.response, 'approve');
    assert.deepEqual(await world.types(intentId, 3), ANSWERED);
  });

  it('goes on where it was when Temporal is killed and comes back', async () => {
    const { intentId, view } = await world.ask(REMINDED);
    await world.stack.kill('temporal', 'SIGKILL');
    await world.stack.untilUp('temporal');
    await world.stack.untilReady();
    const reminded = await world.attemptAfter(view.id, 1);
    assert.equal(reminded.attempt, 2);
    const settled = await world.operator.waitForSuspension(view.id);
    assert.equal(settled.record.resolution, 'expired');
    assert.deepEqual(await world.types(intentId, 5), [
      ...ANSWERED_LATE.slice(0, 3),
      'intent.suspension_expired',
      'status_changed',
    ]);
  });
});
