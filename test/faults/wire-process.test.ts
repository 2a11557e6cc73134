import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { ApprovalClient } from '../../client/index.js';
import { Bank } from '../support/bank.js';
import { SEEDS } from '../support/secrets.js';
import { FaultStack } from './fault-stack.js';
import { Program } from './program.js';

describe('an agent without a framework, on a real stack', function () {
  this.timeout(600_000);
  const bank = new Bank();
  const started: Program[] = [];
  let world: FaultStack;
  let bankUrl: string;
  before(async () => {
    world = await FaultStack.start();
    bankUrl = await bank.start();
  });
  after(async () => {
    for (const program of started) await program.kill();
    await bank.stop();
    await world.close();
  });

  /** Starts the agent anew; it stops at a moment, if one is named, and waits to be killed. */
  function start(HOLD_AT = '', HOLDER = 'agent'): Program {
    const program = new Program(['test/faults/wire-process.ts'], world.stack.temporalAddress, {
      HOLDPOINT_URL: world.stack.apiUrl,
      HOLDPOINT_API_KEY: SEEDS.agentKey,
      BANK_URL: bankUrl,
      HOLD_AT,
      HOLDER,
    });
    started.push(program);
    return program;
  }

  /** What the agent says at a moment. */
  async function said(program: Program, moment: string): Promise<string> {
    return (await program.line(new RegExp(`^${moment}`))).slice(moment.length + 1);
  }

  it('wires once, killed before redeeming, before executing and before completing [P3-23, A54-22]', async () => {
    const first = start('asked');
    const requestId = JSON.parse(await said(first, 'asked')) as string;
    await first.kill();
    const people = new ApprovalClient({
      baseUrl: world.stack.apiUrl,
      apiKey: SEEDS.operatorKey,
    });
    const { status } = await people.resume(
      { runId: 'wire-1', approvalId: requestId },
      { decision: 'approve', reason: 'checked' },
    );
    assert.equal(status, 'approved');

    const second = start('redeemed');
    const approved = await said(second, 'redeemed');
    const other = start('', 'other');
    assert.equal(await said(other, 'refused'), '[409,"approval_in_use"]');
    await second.kill();
    assert.deepEqual(bank.wires(), []);

    const third = start('executed');
    const receipt = await said(third, 'executed');
    await third.kill();

    const fourth = start();
    await said(fourth, 'done');
    const late = start('', 'other');
    const result = await said(late, 'done');

    assert.deepEqual(bank.wires(), [{ amount: 4_800, to: 'ACME' }]);
    assert.equal(bank.requests().length, 2);
    assert.equal(new Set(bank.requests()).size, 1);
    assert.equal(result, receipt);
    for (const program of [third, fourth, late]) {
      assert.equal(await said(program, 'redeemed'), approved);
    }
    const { approvers } = JSON.parse(approved) as { approvers: { principal: string }[] };
    assert.deepEqual(
      approvers.map(({ principal }) => principal),
      ['alice'],
    );
    assert.deepEqual(
      await Promise.all([second, third, fourth].map((program) => said(program, 'asked'))),
      Array.from({ length: 3 }, () => JSON.stringify(requestId)),
    );
  });
});
