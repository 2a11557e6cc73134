import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { lookUntil } from '../../support/looks.js';
import { RealStack } from '../../support/real-stack.js';

const CALLS = [{ id: 'call-1', tool: 'wire', arguments: { to: 'DE1', amount: 500 } }];
const DOORS = ['/v1', '/api/v1'] as const;
const ENDS = ['completed', 'abandoned'] as const;

describe('what hangs on an intent that is closed over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function newIntent(): Promise<string> {
    const body = { title: 'Refund', status: 'active' };
    return (await stack.post('/api/v1/intents', 'agent', body).expect(200)).body.id as string;
  }
  async function close(intent: string, status: (typeof ENDS)[number], door: string = '/v1') {
    const { version } = (await stack.get(`${door}/intents/${intent}`)).body;
    const headers = { 'If-Match': String(version) };
    await stack.post(`${door}/intents/${intent}/status`, 'agent', { status }, headers).expect(200);
  }
  const ask = (intent_id: string, fields: object = {}) =>
    stack.post('/v1/approvals', 'agent', { run_id: 'run-7', calls: CALLS, intent_id, ...fields });
  async function asked(intent_id: string, fields: object = {}): Promise<string> {
    const reply = await ask(intent_id, fields);
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    return reply.body.request_id as string;
  }
  const redeem = (id: string, holder = 'p1') =>
    stack.post(`/v1/approvals/${id}/redeem`, 'agent', { call_id: 'call-1', holder });
  const resume = (id: string) =>
    stack.post(`/v1/requests/${id}/resume`, 'operator', { action: 'approve' });
  async function isListed(id: string): Promise<boolean> {
    const { body } = await stack.get('/v1/suspensions?limit=100', 'operator');
    return (body.suspensions as { suspension_id: string }[]).some(
      ({ suspension_id }) => suspension_id === id,
    );
  }

  for (const door of DOORS)
    for (const status of ENDS) {
      it(`is taken back once the reply is out: ${status} at ${door}`, async () => {
        const intent = await newIntent();
        const waiting = await asked(intent);
        const approved = await asked(intent);
        await resume(approved).expect(200);
        const question = (await stack.get(`/v1/approvals/${waiting}`)).body.suspension_id as string;
        await close(intent, status, door);
        const reason = `intent_${status}`;
        for (const id of [approved, waiting]) {
          const refused = await redeem(id);
          assert.deepEqual(
            [refused.status, refused.body.code, refused.body.state.reason],
            [409, 'approval_decided', reason],
          );
          assert.match(String(refused.body.detail), new RegExp(reason));
          const late = await resume(id);
          assert.deepEqual([late.status, late.body.code], [409, 'approval_decided']);
        }
        const path = `/v1/suspensions/${question}/respond`;
        const proposal_hash = (await stack.get(`/v1/approvals/${waiting}`)).body.proposal_hash;
        const answer = await stack.post(path, 'operator', { value: 'approved', proposal_hash });
        assert.deepEqual([answer.status, answer.body.code], [409, 'suspension_settled']);
        const { body } = await stack.get(`/v1/approvals/${waiting}`);
        assert.deepEqual(
          [body.status, body.resolution.by, body.resolution.reason, body.withdrawn.reason],
          ['cancelled', 'system', reason, reason],
        );
        await lookUntil(async () => !(await isListed(question)), 'still in the inbox');
      });
    }

  it('refuses a new approval, and finds one that its key has opened', async () => {
    const intent = await newIntent();
    const request_key = `key-${randomUUID()}`;
    const earlier = await asked(intent, { request_key });
    await close(intent, 'completed');
    const refused = await ask(intent);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.state.intent_status],
      [409, 'intent_closed', 'completed'],
    );
    const again = await ask(intent, { request_key });
    assert.deepEqual([again.status, again.body.request_id], [202, earlier]);
    const missing = await ask(randomUUID());
    assert.deepEqual([missing.status, missing.body.code], [404, 'intent_not_found']);
  });
});
