import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { RunEvent } from '../../../contracts/intent/run-event.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

const CALLS = [
  { id: 'call-1', tool: 'wire', arguments: { to: 'DE1', amount: 500 } },
  { id: 'call-2', tool: 'mail', arguments: { to: 'ada' } },
];
const RULES = { rules: [{ tool: 'read_*', verdict: 'allow', risk_class: 'low' }] };

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
    return reply.body as { request_id: string; url: string; proposal_hash: string };
  }
  const resume = (id: string, key: KeyName, body: object, headers?: Record<string, string>) =>
    stack.post(`/v1/requests/${id}/resume`, key, body, headers);
  const pickUp = (id: string, what: string, body: object, key: KeyName = 'agent') =>
    stack.post(`/v1/approvals/${id}/${what}`, key, body);
  const redeem = (id: string, call_id: string, holder = 'p1') =>
    pickUp(id, 'redeem', { call_id, holder });

  it('gets a URL that works as soon as it sees it, decided by its user [P3-06] [P3-07] [P3-16] [P3-17] [P3-19]', async () => {
    const request = await open();
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

  it('is decided once under an Idempotency-Key, whose repetition gets the first result', async () => {
    const { request_id } = await open();
    const once = { 'Idempotency-Key': randomUUID() };
    const first = await resume(request_id, 'user', { action: 'approve', comment: 'fine' }, once);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const again = await resume(request_id, 'user', { action: 'approve', comment: 'fine' }, once);
    assert.deepEqual([again.status, again.body], [200, first.body]);
    const other = await resume(request_id, 'user', { action: 'reject' }, once);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
    const late = await resume(
      request_id,
      'user',
      { action: 'approve', comment: 'fine' },
      { 'Idempotency-Key': randomUUID() },
    );
    assert.deepEqual([late.status, late.body.code], [409, 'approval_decided']);
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

  it('has all that its client needs to prompt the user [P3-10]', async () => {
    const request = (await open({ prompt: 'Pay R-17?' })) as Record<string, unknown>;
    const { task, allowed_actions, url } = request;
    const { tool_calls } = task as { tool_calls: unknown };
    assert.deepEqual([tool_calls, allowed_actions], [CALLS, ['approve', 'reject']]);
    const shown = await stack.get(`/v1/approvals/${String(request['request_id'])}`, 'user');
    assert.equal(shown.body.proposal.prompt, 'Pay R-17?');
    assert.equal(shown.body.proposal_hash, request['proposal_hash']);
    const decided = await stack.post(String(url), 'user', {
      action: 'approve',
      proposal_hash: shown.body.proposal_hash,
    });
    assert.equal(decided.status, 200);
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
    });
  }

  it('takes data that fit its schema with a decision, and gets them with the call [JC-36] [JC-42] [JC-43]', async () => {
    const response_schema = {
      type: 'object',
      properties: { limit: { type: 'integer', maximum: 500 } },
      required: ['limit'],
      additionalProperties: false,
    };
    const request = (await open({ response_schema, calls: [CALLS[0]] })) as Record<string, unknown>;
    const id = String(request['request_id']);
    assert.deepEqual(request['response_schema'], response_schema);
    const { body: view } = await stack.get(`/v1/approvals/${id}`, 'user');
    assert.deepEqual(view.response_schema, response_schema);
    for (const [data, field] of [
      [{ limit: 501 }, 'data.limit'],
      [{ limit: 3, note: 'x' }, 'data.note'],
      [undefined, 'data'],
    ] as const) {
      const refused = await resume(id, 'user', { action: 'approve', data });
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.field],
        [422, 'invalid_value', field],
      );
      assert.doesNotMatch(refused.body.detail, /metadata/);
    }
    assert.equal((await redeem(id, 'call-1')).body.code, 'approval_pending');
    const decided = await resume(id, 'user', { action: 'approve', data: { limit: 400 } });
    assert.deepEqual([decided.status, decided.body.status], [200, 'approved']);
    const redeemed = await redeem(id, 'call-1');
    assert.deepEqual(redeemed.body.data, { limit: 400 });
  });

  it('is refused a schema that could not judge a decision', async () => {
    const body = { run_id: 'r', calls: CALLS, response_schema: { type: 'objekt' } };
    const reply = await stack.post('/v1/approvals', 'agent', body);
    assert.deepEqual(
      [reply.status, reply.body.code, reply.body.field],
      [422, 'invalid_response_schema', 'response_schema.type'],
    );
  });

  it('is cancelled by a rejection, and the reply says so [P3-12] [AM-50] [AM-53]', async () => {
    const { request_id } = await open();
    const reply = await resume(request_id, 'user', { action: 'reject', comment: 'too much' });
    assert.deepEqual([reply.status, reply.body.status], [200, 'rejected']);
    assert.equal(reply.body.task.status, 'cancelled');
    assert.match(reply.body.message, /The task is cancelled/);
    const redeemed = await redeem(request_id, 'call-1');
    assert.deepEqual([redeemed.status, redeemed.body.code], [409, 'approval_decided']);
    assert.equal(redeemed.body.state.comment, 'too much');
  });

  it('is decided by nobody but the user who initiated the task [P3-20] [AM-49]', async () => {
    const { request_id } = await open();
    for (const [key, code] of [
      ['otherUser', 'forbidden'],
      ['agent', 'forbidden'],
      ['operator', 'not_eligible'],
      ['admin', 'not_eligible'],
    ] as const) {
      const reply = await resume(request_id, key, { action: 'approve' });
      assert.deepEqual([reply.status, reply.body.code], [403, code], key);
    }
    assert.equal((await resume(request_id, 'user', { action: 'approve' })).status, 200);
  });

  it('acts only for users whom its key names', async () => {
    const body = { run_id: 'r', decider: 'walter', calls: CALLS };
    const reply = await stack.post('/v1/approvals', 'agent', body);
    assert.deepEqual([reply.status, reply.body.code], [403, 'forbidden']);
    assert.equal(reply.body.field, 'decider');
    const none = await stack.post('/v1/approvals', 'agent2', { ...body, decider: 'ursula' });
    assert.equal(none.status, 403);
  });

  it('is asked for by no user and by no operator', async () => {
    for (const key of ['user', 'operator'] as const) {
      const reply = await stack.post('/v1/approvals', key, { run_id: 'r', calls: CALLS });
      assert.deepEqual([reply.status, reply.body.code], [403, 'forbidden']);
    }
  });

  it('without a user is decided by an operator', async () => {
    const { request_id } = await open({ decider: undefined });
    const own = await resume(request_id, 'user', { action: 'approve' });
    assert.equal(own.status, 403);
    const reply = await resume(request_id, 'operator', { action: 'approve' });
    assert.deepEqual([reply.status, reply.body.status], [200, 'approved']);
  });

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

  it('runs at once what a rule allows', async () => {
    const calls = [{ id: 'c', tool: 'read_mail', arguments: {} }];
    const request = (await open({ calls })) as object;
    const { status, allowed_actions } = request as Record<string, unknown>;
    assert.deepEqual([status, allowed_actions], ['approved', []]);
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
});

describe('a decision that is not accepted', () => {
  let stack: RealStack;
  let id: string;
  before(async () => {
    stack = await RealStack.start();
    const body = { run_id: 'run-7', decider: 'ursula', calls: CALLS };
    id = (await stack.post('/v1/approvals', 'agent', body)).body.request_id;
  });
  after(() => stack.close());

  const REFUSED = [
    ['an action that is not allowed', { action: 'approved' }, 422, 'invalid_request'],
    ['data that are no object', { action: 'approve', data: [1] }, 422, 'invalid_request'],
    ['an unknown field', { action: 'approve', comments: 'x' }, 422, 'invalid_request'],
    [
      'a hash that is not current',
      { action: 'approve', proposal_hash: 'f'.repeat(64) },
      409,
      'proposal_hash_mismatch',
    ],
    ['what is no hash', { action: 'approve', proposal_hash: 'sha256:00' }, 422, 'invalid_request'],
    ['a part of the calls', { action: 'approve', calls: ['call-1'] }, 422, 'partial_decision'],
    [
      'a decision for each call',
      { action: 'approve', calls: [{ id: 'call-1', action: 'reject' }] },
      422,
      'partial_decision',
    ],
    ['another run', { action: 'approve', run_id: 'run-8' }, 404, 'approval_not_found'],
    ["another's name", { action: 'approve', approver: 'walter' }, 403, 'responded_by_mismatch'],
  ] as const;
  for (const [what, body, status, code] of REFUSED) {
    it(`changes nothing: ${what} [P3-21]`, async () => {
      const reply = await stack.post(`/v1/requests/${id}/resume`, 'user', body);
      assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(reply.body));
      const { body: view } = await stack.post('/v1/approvals/' + id + '/redeem', 'agent', {
        holder: 'p1',
        call_id: 'call-1',
      });
      assert.equal(view.code, 'approval_pending');
    });
  }

  it('is told what a hash looks like', async () => {
    const body = { action: 'approve', proposal_hash: 'sha256:00' };
    const reply = await stack.post(`/v1/requests/${id}/resume`, 'user', body);
    const { field, accepted } = reply.body;
    assert.deepEqual([field, accepted], ['proposal_hash', 'text that matches /^[\\da-f]{64}$/']);
  });

  it('is about a request that does not exist [P3-22]', async () => {
    for (const unknown of [randomUUID(), 'nonsense']) {
      const path = `/v1/requests/${unknown}/resume`;
      const reply = await stack.post(path, 'user', { action: 'approve' });
      assert.deepEqual([reply.status, reply.body.code], [404, 'approval_not_found']);
    }
  });

  it('comes after another one, which it is told of [P3-22]', async () => {
    const path = `/v1/requests/${id}/resume`;
    const both = await Promise.all([
      stack.post(path, 'user', { action: 'approve' }),
      stack.post(path, 'user', { action: 'reject' }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const late = await stack.post(path, 'user', { action: 'approve' });
    const refusals = [both.find(({ status }) => status === 409), late];
    const [won] = both.filter(({ status }) => status === 200);
    for (const refusal of refusals) {
      assert.equal(refusal?.body.code, 'approval_decided');
      assert.equal(refusal.body.state.status, won?.body.status);
    }
  });

  it('is never made by reading its URL [AM-54]', async () => {
    const reply = await stack.get(`/v1/requests/${id}/resume`, 'user');
    assert.equal(reply.status, 405);
  });
});
