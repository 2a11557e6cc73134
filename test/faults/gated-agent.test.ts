import assert from 'node:assert/strict';
import { Client, Connection } from '@temporalio/client';
import { after, afterEach, before, describe, it } from 'mocha';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import type { RunReport } from '../../workflows/human/index.js';
import { SEEDS } from '../support/secrets.js';
import { FaultStack } from './fault-stack.js';
import { Program } from './program.js';

describe('an agent whose tools are gated, on a real stack', function () {
  this.timeout(600_000);
  let world: FaultStack;
  let connection: Connection;
  let client: Client;
  let worker: Program;
  before(async () => {
    world = await FaultStack.start();
    connection = await Connection.connect({ address: world.stack.temporalAddress });
    client = new Client({ connection });
  });
  after(async () => {
    await connection.close();
    await world.close();
  });
  afterEach(() => worker.kill());

  async function startWorker(): Promise<Program> {
    const started = new Program(['examples/gated-agent/worker.ts'], world.stack.temporalAddress);
    await started.line(/^ready$/);
    return started;
  }

  /** Starts an agent, as a program that ends once the agent waits. */
  async function suspended(): Promise<RunReport> {
    const program = new Program(['examples/gated-agent/start.ts'], world.stack.temporalAddress);
    return JSON.parse(await program.ended()) as RunReport;
  }

  async function approve(approvalId: string): Promise<void> {
    const reply = await fetch(`${world.stack.apiUrl}/v1/approvals/${approvalId}`, {
      headers: { 'X-API-Key': SEEDS.operatorKey },
    });
    assert.equal(reply.status, 200);
    const { suspension_id, proposal_hash } = (await reply.json()) as ApprovalView;
    assert.ok(suspension_id);
    await world.operator.respond(null, { suspension_id, value: 'approved', proposal_hash });
  }

  it('tells who started it that it is suspended, and runs the call once: worker killed between approval and execution [A54-15, P3-23, TM-21]', async () => {
    worker = await startWorker();
    const { status, run_id, approvals } = await suspended();
    assert.equal(status, 'suspended');
    const [open] = approvals;
    assert.ok(open);
    await worker.kill();
    await approve(open.approval_id);
    assert.doesNotMatch(worker.printed, /deploying/);
    worker = await startWorker();
    const result: unknown = await client.workflow.getHandle(run_id).result();
    assert.equal(result, 'deployed {"service":"shop","version":"1.2.3","env":"prod"}');
    const ran = worker.printed.match(/^deploying under the key .*$/gm);
    assert.deepEqual(ran, [`deploying under the key ${open.approval_id}:call-2`]);
  });
});
