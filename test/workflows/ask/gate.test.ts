import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { ParentClosePolicy } from '@temporalio/workflow';
import type { Redeemed } from '../../../contracts/approval/requests.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { failureOf } from '../support/agents.js';
import { vote, type AskedTier, type Rules } from '../support/approvals.js';
import { ALLOWED } from '../support/approval-questions.js';
import { Askers, ENDS } from '../support/askers.js';
import { perSuite } from '../support/world.js';

const CALL = { id: 'call-1', tool: 'wire', arguments: { amount: 500, to: 'ada' } };

/** A request of its own, which a test finds by its prompt. */
function newRequest(more: object = {}) {
  return { run_id: 'run-1', prompt: `Wire ${randomUUID()}?`, calls: [CALL], ...more };
}

type Request = ReturnType<typeof newRequest>;

describe('the workflow type gate', () => {
  let askers: Askers;
  perSuite(Askers, (one) => (askers = one));

  async function tierOf({ prompt }: Request): Promise<AskedTier> {
    const { id, record } = await askers.opened(prompt);
    assert.ok(record.approval);
    return { id, record, approval: record.approval };
  }

  function withRules(rules: Rules): void {
    askers.world.activities.approvals = approvalsConfigSchema.parse(rules);
  }

  it('returns the approved call to its parent, which is the asker', async () => {
    const request = newRequest();
    const parent = await askers.run('asksByName', 'gate', request);
    const tier = await tierOf(request);
    assert.equal(askers.asked(request.prompt)[0]?.asked_by, parent.workflowId);
    await vote(askers.world, tier, 'alice');
    const call = (await parent.result()) as unknown as Redeemed;
    const { approvers, lease_until, proposal_hash, ...rest } = call;
    const { approval_id } = tier.approval.proposal;
    assert.deepEqual(rest, {
      approval_id,
      call_id: 'call-1',
      tool: 'wire',
      arguments: CALL.arguments,
      edited: false,
      idempotency_key: `${approval_id}:call-1`,
      token: 1,
    });
    assert.equal(proposal_hash, tier.approval.proposal_hash);
    assert.deepEqual(
      approvers.map(({ principal }) => principal),
      ['alice'],
    );
    assert.ok(Date.parse(lease_until) > 0);
  });

  it('returns edited arguments', async () => {
    const request = newRequest();
    const parent = await askers.run('asksByName', 'gate', request);
    const less = { amount: 100, to: 'ada' };
    await vote(askers.world, await tierOf(request), 'alice', 'approved', {
      edits: [{ call_id: 'call-1', arguments: less }],
      edits_allowed: ALLOWED,
    });
    const call = (await parent.result()) as unknown as Redeemed;
    assert.deepEqual([call.arguments, call.edited], [less, true]);
  });

  it('fails with what people said where they reject the call', async () => {
    const request = newRequest();
    const gate = await askers.begin('gate', request);
    await vote(askers.world, await tierOf(request), 'alice', 'rejected', { comment: 'too much' });
    const { type, details } = await failureOf(gate);
    assert.equal(type, 'approval_decided');
    const [{ state }] = details as [Refusal];
    assert.deepEqual([state?.['status'], state?.['comment']], ['rejected', 'too much']);
  });

  it('asks nobody about a call that a rule allows or denies, for the agent that it names', async () => {
    withRules({
      rules: [
        { tool: 'wire', agent: 'books', verdict: 'allow' },
        { tool: 'wire', verdict: 'deny' },
      ],
    });
    const request = newRequest({ agent: 'books' });
    const call = (await (await askers.begin('gate', request)).result()) as Redeemed;
    assert.equal(call.tool, 'wire');
    assert.equal(
      (await failureOf(await askers.begin('gate', newRequest()))).type,
      'approval_decided',
    );
    assert.deepEqual(askers.asked(request.prompt), []);
    withRules({});
  });

  const WRONG: readonly (readonly [string, object, string])[] = [
    ['two calls', { calls: [CALL, { ...CALL, id: 'call-2' }] }, 'calls'],
    ['no call', { calls: [] }, 'calls'],
    ['an intent', { intent_id: randomUUID() }, 'intent_id'],
    ['a checkpoint', { checkpoint: { state: {} } }, 'checkpoint'],
    ['an id of its own', { approval_id: randomUUID() }, 'approval_id'],
    ['an unknown field', { promt: 'Wire?' }, 'promt'],
    ['no text as its key', { request_key: 7 }, 'request_key'],
  ];
  for (const [what, more, field] of WRONG) {
    it(`refuses ${what}, and asks nobody`, async () => {
      const request = newRequest(more);
      const { type, details } = await failureOf(await askers.begin('gate', request));
      assert.equal(type, 'invalid_request');
      const [refusal] = details as [Refusal];
      assert.equal(refusal.field, field);
      assert.ok(refusal.accepted, 'it says what is accepted');
      assert.deepEqual(askers.asked(request.prompt), []);
    });
  }

  for (const policy of [undefined, ParentClosePolicy.REQUEST_CANCEL]) {
    for (const key of [undefined, 'wire']) {
      const how = `${key === undefined ? 'without' : 'with'} a key, the policy ${policy ?? 'of the SDK'}`;
      for (const [what, onward, end] of ENDS) {
        it(`asks nobody any more when its parent ${what}: ${how}`, async () => {
          const request = newRequest({ request_key: key });
          const parent = await askers.run('asksByName', 'gate', request, onward, policy);
          const { id } = await tierOf(request);
          await end(parent);
          const { resolution } = await askers.world.suspension(id).result();
          assert.equal(resolution, 'cancelled');
        });
      }
    }

    it(`goes on under its key when its parent continues as new: the policy ${policy ?? 'of the SDK'}`, async () => {
      const request = newRequest({ request_key: 'wire' });
      const parent = await askers.run('asksByName', 'gate', request, 'continues', policy);
      const tier = await tierOf(request);
      await askers.movedOn(parent);
      await vote(askers.world, tier, 'alice');
      const { call_id } = (await parent.result()) as unknown as Redeemed;
      assert.equal(call_id, 'call-1');
      assert.equal(askers.asked(request.prompt).length, 1);
    });
  }
});

