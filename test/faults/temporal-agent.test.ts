import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { FaultStack } from './fault-stack.js';
import { Program } from './program.js';

describe('an agent on Temporal, on a real stack', () => {
  let world: FaultStack;
  let connection: Connection;
  let client: Client;
  let worker: Program;
  let agent: Program | undefined;
  let orders = 0;
  before(async () => {
    world = await FaultStack.start();
    connection = await Connection.connect({ address: world.stack.temporalAddress });
    client = new Client({ connection });
  });
  after(async () => {
    await connection.close();
    await world.close();
  });
  beforeEach(async () => {
    orders += 1;
    worker = await startWorker();
  });
  afterEach(async () => {
    await Promise.all([worker.kill(), agent?.kill()]);
  });

  async function startWorker(): Promise<Program> {
    const args = ['examples/temporal-agent/worker.ts'];
    const started = new Program(args, world.stack.temporalAddress);
    await started.line(/^ready$/);
    return started;
  }

  /** Starts the agent of an order; resolves with it and its question once that is open. */
  async function startAgent() {
    const order = String(orders);
    const args = ['examples/temporal-agent/start.ts', order];
    const program = new Program(args, world.stack.temporalAddress);
    agent = program;
    const asked = await worker.line(/^asked, attempt 1 of 3: suspension /);
    const id = asked.split(' ').at(-1) ?? '';
    return { order, program, id, handle: client.workflow.getHandle(`refund-${order}`) };
  }

  it('goes on with the answer: worker killed before the parent hears', async () => {
    const { order, program, id } = await startAgent();
    await worker.kill();
    const answer = { suspension_id: id, value: 'approve' };
    const receipt = await world.operator.respond(null, answer);
    assert.ok(receipt.accepted);
    assert.equal(receipt.result.intent_id, null);
    worker = await startWorker();
    await worker.line(/^alice chose Approve refund$/);
    assert.equal(await program.line(/./), `order ${order} is refunded`);
    const settled = await world.operator.getSuspension(id);
    assert.deepEqual([settled.asked_by, settled.record.response], ['refund-agent', 'approve']);
    const again = ['examples/temporal-agent/start.ts', order];
    agent = new Program(again, world.stack.temporalAddress);
    assert.equal(await agent.line(/./), `order ${order} is refunded`);
  });

  it("goes on when Holdpoint's worker was killed while it waited", async () => {
    const { order, program, id } = await startAgent();
    await world.stack.kill('worker', 'SIGKILL');
    await world.operator.respond(null, { suspension_id: id, value: 'deny' });
    assert.equal(await program.line(/./), `order ${order} is not refunded`);
  });

  it('goes on when both workers were killed, and Temporal too', async () => {
    const { order, program, id, handle } = await startAgent();
    await program.kill();
    await Promise.all([
      worker.kill(),
      world.stack.kill('worker', 'SIGKILL'),
      world.stack.kill('temporal', 'SIGKILL'),
    ]);
    await world.stack.untilUp('temporal');
    await world.stack.untilReady();
    await world.operator.respond(null, { suspension_id: id, value: 'approve' });
    worker = await startWorker();
    assert.equal(await handle.result(), `order ${order} is refunded`);
  });

  it('gets an answer: server killed after the commit, before the parent hears', async () => {
    const { order, program, id, handle } = await startAgent();
    await Promise.all([program.kill(), worker.kill()]);
    await world.operator.respond(null, { suspension_id: id, value: 'approve' });
    await world.stack.kill('temporal', 'SIGKILL');
    await world.stack.untilUp('temporal');
    await world.stack.untilReady();
    worker = await startWorker();
    assert.equal(await handle.result(), `order ${order} is refunded`);
  });
});
