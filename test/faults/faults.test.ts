import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { Client, Connection } from '@temporalio/client';
import type { HoldpointError } from '../../client/index.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { hashJson, sha256Hex } from '../../domain/kernel/hashing.js';
import { respondUpdate, type OperatorAnswer } from '../../workflows/suspension/messages.js';
import type { suspension } from '../../workflows/suspension/workflow.js';
import { caller } from '../support/callers.js';
import { SEEDS } from '../support/secrets.js';
import { FaultStack } from './fault-stack.js';

/** Long enough for a task that died with its worker to come again (10 s) before the end. */
const REMINDED = { retry_policy: { max_attempts: 2, interval_seconds: 8 } };
const PATIENT = { retry_policy: { max_attempts: 2, interval_seconds: 4_000 } };
const ANSWERED = ['intent_created', 'intent.suspended', 'intent.resumed'];
const ALICE = 'alice';
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

  async function assertAnswered(intentId: string, id: string): Promise<void> {
    const settled = await world.operator.waitForSuspension(id);
    assert.equal(settled.record.response, 'approve');
    assert.deepEqual(await world.types(intentId, ANSWERED.length), ANSWERED);
    assert.deepEqual(await world.breaks(intentId), []);
  }

  it('counts an answer once: server killed before the commit', async () => {
    const { intentId, view } = await world.ask(PATIENT);
    await world.stack.pause('temporal');
    const answer = { suspension_id: view.id, value: 'approve' };
    const answered = world.operator.respond(intentId, answer, { idempotencyKey: 'before' });
    await world.stack.resume('temporal');
    assert.equal((await answered).accepted, true);
    await assertAnswered(intentId, view.id);
  });

  /** Answers as an API does, and kills Temporal the moment it says that the answer counts. */
  async function commit(id: string, key: string, body: JsonObject): Promise<void> {
    const connection = await Connection.connect({ address: world.stack.temporalAddress });
    try {
      const { workflow } = new Client({ connection });
      const handle = workflow.getHandle<typeof suspension>(workflowIdOf('suspension', id));
      const sent: OperatorAnswer = {
        value: 'approve',
        responded_by: ALICE,
        by: caller(ALICE, 'operator'),
        received_at: new Date().toISOString(),
        answer: { key, body_hash: hashJson(body) },
      };
      await handle.executeUpdate(respondUpdate, { args: [sent], updateId: key });
      await world.stack.kill('temporal', 'SIGKILL');
    } finally {
      await connection.close();
    }
  }

  it('keeps an answer, and its key: server killed after the commit', async () => {
    const { intentId, view } = await world.ask(PATIENT);
    const body = { suspension_id: view.id, value: 'approve', responded_by: ALICE };
    const idempotencyKey = 'after';
    const key = `r:${sha256Hex([ALICE, idempotencyKey, view.id].join('\0'))}`;
    await commit(view.id, key, body);
    await world.stack.untilUp('temporal');
    await world.stack.untilReady();
    const again = await world.operator.respond(null, body, { idempotencyKey });
    assert.ok(again.accepted);
    assert.equal(again.result.value, 'approve');
    const other = world.operator.respond(null, { suspension_id: view.id, value: 'deny' });
    await assert.rejects(other, (error: HoldpointError) => error.code === 'suspension_settled');
    await assertAnswered(intentId, view.id);
  });

  async function subscribed(): Promise<Response> {
    const { id } = await world.agent.createIntent({ title: 'Refund', status: 'active' });
    return fetch(`${world.stack.apiUrl}/api/v1/subscriptions`, {
      method: 'POST',
      headers: { 'X-API-Key': SEEDS.agentKey, 'Content-Type': 'application/json' },
      // What the SDK sends.
      body: JSON.stringify({
        intent_id: id,
        portfolio_id: null,
        subscriber_id: 'agent-1',
        webhook_url: 'https://agents.example.com/hook',
        event_types: ['state_patched'],
        expires_at: null,
      }),
    });
  }

  it('is made, with a secret of its own, also after the API has come back', async () => {
    const first = await subscribed();
    assert.equal(first.status, 200, await first.clone().text());
    await world.stack.kill('api');
    await world.stack.untilReady();
    const second = await subscribed();
    assert.equal(second.status, 200, await second.clone().text());
    const bodies = (await Promise.all([first.json(), second.json()])) as { id: string }[];
    assert.notEqual(bodies[0]?.id, bodies[1]?.id);
  });
});
