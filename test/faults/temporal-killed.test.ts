import { Client, Connection } from '@temporalio/client';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { HoldpointError } from '../../client/index.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { hashJson, sha256Hex } from '../../domain/kernel/hashing.js';
import { respondUpdate } from '../../workflows/suspension/messages.js';
import type { OperatorAnswer } from '../../workflows/suspension/messages.js';
import type { suspension } from '../../workflows/suspension/workflow.js';
import { caller } from '../support/callers.js';
import { FaultStack } from './fault-stack.js';

const PATIENT = { retry_policy: { max_attempts: 2, interval_seconds: 4_000 } };
const ANSWERED = ['intent_created', 'intent.suspended', 'intent.resumed'];
const ALICE = 'alice';

describe('Temporal that is killed around an answer', () => {
  let world: FaultStack;
  before(async () => {
    world = await FaultStack.start();
  });
  after(() => world.close());

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
});
