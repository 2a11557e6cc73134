import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Finding } from '../../../activities/types.js';
import { workflowIdOf, type EntityType } from '../../../contracts/constants/names.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { storedQuestions } from '../../../workers/reconciliation.js';
import { lookUntil } from '../../support/looks.js';
import { lookFrom } from '../../support/reconciler-look.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';

/** Somebody terminates a workflow in Temporal: nobody can say any more what becomes of it. */
describe('something whose workflow was terminated', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer());
  });
  after(() => stack.close());

  async function look(since: string | null): Promise<ReadonlyMap<string, Finding>> {
    const findings = new Map<string, Finding>();
    await lookFrom(stack, since, ({ id }, finding) => findings.set(id, finding));
    return findings;
  }

  /** Terminates a workflow, and looks until it is found lost: Temporal lists it some time later. */
  async function lost(type: EntityType, id: string): Promise<void> {
    const since = new Date().toISOString();
    await stack.client.workflow.getHandle(workflowIdOf(type, id)).terminate();
    await lookUntil(
      async () => (await look(since)).get(id) === 'lost',
      `the ${type} is not found lost`,
    );
    assert.equal((await look(null)).get(id), undefined);
  }

  const idOf = (path: string): string => path.split('/').at(-1) ?? '';

  async function made(path: string, body: object): Promise<Record<string, unknown>> {
    const reply = await stack.post(path, 'agent', body);
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body as Record<string, unknown>;
  }

  async function once(path: string, field: string, wanted: string) {
    let body: Record<string, unknown> = {};
    return lookUntil(
      async () => {
        body = (await stack.get(path)).body;
        return body[field] === wanted && body;
      },
      () => `${path} is not ${wanted}: ${JSON.stringify(body)}`,
    );
  }

  /** Waits until the store shows something, which a creation may be ahead of. */
  async function isListed(list: string, field: string, id: string): Promise<void> {
    await lookUntil(async () => {
      const all = (await stack.get(list)).body[field] as { id: string }[];
      return all.some((one) => one.id === id);
    }, `${id} is not stored`);
  }

  async function newest(intent: string): Promise<IntentEvent> {
    const { body } = await stack.get(`${intent}/events`);
    return (body.events as IntentEvent[])[0] ?? assert.fail();
  }

  async function isValid(log: string): Promise<void> {
    const { body } = await stack.get(`${log}/events/verify`, 'admin');
    assert.equal(body.chain_valid, true, JSON.stringify(body));
  }

  it('takes no writes from then on, and says why', async () => {
    const intent = await createIntent(stack);
    await isListed('/v1/intents', 'intents', idOf(intent));
    await stack.client.workflow.getHandle(workflowIdOf('intent', idOf(intent))).terminate();
    const write = { status: 'completed' };
    const reply = await stack.post(`${intent}/status`, 'agent', write, { 'If-Match': '1' });
    assert.deepEqual([reply.status, reply.body.code], [409, 'workflow_lost']);
    assert.equal((await stack.get(intent)).status, 200);
  });

  it('is abandoned if it is an intent, and all who wait for it hear of that', async () => {
    const intent = await createIntent(stack);
    const id = idOf(intent);
    const waits = await made('/v1/intents', { title: 'Next', status: 'active', depends_on: [id] });
    const portfolio = await made('/v1/portfolios', { name: 'All', intents: [{ intent_id: id }] });
    const { id: question } = await ask(stack, intent);
    await isListed('/v1/intents', 'intents', id);
    await once(`/v1/intents/${String(waits['id'])}`, 'status', 'blocked');
    await lost('intent', id);
    const { status, abandonment_reason } = await once(intent, 'status', 'abandoned');
    assert.deepEqual([status, abandonment_reason], ['abandoned', 'workflow_lost']);
    const { event_type, actor, payload } = await newest(intent);
    assert.deepEqual(
      [event_type, actor, payload['status'], payload['reason']],
      ['status_changed', 'holdpoint', 'abandoned', 'workflow_lost'],
    );
    await isValid(intent);
    await lookUntil(
      async () =>
        (await newest(`/v1/intents/${String(waits['id'])}`)).event_type ===
        'dependency_unsatisfiable',
      'the dependent does not hear of it',
    );
    await lookUntil(async () => {
      const { body } = await stack.get(`/v1/portfolios/${String(portfolio['id'])}`);
      return (body.aggregate_status as { status: string }).status === 'failed';
    }, 'the portfolio does not hear of it');
    await stack.client.workflow.getHandle(workflowIdOf('suspension', question)).result();
    await look(null);
    const { record } =
      (await storedQuestions(stack.store.db).findSuspension(question, 'default')) ?? assert.fail();
    assert.deepEqual([record.resolution, record.reason], ['cancelled', 'workflow_lost']);
    const reply = await stack.post(
      `${intent}/state`,
      'agent',
      { state: { a: 1 } },
      { 'If-Match': '9' },
    );
    assert.deepEqual([reply.status, reply.body.code], [409, 'intent_closed']);
  });

  it('takes back the approvals of an intent', async () => {
    const id = idOf(await createIntent(stack));
    await isListed('/v1/intents', 'intents', id);
    const calls = [{ id: 'call-1', tool: 'wire', arguments: {} }];
    const body = { run_id: 'run-7', calls, intent_id: id };
    const { body: asked } = await stack.post('/v1/approvals', 'agent', body).expect(202);
    const path = `/v1/approvals/${String(asked.request_id)}`;
    await lookUntil(async () => {
      const { approvals } = (await stack.get(`/v1/approvals?intent_id=${id}`, 'operator')).body;
      return (approvals as unknown[]).length > 0;
    }, 'the approval is not stored');
    await lost('intent', id);
    const { resolution } = await once(path, 'status', 'cancelled');
    assert.equal((resolution as { reason?: string }).reason, 'intent_abandoned');
  });

  it('fails if it is a task, and its plan goes on as its strategy says', async () => {
    const intent = await createIntent(stack);
    const tasks = [{ name: 'first' }, { name: 'second', depends_on: ['first'] }];
    const plan = await made('/v1/plans', {
      intent_id: idOf(intent),
      state: 'active',
      on_failure: 'fail',
      tasks,
    });
    const [first, second] = plan['tasks'] as string[];
    assert.ok(first && second);
    await once(`/v1/tasks/${first}`, 'status', 'ready');
    await isListed(`${intent}/tasks`, 'tasks', first);
    await lost('task', first);
    assert.equal((await once(`/v1/tasks/${first}`, 'status', 'failed'))['error'], 'workflow_lost');
    await once(`/v1/plans/${String(plan['id'])}`, 'state', 'failed');
    await once(`/v1/tasks/${second}`, 'status', 'cancelled');
    const claimed = await stack.post(`/v1/tasks/${first}/claim`, 'agent', {});
    assert.deepEqual([claimed.status, claimed.body.code], [409, 'workflow_lost']);
    await isValid(intent);
  });

  it('is cancelled with its tasks if it is a plan', async () => {
    const intent = await createIntent(stack);
    const request = { intent_id: idOf(intent), state: 'active', tasks: [{ name: 'only' }] };
    const plan = await made('/v1/plans', request);
    const id = String(plan['id']);
    const [task] = plan['tasks'] as string[];
    await once(`/v1/tasks/${task}`, 'status', 'ready');
    await isListed(`${intent}/plans`, 'plans', id);
    await lost('plan', id);
    const { version } = await once(`/v1/plans/${id}`, 'state', 'cancelled');
    await once(`/v1/tasks/${task}`, 'status', 'cancelled');
    const change = { state: 'paused' };
    const reply = await stack.patch(`/v1/plans/${id}`, 'agent', change, {
      'If-Match': String(version),
    });
    assert.deepEqual([reply.status, reply.body.code], [409, 'invalid_transition']);
    const { body } = await stack.get(`${intent}/events?event_type=plan.cancelled`);
    const events = body.events as IntentEvent[];
    assert.deepEqual(
      events.map(({ payload }) => payload),
      [{ plan_id: id, reason: 'workflow_lost' }],
    );
    await isValid(intent);
  });

  it('is abandoned if it is a portfolio', async () => {
    const portfolio = await made('/v1/portfolios', { name: 'All' });
    const id = String(portfolio['id']);
    await isListed('/v1/portfolios', 'portfolios', id);
    await lost('portfolio', id);
    await once(`/v1/portfolios/${id}`, 'status', 'abandoned');
    const reply = await stack.post(`/v1/portfolios/${id}/intents`, 'agent', {
      intent_id: idOf(await createIntent(stack)),
    });
    assert.deepEqual([reply.status, reply.body.code], [409, 'portfolio_closed']);
    await isValid(`/v1/portfolios/${id}`);
  });

  it('holds nothing any more if it is a coordinator', async () => {
    const intent = await createIntent(stack);
    const lease = await made('/v1/coordinators', {
      intent_id: idOf(intent),
      suspension_policy: 'block_dependents',
    });
    const id = String(lease['id']);
    await isListed(`${intent}/coordinators`, 'coordinators', id);
    await ask(stack, intent);
    await lookUntil(
      async () => (await newest(intent)).event_type === 'coordinator.dependents_held',
      'it holds nothing',
    );
    await lost('coordinator', id);
    await once(`/v1/coordinators/${id}`, 'status', 'failed_over');
    const { body } = await stack.get(`${intent}/events`);
    const types = (body.events as IntentEvent[]).map(({ event_type }) => event_type);
    assert.deepEqual(types.slice(0, 2), [
      'coordinator.failed_over',
      'coordinator.dependents_released',
    ]);
    const beat = await stack.post(`/v1/coordinators/${id}/heartbeat`, 'agent', {});
    assert.deepEqual([beat.status, beat.body.code], [409, 'coordinator_closed']);
    await isValid(intent);
  });
});
