import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { askedOf, createRig, rigOver, sentIn } from '../support/harness.js';
import type { Rig } from '../support/harness.js';
import { knowingIntent } from '../support/parts.js';
import { INTENT, INTENT_ID, SUSPENSION_ID } from '../support/records.js';
import { PORTFOLIO_ID } from '../support/portfolio-records.js';
import type { Coordinator } from '../../../contracts/coordinator/coordinator.js';
import type { Plan } from '../../../contracts/plan/plan.js';
import type { Task } from '../../../contracts/plan/task.js';
import type { Portfolio } from '../../../contracts/portfolio/portfolio.js';
import { EXAMPLES } from '../../support/examples.js';

const AT = '2026-11-20T10:00:00.000000';
const { task, plan } = EXAMPLES;
const TASK = `/api/v1/tasks/${task.id}`;
const PLAN = `/api/v1/plans/${plan.id}`;
const get = (rig: Rig, path: string) => rig.send('agent', 'get', path);
const send = (rig: Rig, method: 'post' | 'patch', path: string, body: object) =>
  rig.send('agent', method, path).set('X-Agent-ID', 'refunder').send(body);

describe('containers in the OpenIntent API', () => {
  it('shows the times of a portfolio under both names, and its suspended members [R26-19]', async () => {
    const { body } = await get(createRig(), `/api/v1/portfolios/${PORTFOLIO_ID}`);
    assert.deepEqual([body.createdAt, body.created_at, body.updatedAt], [AT, AT, AT]);
    assert.deepEqual([body.has_suspended_members, body.suspended_member_count], [false, 0]);
  });

  it('creates a portfolio of what the SDK sends, nulls and empty names too', async () => {
    const rig = createRig();
    const sent = { name: 'Launch', description: null, governance_policy: {}, metadata: {} };
    const reply = await send(rig, 'post', '/api/v1/portfolios', { ...sent, created_by: '' });
    assert.equal(reply.status, 200);
    const { portfolio, members } = sentIn(rig, 'portfolio') as {
      portfolio: Portfolio;
      members: [];
    };
    const { name, description, governance_policy, metadata, created_by } = portfolio;
    assert.deepEqual({ name, description, governance_policy, metadata }, sent);
    assert.deepEqual([members, created_by], [[], 'refund-agent']);
    const named = createRig();
    await send(named, 'post', '/api/v1/portfolios', { ...sent, created_by: 'refunder' });
    const again = sentIn(named, 'portfolio')['portfolio'] as Portfolio;
    assert.deepEqual([again.created_by, again.owner], ['refunder', 'refund-agent']);
  });

  it('lists portfolios, their members and those of an intent under their names', async () => {
    const rig = createRig();
    const lists = await get(rig, '/api/v1/portfolios?created_by=refunder&status=active');
    assert.equal(lists.body.portfolios[0].id, PORTFOLIO_ID);
    const filter = { limit: 1_000, offset: 0, created_by: 'refunder', status: 'active' };
    assert.deepEqual(askedOf(rig, 'listPortfolios'), [{ ...filter, whole: true }]);
    const members = await get(rig, `/api/v1/portfolios/${PORTFOLIO_ID}/intents`);
    assert.equal(members.body.intents[0].created_at, AT);
    assert.equal(members.body.aggregate_status.total, 0);
    const of = await get(rig, `/api/v1/intents/${INTENT_ID}/portfolios`);
    assert.equal(of.body.portfolios.length, 1);
    const events = await get(rig, `/api/v1/portfolios/${PORTFOLIO_ID}/events`);
    assert.equal(events.body[0].event_type, 'portfolio.member_suspended');
    assert.ok(!events.text.includes(SUSPENSION_ID));
  });

  it('adds and removes a member, and closes a portfolio, with 200', async () => {
    const rig = createRig();
    const path = `/api/v1/portfolios/${PORTFOLIO_ID}`;
    const added = await send(rig, 'post', `${path}/intents`, { intent_id: INTENT_ID });
    assert.deepEqual([added.status, added.body.role, added.body.added_at], [200, 'member', AT]);
    const removed = await rig.send('agent', 'delete', `${path}/intents/${INTENT_ID}`);
    assert.equal(removed.status, 200);
    const closed = await send(rig, 'patch', `${path}/status`, { status: 'abandoned' });
    assert.equal(closed.status, 200);
    assert.equal((await send(rig, 'patch', `${path}/status`, { status: 'failed' })).status, 422);
  });

  it('lets a write set any status of a task', async () => {
    const rig = createRig();
    const body = { status: 'skipped', output: null, assigned_agent: null };
    const reply = await send(rig, 'patch', TASK, body).set('If-Match', '4');
    assert.equal(reply.status, 200);
    const { if_match, request, any_status } = sentIn(rig, 'patchTask');
    assert.equal(rig.sent[0]?.workflowId, `task-${task.id}`);
    assert.deepEqual([if_match, request, any_status], [4, { status: 'skipped' }, true]);
  });

  it('demands If-Match of tasks and plans with 428', async () => {
    const rig = createRig();
    const detail = { detail: 'If-Match header required', code: 'precondition_required' };
    for (const [path, body] of [
      [TASK, { status: 'running' }],
      [PLAN, { state: 'active' }],
    ] as const) {
      const reply = await send(rig, 'patch', path, body);
      assert.deepEqual([reply.status, reply.body], [428, detail]);
    }
    assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []]);
  });

  it('keeps the scopes of the tools that a task requires', async () => {
    const tools = [{ service: 'ledger', scopes: ['read'], required: true }];
    const rig = createRig();
    const body = { intent_id: INTENT_ID, name: 'pay', metadata: { a: 1 } };
    const scoped = await send(rig, 'post', '/api/v1/tasks', { ...body, requires_tools: tools });
    assert.deepEqual([scoped.body.requires_tools, scoped.body.metadata], [tools, { a: 1 }]);
    const named = await send(rig, 'post', '/api/v1/tasks', { ...body, requires_tools: ['ledger'] });
    assert.deepEqual(named.body.requires_tools, [{ service: 'ledger' }]);
    const started = sentIn(rig, 'task')['task'] as Task;
    assert.deepEqual(started.requires_tools, ['ledger']);
  });

  it('lists tasks and plans as plain arrays, with times without a zone', async () => {
    const rig = createRig();
    const tasks = await get(rig, `/api/v1/intents/${INTENT_ID}/tasks?status=blocked&limit=5`);
    assert.equal(tasks.body[0].started_at, AT);
    assert.equal(tasks.body[0].suspended_intent_id, task.suspended_intent_id);
    const asked = { limit: 5, offset: 0, status: 'blocked', whole: true };
    assert.deepEqual(askedOf(rig, 'listTasks')?.[1], asked);
    const plans = await get(rig, `/api/v1/intents/${INTENT_ID}/plans`);
    assert.equal(plans.body[0].progress.suspended_tasks[0].suspended_since, AT);
  });

  it('refuses a page that its entries make too large, and names the limit that fits', async () => {
    const short = { rows: [task], more: true, whole: true as const };
    const rig = rigOver({ store: { listTasks: () => Promise.resolve(short) } });
    const path = `/api/v1/intents/${INTENT_ID}/tasks`;
    const refused = await get(rig, `${path}?limit=5`);
    assert.deepEqual([refused.status, refused.body.code], [400, 'page_too_large']);
    assert.match(JSON.stringify(refused.body), /at most 1/);
    assert.equal((await get(rig, `${path}?limit=1`)).status, 200);
  });

  it('makes a plan of tasks that exist, as a draft', async () => {
    const rig = createRig();
    const body = { intent_id: INTENT_ID, tasks: [task.id], checkpoints: null };
    assert.equal((await send(rig, 'post', '/api/v1/plans', body)).status, 200);
    const { state, tasks } = sentIn(rig, 'plan')['plan'] as Plan;
    assert.deepEqual([state, tasks], ['draft', [task.id]]);
    const defined = { intent_id: INTENT_ID, tasks: [{ name: 'review' }] };
    assert.equal((await send(rig, 'post', '/api/v1/plans', defined)).status, 422);
  });

  it('grants a lease to the agent in the body, kept alive without a body', async () => {
    const rig = createRig();
    const sent = { agent_id: 'lead', intent_id: INTENT_ID, supervisor_id: null, scope: 'intent' };
    const lease = await send(rig, 'post', '/api/v1/coordinators', sent);
    assert.deepEqual([lease.status, lease.body.granted_at], [200, '2026-01-01T00:00:00.000000']);
    const { agent_id, holder } = sentIn(rig, 'coordinator')['coordinator'] as Coordinator;
    assert.deepEqual([agent_id, holder], ['lead', 'refund-agent']);
    const beat = await rig.send('agent', 'post', `/api/v1/coordinators/${SUSPENSION_ID}/heartbeat`);
    assert.deepEqual(beat.body, { status: 'ok', next_heartbeat_at: '2026-11-20T10:01:00.000000' });
    const all = await get(rig, `/api/v1/intents/${INTENT_ID}/coordinators`);
    assert.equal(all.body[0].id, SUSPENSION_ID);
  });

  it('shows a question that a deadline ended as cancelled [R26-28]', async () => {
    const ended = { id: SUSPENSION_ID, resolution: 'expired', settled_by: 'clock' };
    const shown = async (_suspension: JsonObject): Promise<unknown> => {
      const intent = { ...INTENT, state: { _suspension } };
      const rig = rigOver({ answers: knowingIntent(intent) });
      return (await rig.send('operator', 'get', `/api/v1/intents/${INTENT_ID}`)).body.state;
    };
    const reason = 'portfolio_deadline';
    assert.deepEqual(await shown({ ...ended, reason }), {
      _suspension: { ...ended, reason, resolution: 'cancelled' },
    });
    assert.deepEqual(await shown(ended), { _suspension: ended });
  });

  it('finds nothing under an id that is none', async () => {
    const rig = createRig();
    for (const name of ['Task', 'Plan', 'Portfolio', 'Coordinator']) {
      const thing = name.toLowerCase();
      const reply = await get(rig, `/api/v1/${thing}s/nothing`);
      const body = { detail: `${name} not found`, code: `${thing}_not_found` };
      assert.deepEqual([reply.status, reply.body], [404, body]);
    }
  });
});
