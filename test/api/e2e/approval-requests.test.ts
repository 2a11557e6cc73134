import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { ApprovalRequired } from '../../../contracts/approval/requests.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { RunEvent } from '../../../contracts/intent/event.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack, type KeyName } from '../../support/real-stack.js';

const CALLS = [
  { id: 'call-1', tool: 'wire', arguments: { to: 'DE1', amount: 500 } },
  { id: 'call-2', tool: 'mail', arguments: { to: 'ada' } },
];
/** Of a sale, in which alice and root may decide in both stages. */
const RULES = {
  rules: [{ tool: 'sell', verdict: 'escalate', route: 'policy_pack', pack: 'shares' }],
  packs: { shares: { stages: [{ name: 'team' }, { name: 'board' }] } },
};

describe('an agent that is not on Temporal', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({ approvals: RULES });
  });
  after(() => stack.close());

  /** Opens a request in the name of ursula. */
  async function open(fields: object = {}) {
    const body = { run_id: 'run-7', decider: 'ursula', calls: CALLS, ...fields };
    const reply = await stack.post('/v1/approvals', 'agent', body);
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    return reply.body as ApprovalRequired & { readonly warnings?: readonly string[] };
  }
  const resume = (id: string, key: KeyName, body: object, headers?: Record<string, string>) =>
    stack.post(`/v1/requests/${id}/resume`, key, body, headers);
  const pickUp = (id: string, what: string, body: object, key: KeyName = 'agent') =>
    stack.post(`/v1/approvals/${id}/${what}`, key, body);
  const redeem = (id: string, call_id: string, holder = 'p1') =>
    pickUp(id, 'redeem', { call_id, holder });

  it('gets a URL that works as soon as it sees it, decided by its user [P3-06] [P3-07] [P3-10] [P3-16] [P3-17] [P3-19]', async () => {
    const request = await open({ prompt: 'Pay R-17?' });
    const { task, allowed_actions } = request;
    assert.deepEqual([task.tool_calls, allowed_actions], [CALLS, ['approve', 'reject']]);
    const decided = await stack.post(request.url, 'user', {
      action: 'approve',
      comment: 'checked',
    });
    assert.equal(decided.status, 200, JSON.stringify(decided.body));
    assert.deepEqual(
      [decided.body.status, decided.body.task.status, decided.body.task.tool_calls],
      ['approved', 'approved', CALLS],
    );
  });

  it('goes on from its saved calls, each carried out under one key [P3-11] [P3-23]', async () => {
    const { request_id } = await open();
    const early = await redeem(request_id, 'call-1');
    assert.deepEqual([early.status, early.body.code], [409, 'approval_pending']);
    await resume(request_id, 'user', { action: 'approve' });
    const keys = new Set<string>();
    for (const call of CALLS) {
      const redeemed = await redeem(request_id, call.id);
      assert.deepEqual(redeemed.body.arguments, call.arguments);
      assert.equal(redeemed.body.approvers[0].principal, 'ursula');
      keys.add(redeemed.body.idempotency_key);
      const other = await redeem(request_id, call.id, 'p2');
      assert.deepEqual([other.status, other.body.code], [409, 'approval_in_use']);
      const { token } = redeemed.body;
      const done = await pickUp(request_id, 'complete', { call_id: call.id, token, result: 'ok' });
      assert.equal(done.status, 200, JSON.stringify(done.body));
    }
    assert.equal(keys.size, 2);
    await stack.client.workflow.getHandle(workflowIdOf('approval', request_id)).result();
    const later = await redeem(request_id, 'call-1', 'p3');
    assert.deepEqual([later.status, later.body.result], [200, 'ok']);
    const body = { call_id: 'call-2', token: 1, result: 'again' };
    const repeated = await pickUp(request_id, 'complete', body);
    assert.deepEqual([repeated.status, repeated.body.result], [200, 'ok']);
  });

  it('can redeem as soon as an answer to its question has its 200', async () => {
    // While a delivery is tried, the question tells its approval by Signal how it ended.
    stack.channelIsBroken = true;
    for (let round = 0; round < 8; round += 1) {
      const { request_id } = await open({ decider: undefined });
      const { body: asked } = await stack.get(`/v1/approvals/${request_id}`, 'agent');
      const { suspension_id, proposal_hash } = asked;
      const answer = { value: 'approved', proposal_hash };
      const path = `/v1/suspensions/${String(suspension_id)}/respond`;
      const answered = await stack.post(path, 'operator', answer);
      assert.equal(answered.status, 200, JSON.stringify(answered.body));
      const redeemed = await redeem(request_id, 'call-1');
      assert.equal(redeemed.status, 200, JSON.stringify(redeemed.body));
    }
    stack.channelIsBroken = false;
  });

  for (const [action, status] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    it(`leaves a record of who decided on which calls, and when: ${status} [P3-13] [P3-14]`, async () => {
      const run_id = `run-${randomUUID()}`;
      const { request_id } = await open({ run_id });
      const before = new Date().toISOString();
      await resume(request_id, 'user', { action, comment: 'seen' });
      const { body } = await stack.get(`/v1/approvals/${request_id}`, 'user');
      const { resolution, proposal } = body;
      assert.deepEqual(
        [body.approval_id, resolution.status, resolution.respondent, resolution.comment],
        [request_id, status, 'ursula', 'seen'],
      );
      assert.ok(resolution.resolved_at >= before);
      assert.deepEqual(proposal.calls, CALLS);
      const resolved = await lookUntil(async () => {
        const { body: log } = await stack.get(`/v1/runs/${run_id}/events`, 'operator');
        const events = log.events as readonly RunEvent[];
        return events.find(({ event_type }) => event_type === 'approval_resolved');
      }, 'the log has no decision');
      assert.deepEqual(
        ['approval_id', 'status', 'approver'].map((name) => resolved.payload[name]),
        [request_id, status, 'ursula'],
      );
      assert.equal(resolved.payload['proposal_hash'], body.proposal_hash);
      const log = `/v1/runs/${run_id}/events/verify`;
      assert.equal((await stack.get(log, 'operator')).body.chain_valid, true);
    });
  }

  it('pauses for authentication and consent through the same endpoint [P3-15] [AM-54]', async () => {
    for (const kind of ['authentication', 'consent']) {
      const { request_id } = await open({ kind, calls: [] });
      const wrong = await resume(request_id, 'user', { action: 'approve', kind: 'tool_approval' });
      assert.deepEqual([wrong.status, wrong.body.field], [422, 'kind']);
      const data = { scope: 'mail' };
      const reply = await resume(request_id, 'user', { action: 'approve', kind, data });
      assert.deepEqual([reply.status, reply.body.kind, reply.body.status], [200, kind, 'approved']);
    }
  });

  it('finds its request again under its key, also when it asks twice [P3-18]', async () => {
    const request_key = randomUUID();
    const first = await open({ request_key });
    const again = await open({ request_key, visible_context: { seen: true } });
    const header = { 'Idempotency-Key': randomUUID() };
    const under = { run_id: 'run-7', decider: 'ursula', calls: CALLS, request_key };
    const named = await stack.post('/v1/approvals', 'agent', under, header);
    assert.deepEqual([named.status, named.body], [202, first]);
    assert.deepEqual(again, first);
    const found = await stack.post('/v1/approvals/by-key', 'agent', { request_key });
    assert.deepEqual([found.status, found.body], [200, first]);
    const foreign = await stack.post('/v1/approvals/by-key', 'agent2', { request_key });
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'approval_not_found']);
    const body = { run_id: 'run-7', decider: 'ursula', calls: [CALLS[0]], request_key };
    const other = await stack.post('/v1/approvals', 'agent', body);
    assert.deepEqual([other.status, other.body.code], [422, 'request_key_reused']);
  });

  it('comes back in one process, with the state that it left [JC-46] [JC-51] [JC-54] [JC-66]', async () => {
    const state = { messages: ['pay 500'], step: 3 };
    const { request_id } = await open({ checkpoint: { state } });
    const early = await pickUp(request_id, 'checkpoint/claim', { holder: 'p1' });
    assert.equal(early.body.code, 'approval_pending');
    await resume(request_id, 'user', { action: 'reject' });
    const claims = await Promise.all(
      ['p1', 'p2'].map((holder) => pickUp(request_id, 'checkpoint/claim', { holder })),
    );
    assert.deepEqual(claims.map(({ status }) => status).sort(), [200, 409]);
    const won = claims.find(({ status }) => status === 200)?.body;
    assert.deepEqual(won.checkpoint, { schema_version: 'composer_v1', state });
    assert.equal(won.approval.status, 'rejected');
    const { token } = won;
    const finished = await pickUp(request_id, 'checkpoint/finish', { token });
    assert.equal(finished.body.status, 'resumed');
    const handle = stack.client.workflow.getHandle(workflowIdOf('approval', request_id));
    await handle.result();
    const repeated = await pickUp(request_id, 'checkpoint/finish', { token });
    assert.deepEqual(repeated.body, finished.body);
    const late = await pickUp(request_id, 'checkpoint/claim', { holder: 'p3' });
    assert.deepEqual([late.status, late.body.code], [409, 'invalid_transition']);
    const { events } = await handle.fetchHistory();
    assert.doesNotMatch(JSON.stringify(events), /pay 500/);
  });

  it('is told of the decision before where another one comes after it [P3-22]', async () => {
    const { request_id: id } = await open();
    const both = await Promise.all(
      ['approve', 'reject'].map((action) => resume(id, 'user', { action })),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const late = await resume(id, 'user', { action: 'approve' });
    const won = both.find(({ status }) => status === 200);
    for (const refusal of [both.find(({ status }) => status === 409), late]) {
      assert.equal(refusal?.body.code, 'approval_decided');
      assert.equal(refusal.body.state.status, won?.body.status);
    }
  });

  it('has one of two same decisions counted, and none for the next stage', async () => {
    const calls = [{ id: 'call-1', tool: 'sell', arguments: {} }];
    const { request_id: id } = await open({ decider: undefined, calls });
    const approve = (fields: object = {}) =>
      resume(id, 'operator', { action: 'approve', ...fields });
    const both = await Promise.all([approve(), approve()]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    for (const { body } of [both.find(({ status }) => status === 409), await approve()].flatMap(
      (refused) => refused ?? [],
    )) {
      assert.deepEqual([body.code, body.state.own_vote.decision], ['stage_mismatch', 'approved']);
    }
    const { body: view } = await stack.get(`/v1/approvals/${id}`, 'operator');
    assert.deepEqual([view.status, view.stage], ['pending', 1]);
    const decided = await approve({ suspension_id: view.suspension_id });
    assert.deepEqual([decided.status, decided.body.status], [200, 'approved']);
  });

  it('is told that who is only acted for does not decide, and so is that user', async () => {
    const { request_id, warnings = [] } = await open({
      decider: undefined,
      on_behalf_of: 'ursula',
    });
    assert.match(warnings.join(), /^ursula, for whom it is asked, does not decide\..* decider\.$/);
    const own = await resume(request_id, 'user', { action: 'approve' });
    assert.deepEqual([own.status, own.body.code], [403, 'not_eligible']);
  });
});
