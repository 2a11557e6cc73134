import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
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

  it('says in the log of the run what was withdrawn and why', async () => {
    const intent = await newIntent();
    const run_id = `run-${randomUUID()}`;
    const id = await asked(intent, { run_id });
    await resume(id).expect(200);
    await close(intent, 'abandoned');
    const event = await lookUntil(async () => {
      const { body } = await stack.get(`/v1/runs/${run_id}/events`, 'operator');
      return (body.events as { event_type: string; payload: Record<string, unknown> }[]).find(
        ({ event_type }) => event_type === 'approval_withdrawn',
      );
    }, 'no event');
    const { approval_id, intent_id, reason, calls } = event.payload;
    assert.deepEqual(
      [approval_id, intent_id, reason, calls],
      [id, intent, 'intent_abandoned', ['call-1']],
    );
    const { events } = (await stack.get(`/v1/intents/${intent}/events`)).body;
    const types = (events as { event_type: string }[]).map(({ event_type }) => event_type);
    assert.ok(types.includes('approval_vote') && types.includes('approval_resolved'));
  });

  it('lets a call that is carried out be finished', async () => {
    const intent = await newIntent();
    const id = await asked(intent);
    await resume(id).expect(200);
    const { token } = (await redeem(id).expect(200)).body;
    await close(intent, 'completed');
    const other = await redeem(id, 'p2');
    assert.deepEqual([other.status, other.body.code], [409, 'approval_decided']);
    await redeem(id).expect(200);
    const done = { call_id: 'call-1', token, result: 'paid' };
    await stack.post(`/v1/approvals/${id}/complete`, 'agent', done).expect(200);
  });

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

  for (const door of DOORS)
    it(`denies an action that waits, closed at ${door}`, async () => {
      const intent = await newIntent();
      const path = `/api/v1/intents/${intent}/approvals`;
      const { id } = (await stack.post(path, 'agent', { action: 'pay' }).expect(200)).body;
      await close(intent, 'abandoned', door);
      const late = await stack.post(`${path}/${id}/approve`, 'operator', {});
      assert.equal(late.status, 409, JSON.stringify(late.body));
      const read = (await stack.get(`${path}/${id}`).expect(200)).body;
      assert.deepEqual([read.status, read.decision_notes], ['denied', 'intent_abandoned']);
    });

  /** A workflow of one phase, whose agent works. */
  async function workflow() {
    const body = { title: 'Report', phases: { fetch: {} } };
    const made = await stack.post('/v1/workflows', 'agent', body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, phases } = made.body as {
      id: string;
      phases: readonly { intent_id: string; task_id: string }[];
    };
    const { intent_id: intent, task_id: task } = phases[0] ?? assert.fail();
    const taskOnce = (wanted: string) =>
      lookUntil(async () => {
        const { status, body: found } = await stack.get(`/v1/tasks/${task}`);
        return status === 200 && found.status === wanted;
      }, `the task is not ${wanted}`);
    await taskOnce('ready');
    const cancel = async () => {
      const { version } = (await stack.get(`/v1/plans/${id}`)).body;
      const headers = { 'If-Match': String(version) };
      await stack.patch(`/v1/plans/${id}`, 'agent', { state: 'cancelled' }, headers).expect(200);
      await taskOnce('cancelled');
    };
    const question = { question: 'Go on?', response_type: 'confirm', fallback_policy: 'fail' };
    const suspend = async () => {
      const reply = await stack.post(`/v1/intents/${intent}/suspend`, 'agent', question);
      assert.ok(reply.status < 300, JSON.stringify(reply.body));
      return reply.body.id as string;
    };
    const withdrawn = (asked: string) =>
      lookUntil(async () => {
        const { body: found } = await stack.get(`/v1/suspensions/${asked}`, 'operator');
        const record = found.record as SuspensionRecord | undefined;
        return record?.resolution === 'cancelled' && record;
      }, 'still asked');
    return { intent, cancel, suspend, withdrawn, taskOnce };
  }

  it('withdraws the question of a phase when its workflow is cancelled', async () => {
    const { intent, cancel, suspend, withdrawn, taskOnce } = await workflow();
    const asked = await suspend();
    await taskOnce('blocked');
    await cancel();
    const { reason, settled_by } = await withdrawn(asked);
    assert.deepEqual([reason, settled_by], ['plan_cancelled', 'system']);
    const status = async () => (await stack.get(`/v1/intents/${intent}`)).body.status as string;
    await lookUntil(async () => (await status()) === 'active', 'still suspended');
  });

  it('withdraws the question that a phase asks after that', async () => {
    const { cancel, suspend, withdrawn } = await workflow();
    await cancel();
    assert.equal((await withdrawn(await suspend())).reason, 'plan_cancelled');
  });
});
