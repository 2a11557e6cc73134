import { after, afterEach, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { viewAt } from '../../../domain/suspension/record/view.js';
import { recordQuery, timelineQuery } from '../../../workflows/suspension/messages.js';
import { lookUntil } from '../../support/looks.js';
import { exportedLines } from '../../support/exported-lines.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';

const ANSWER = { value: 'approve' };

/** Without a worker Temporal cannot answer any Query, so what is read here needs none. */
describe('a settled question', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  function workflowOf(id: string) {
    return stack.client.workflow.getHandle(workflowIdOf('suspension', id));
  }

  /** Asks somebody, and waits until that is done: then who settles the question writes its rows. */
  async function delivered(view: SuspensionView): Promise<SuspensionView> {
    await lookUntil(async () => {
      const timeline = await workflowOf(view.id).query(timelineQuery);
      return timeline.some(({ kind }) => kind === 'delivered');
    }, 'nobody is asked');
    return view;
  }

  async function asked(body: object): Promise<SuspensionView> {
    const reply = await stack.post('/v1/suspensions', 'agent', body);
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body as SuspensionView;
  }

  const open = async (body: object = REFUND) => delivered(await asked(body));

  /** Waits for the end of a question; returns what its workflow says of it. */
  async function ended(id: string): Promise<unknown> {
    await workflowOf(id).result();
    await isStored(id);
    return viewAt(await workflowOf(id).query(recordQuery), Date.now());
  }

  async function isStored(id: string): Promise<void> {
    await lookUntil(async () => {
      const listed = await stack.get('/v1/suspensions?state=settled&limit=100', 'operator');
      const { suspensions } = listed.body as { suspensions: { id: string }[] };
      return suspensions.some((each) => each.id === id);
    }, 'the store does not show the end');
  }

  async function read(path: string, as: 'agent' | 'operator' | 'agentB' = 'agent') {
    const reply = await stack.get(path, as);
    assert.equal(reply.headers['holdpoint-stale'], undefined, path);
    return reply;
  }

  describe('that the store has, without a worker', () => {
    let queries: ReturnType<typeof mock.method>;
    async function stopWorker(): Promise<void> {
      await stack.stopWorker();
      queries = mock.method(stack.client.workflowService, 'queryWorkflow');
    }
    afterEach(async () => {
      const asked = queries.mock.callCount();
      mock.restoreAll();
      await stack.startWorker();
      assert.equal(asked, 0, 'Temporal got a Query');
    });

    it('is read and waited for as its workflow has it', async () => {
      const answered = await open();
      await stack.post(`/v1/suspensions/${answered.id}/respond`, 'operator', ANSWER);
      const withdrawn = await open();
      await stack.post(`/v1/suspensions/${withdrawn.id}/cancel`, 'agent', { reason: 'no need' });
      // It writes its rows itself, whether it was delivered within the second or not.
      const expired = await asked({ ...REFUND, fallback_policy: 'fail', timeout_seconds: 1 });
      const two = { quorum: 2 };
      const voted = await open({ ...REFUND, decision_rule: two });
      for (const as of ['operator', 'admin'] as const)
        await stack.post(`/v1/suspensions/${voted.id}/respond`, as, ANSWER);
      const intent = await createIntent(stack);
      const ofIntent = await delivered(await ask(stack, intent));
      await stack.post(`/v1/suspensions/${ofIntent.id}/respond`, 'operator', ANSWER);
      const known = new Map<string, unknown>();
      for (const { id } of [answered, withdrawn, expired, voted, ofIntent])
        known.set(id, await ended(id));
      await stopWorker();
      for (const [id, view] of known) {
        const path = `/v1/suspensions/${id}`;
        assert.deepEqual((await read(path)).body, view);
        assert.deepEqual((await read(`${path}/wait?timeout_seconds=20`)).body, view);
      }
    });

    it('takes its answer again, and nothing else', async () => {
      const request_key = randomUUID();
      const { id } = await open({ ...REFUND, request_key });
      const path = `/v1/suspensions/${id}`;
      const key = { 'Idempotency-Key': randomUUID() };
      const first = await stack.post(`${path}/respond`, 'operator', ANSWER, key);
      await ended(id);
      await stopWorker();
      const again = await stack.post(`${path}/respond`, 'operator', ANSWER, key);
      assert.deepEqual([again.status, again.body], [200, first.body]);
      const other = await stack.post(`${path}/respond`, 'operator', { value: 'deny' });
      assert.deepEqual([other.status, other.body.state.value], [409, 'approve']);
      const withdrawal = await stack.post(`${path}/cancel`, 'agent', {});
      assert.deepEqual([withdrawal.status, withdrawal.body.code], [409, 'suspension_settled']);
      const body = { eligible: { principals: ['alice'] } };
      const change = await stack.put(`${path}/eligibility`, 'admin', body);
      assert.deepEqual([change.status, change.body.code], [409, 'suspension_settled']);
      const repeated = await stack.post('/v1/suspensions', 'agent', { ...REFUND, request_key });
      const { body: found } = repeated;
      assert.deepEqual([repeated.status, found.id, found.state], [200, id, 'settled']);
    });

    it('has a timeline that is compared with what the workflow returned', async () => {
      const { id } = await open();
      await stack.post(`/v1/suspensions/${id}/respond`, 'operator', ANSWER);
      await ended(id);
      await stopWorker();
      const log = `/v1/suspensions/${id}/timeline`;
      const { body } = await read(`${log}/verify`, 'operator');
      assert.deepEqual([body.chain_valid, body.head_from], [true, 'workflow']);
      const lines = await exportedLines(stack, `${log}/export`);
      const { end_of_log } = JSON.parse(lines.at(-1) ?? '') as { end_of_log: object };
      assert.deepEqual(end_of_log, {
        suspension_id: id,
        last_sequence: body.event_count,
        head_hash: body.head_hash,
        head_from: 'workflow',
      });
    });
  });
});