describe('the workflow type complete', () => {
  let askers: Askers;
  perSuite(Askers, (one) => (askers = one));

  async function approved(): Promise<Redeemed> {
    const request = newRequest();
    const gate = await askers.begin('gate', request);
    const { id, record } = await askers.opened(request.prompt);
    assert.ok(record.approval);
    await vote(askers.world, { id, record, approval: record.approval }, 'alice');
    return (await gate.result()) as Redeemed;
  }

  it('notes what a call returned, for the workflow that has run it', async () => {
    const request = newRequest();
    const parent = await askers.run('runsByName', request);
    const { id, record } = await askers.opened(request.prompt);
    assert.ok(record.approval);
    await vote(askers.world, { id, record, approval: record.approval }, 'alice');
    const { result, completed_at } = (await parent.result()) as unknown as Redeemed;
    assert.deepEqual(result, { ran: CALL.arguments });
    assert.ok(completed_at);
  });

  it('refuses the result of another workflow while the lease runs', async () => {
    const { idempotency_key } = await approved();
    const other = await askers.begin('complete', idempotency_key, 'done');
    assert.equal((await failureOf(other)).type, 'approval_in_use');
  });

  it('keeps the first result', async () => {
    const { idempotency_key } = await approved();
    await askers.world.sleep('61 s');
    const results: unknown[] = [];
    for (const one of ['first', 'second']) {
      const complete = await askers.begin('complete', idempotency_key, one);
      results.push(((await complete.result()) as Redeemed).result);
    }
    assert.deepEqual(results, ['first', 'first']);
  });

  for (const key of ['call-1', `${randomUUID()}:`, 7, undefined]) {
    it(`refuses ${String(key)} as its key`, async () => {
      const { type, details } = await failureOf(await askers.begin('complete', key, 'done'));
      assert.equal(type, 'invalid_request');
      const [{ field, accepted }] = details as [Refusal];
      assert.equal(field, 'key');
      assert.ok(accepted);
    });
  }

  it('refuses the key of an approval that does not exist', async () => {
    const complete = await askers.begin('complete', `${randomUUID()}:call-1`, 'done');
    assert.equal((await failureOf(complete)).type, 'approval_not_found');
  });
});
