import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { IntentSummary, Intent } from '../../../contracts/intent/intent.js';
import type { PortfolioAggregate, PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import { typesOf } from '../../workflows/support/intents.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';
import type { Task } from '../../../contracts/plan/task.js';
import { dueSoon } from '../../support/due-portfolio.js';

const LAX = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' } as const;
const QUESTION = {
  question: 'Refund?',
  choices: [{ value: 'approve', label: 'Approve refund' }],
  ...LAX,
};

const GO_ON = { question: 'Go on?', response_type: 'confirm', fallback_policy: 'fail' };
const POLICIES = [undefined, 'isolate', 'block_dependents', 'escalate'] as const;

describe('containers over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  describe('portfolios', () => {
    async function create(body: object = {}): Promise<string> {
      const made = await stack.post('/v1/portfolios', 'agent', { name: 'Launch', ...body });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return `/v1/portfolios/${made.body.id}`;
    }

    /** Reads a portfolio until it is as it should be; an announcement takes a moment. */
    async function until(
      path: string,
      wanted: (portfolio: PortfolioView) => boolean,
    ): Promise<PortfolioView> {
      let body: PortfolioView | undefined;
      return lookUntil(
        async () => {
          body = (await stack.get(path)).body as PortfolioView;
          return wanted(body) && body;
        },
        () => `it never got there: ${JSON.stringify(body)}`,
      );
    }

    const idOf = (path: string): string => path.split('/').at(-1) ?? '';

    it('show what their members are, as long as they live and after [R26-19, R26-94]', async () => {
      const [first, second] = [await createIntent(stack), await createIntent(stack)];
      const path = await create({ intents: [{ intent_id: idOf(first), role: 'primary' }] });
      const added = await stack.post(`${path}/intents`, 'agent', { intent_id: idOf(second) });
      assert.equal(added.status, 201, JSON.stringify(added.body));
      assert.deepEqual([added.body.role, added.body.priority], ['member', 0]);
      const { id: suspension_id } = await ask(stack, first, QUESTION);
      const waiting = await until(path, (each) => each.has_suspended_members);
      assert.deepEqual(
        [waiting.status, waiting.aggregate_status.status, waiting.suspended_member_count],
        ['active', 'in_progress', 1],
      );
      const members = (await stack.get(`${path}/intents`)).body as {
        intents: IntentSummary[];
        aggregate_status: PortfolioAggregate;
      };
      assert.deepEqual(members.aggregate_status, waiting.aggregate_status);
      assert.deepEqual(
        members.intents.map(({ id }) => id),
        [idOf(first), idOf(second)],
      );
      const answer = { suspension_id, value: 'approve' };
      await stack.post(`${first}/suspend/respond`, 'operator', answer);
      await until(path, (each) => each.suspended_member_count === 0);
      const log = `${path}/events`;
      const { events } = await readFresh<{ events: IntentEvent[] }>(stack, log, 'operator');
      assert.deepEqual(typesOf(events).slice(0, 2), [
        'portfolio.member_resumed',
        'portfolio.member_suspended',
      ]);
      const closed = await stack.patch(`${path}/status`, 'agent', { status: 'completed' });
      assert.deepEqual([closed.status, closed.body.status], [200, 'completed']);
      const version = (await stack.get(second)).body.version;
      const done = { status: 'completed' };
      await stack.post(`${second}/status`, 'agent', done, { 'If-Match': String(version) });
      const later = await until(path, (each) => each.aggregate_status.by_status.completed === 1);
      assert.equal(later.status, 'completed');
      const late = await stack.post(`${path}/intents`, 'agent', { intent_id: idOf(second) });
      assert.deepEqual([late.status, late.body.code], [409, 'portfolio_closed']);
    });

    it('are listed, and found by their members', async () => {
      const created_by = `agent-${randomUUID()}`;
      const intent = await createIntent(stack);
      const body = { name: 'Launch', created_by, intents: [{ intent_id: idOf(intent) }] };
      const made = await stack.post('/v1/portfolios', 'admin', body);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const { metadata: _, ...summary } = made.body;
      const listed = await stack.get(`/v1/portfolios?created_by=${created_by}`);
      assert.deepEqual(listed.body.portfolios, [summary]);
      assert.deepEqual((await stack.get(`${intent}/portfolios`)).body.portfolios, [summary]);
      const path = `/v1/portfolios/${made.body.id}`;
      const removed = await stack.delete(`${path}/intents/${idOf(intent)}`, 'agent');
      assert.deepEqual(removed.body, { portfolio_id: made.body.id, intent_id: idOf(intent) });
      assert.deepEqual((await stack.get(`${intent}/portfolios`)).body.portfolios, []);
      assert.equal((await stack.get(path)).body.aggregate_status.total, 0);
    });
  });

  describe('coordinators', () => {
    const idOf = (path: string): string => path.split('/').at(-1) ?? '';

    /** The escalation in the log of an intent, once it is there. */
    async function escalated(intent: string): Promise<IntentEvent> {
      const events = `${intent}/events?event_type=coordinator.escalation_required`;
      return lookUntil(async () => {
        const { body } = await stack.get(events);
        return (body as { events: readonly IntentEvent[] }).events[0];
      }, 'it did not escalate');
    }

    it('hold a lease, and escalate [R26-31, R26-34]', async () => {
      const intent = await createIntent(stack);
      const body = {
        intent_id: idOf(intent),
        suspension_policy: 'escalate',
        supervisor_id: 'alice',
      };
      const made = await stack.post('/v1/coordinators', 'agent', body);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.deepEqual([made.body.agent_id, made.body.status], ['agent-1', 'active']);
      const path = String(made.headers['location']);
      assert.deepEqual((await stack.get(path)).body, made.body);
      assert.deepEqual((await stack.get(`${intent}/coordinators`)).body.coordinators, [made.body]);
      const beat = await stack.post(`${path}/heartbeat`, 'agent', {});
      assert.deepEqual([beat.status, beat.body.status], [200, 'ok']);
      const foreign = await stack.post(`${path}/heartbeat`, 'agent2', {});
      assert.deepEqual([foreign.status, foreign.body.code], [404, 'lease_not_found']);
      const { id } = await ask(stack, intent);
      const event = await escalated(intent);
      assert.deepEqual([event.payload['suspension_id'], event.actor], [id, 'holdpoint']);
    });

    it('record what they decided, in their scope', async () => {
      const [intent, other] = [await createIntent(stack), await createIntent(stack)];
      const lease = await stack.post('/v1/coordinators', 'agent', { intent_id: idOf(intent) });
      const decision = {
        coordinator_id: lease.body.id,
        intent_id: idOf(intent),
        decision_type: 'plan_created',
        summary: 'Four tasks',
        rationale: 'No agent can do it alone',
      };
      const made = await stack.post('/v1/decisions', 'agent', decision);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const { id, timestamp, ...kept } = made.body;
      assert.deepEqual(kept, { ...decision, alternatives_considered: [], confidence: null });
      assert.ok(id && timestamp);
      const listed = await stack.get(`${intent}/coordinator-decisions`);
      assert.deepEqual(listed.body.decisions, [made.body]);
      for (const [who, change, status, code] of [
        ['agent2', {}, 404, 'lease_not_found'],
        ['agent', { intent_id: idOf(other) }, 422, 'outside_scope'],
        ['agent', { coordinator_id: idOf(intent) }, 404, 'coordinator_not_found'],
        ['agent', { intent_id: randomUUID() }, 404, 'intent_not_found'],
        ['agent', { decision_type: 'guess' }, 422, 'invalid_request'],
      ] as const) {
        const refused = await stack.post('/v1/decisions', who, { ...decision, ...change });
        assert.deepEqual([refused.status, refused.body.code], [status, code]);
        assert.equal(refused.body.field, Object.keys(change)[0]);
      }
      const again = await stack.get(`${intent}/coordinator-decisions`);
      assert.equal(again.body.decisions.length, 1);
    });
  });

  describe('the five container rules', () => {
    async function made(path: string, body: object): Promise<string> {
      const reply = await stack.post(path, 'agent', body);
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body.id as string;
    }

    async function becomes<T>(path: string, isWanted: (body: T) => boolean): Promise<T> {
      let body: T | undefined;
      return lookUntil(
        async () => {
          body = (await stack.get(path)).body as T;
          return isWanted(body) && body;
        },
        () => `${path} never got there: ${JSON.stringify(body)}`,
      );
    }

    for (const policy of POLICIES) {
      it(`hold whatever the coordinators do: ${policy ?? 'none'} [R26-03]`, async () => {
        const upstream = await createIntent(stack);
        const intent_id = upstream.slice('/v1/intents/'.length);
        const step = { title: 'Step', status: 'active', depends_on: [intent_id] };
        const dependent = `/v1/intents/${await made('/v1/intents', step)}`;
        const members = { name: 'Launch', intents: [{ intent_id }] };
        const portfolio_id = await made('/v1/portfolios', members);
        const portfolio = `/v1/portfolios/${portfolio_id}`;
        const task = `/v1/tasks/${await made('/v1/tasks', { intent_id, name: 'review' })}`;
        for (const scope of policy === undefined ? [] : [{ intent_id }, { portfolio_id }]) {
          await made('/v1/coordinators', { ...scope, suspension_policy: policy });
        }

        await ask(stack, upstream, GO_ON);
        await becomes<Intent>(dependent, ({ status }) => status === 'blocked');
        const held = await becomes<Task>(task, ({ status }) => status === 'blocked');
        assert.deepEqual(
          [held.blocked_reason, held.suspended_intent_id],
          ['intent_suspended', intent_id],
        );
        const waiting = await becomes<PortfolioView>(portfolio, (one) => one.has_suspended_members);
        assert.deepEqual(
          [waiting.status, waiting.aggregate_status.status, waiting.suspended_member_count],
          ['active', 'in_progress', 1],
        );

        await dueSoon(stack, portfolio, waiting.version);
        const over = await becomes<Intent>(upstream, ({ status }) => status === 'abandoned');
        assert.equal(over.abandonment_reason, 'portfolio_deadline_exceeded');
        await becomes<PortfolioView>(portfolio, (one) => one.aggregate_status.status === 'failed');
        await becomes<Task>(task, ({ status }) => status === 'failed');
        const { events } = await becomes<{ events: IntentEvent[] }>(`${dependent}/events`, (log) =>
          typesOf(log.events).includes('dependency_unsatisfiable'),
        );
        const freed = events.filter(
          ({ payload }) => payload['reason'] === 'dependencies_completed',
        );
        assert.deepEqual(freed, []);
        const { body: left } = await stack.get(dependent);
        assert.equal(left.status, 'blocked');
      });
    }
  });

  describe('the intent graph', () => {
    async function create(body: object = {}, parent?: string): Promise<Intent> {
      const path = parent === undefined ? '/v1/intents' : `/v1/intents/${parent}/children`;
      const reply = await stack.post(path, 'agent', { title: 'Step', status: 'active', ...body });
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body as Intent;
    }
    const read = async (id: string): Promise<Intent> =>
      (await stack.get(`/v1/intents/${id}`)).body as Intent;
    const listed = async (id: string, relation: string): Promise<string[]> => {
      const { body, status } = await stack.get(`/v1/intents/${id}/${relation}`);
      assert.equal(status, 200, JSON.stringify(body));
      return (body[relation] as Intent[]).map((intent) => intent.id);
    };
    const depend = async (id: string, dependency_id: string, version?: number) =>
      stack.post(
        `/v1/intents/${id}/dependencies`,
        'agent',
        { dependency_id },
        {
          'If-Match': String(version ?? (await read(id)).version),
        },
      );
    const setStatus = async (id: string, status: string) => {
      const { version } = await read(id);
      return stack.post(
        `/v1/intents/${id}/status`,
        'agent',
        { status },
        {
          'If-Match': String(version),
        },
      );
    };

    it('reads up, down and along the edges', async () => {
      const root = await create();
      const first = await create({}, root.id);
      const second = await create({ depends_on: [first.id] }, root.id);
      const leaf = await create({ parent_intent_id: second.id });
      assert.equal(leaf.parent_intent_id, second.id);
      assert.deepEqual(second.depends_on, [first.id]);
      assert.deepEqual(await listed(root.id, 'children'), [first.id, second.id]);
      assert.deepEqual(await listed(root.id, 'descendants'), [first.id, second.id, leaf.id]);
      assert.deepEqual(await listed(leaf.id, 'ancestors'), [second.id, root.id]);
      assert.deepEqual(await listed(second.id, 'dependencies'), [first.id]);
      assert.deepEqual(await listed(first.id, 'dependents'), [second.id]);
      assert.deepEqual(await listed(root.id, 'ready'), [first.id]);
      assert.deepEqual(await listed(root.id, 'blocked'), [second.id]);
      const { body: graph } = await stack.get(`/v1/intents/${root.id}/graph`);
      assert.equal(graph.root_id, root.id);
      assert.deepEqual(graph.edges, [
        { from: root.id, to: first.id, type: 'parent' },
        { from: root.id, to: second.id, type: 'parent' },
        { from: first.id, to: second.id, type: 'dependency' },
        { from: second.id, to: leaf.id, type: 'parent' },
      ]);
      assert.equal(graph.aggregate_status.total, 4);
      await setStatus(first.id, 'completed');
      assert.deepEqual(await listed(root.id, 'ready'), [first.id, second.id]);
    });

    it('starts a child as a child workflow that outlives its parent, once per key', async () => {
      const parent = await create();
      const key = { 'Idempotency-Key': randomUUID() };
      const body = { title: 'Step', status: 'active' };
      const path = `/v1/intents/${parent.id}/children`;
      const first = await stack.post(path, 'agent', body, key);
      const again = await stack.post(path, 'agent', body, key);
      assert.deepEqual([again.status, again.body], [201, first.body]);
      const other = await stack.post(path, 'agent', { ...body, title: 'Other' }, key);
      assert.equal(other.body.code, 'idempotency_key_reused');
      const handle = stack.client.workflow.getHandle(`intent-${first.body.id as string}`);
      const { parentExecution } = await handle.describe();
      assert.equal(parentExecution?.workflowId, `intent-${parent.id}`);
      await setStatus(parent.id, 'abandoned');
      assert.equal((await setStatus(first.body.id as string, 'completed')).status, 200);
    });

    it('never lets two requests close a cycle together', async () => {
      for (let round = 0; round < 5; round += 1) {
        const [a, b] = [await create(), await create()];
        const replies = await Promise.all([depend(a.id, b.id, 1), depend(b.id, a.id, 1)]);
        assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400]);
        const edges = [...(await read(a.id)).depends_on, ...(await read(b.id)).depends_on];
        assert.equal(edges.length, 1);
      }
    });

    it('refuses what cannot be, each at its door, and changes nothing', async () => {
      const [{ id: first }, { id: third }] = [await create(), await create()];
      const { id: second } = await create({ depends_on: [first] });
      const made = await stack.post('/v1/portfolios', 'agent', {
        name: 'x',
        intents: [{ intent_id: first }],
      });
      const portfolio = `/v1/portfolios/${made.body.id as string}`;
      const known = [
        `/v1/intents/${first}`,
        `/v1/intents/${third}`,
        portfolio,
        `${portfolio}/intents`,
      ];
      const read = () => Promise.all(known.map((path) => readFresh(stack, path)));
      const before = await read();
      const nobody = randomUUID();
      const post = (path: string, body: object) => stack.post(path, 'agent', body);
      const cycle = await depend(first, second);
      assert.deepEqual([cycle.status, cycle.body.code], [400, 'dependency_cycle']);
      assert.deepEqual(cycle.body.state.path, [first, second, first]);
      for (const [sent, ...wanted] of [
        [depend(third, nobody), 404, 'intent_not_found', 'dependency_id'],
        [depend(third, first, 99), 409, 'version_conflict', 'If-Match'],
        [post(`/v1/intents/${nobody}/children`, { title: 'x' }), 404, 'intent_not_found'],
        [post(`${portfolio}/intents`, { intent_id: first }), 409, 'member_exists'],
        [post(`${portfolio}/intents`, { intent_id: nobody }), 404, 'intent_not_found', 'intent_id'],
        [stack.delete(`${portfolio}/intents/${third}`, 'agent'), 404, 'member_not_found'],
        [post(`/v1/portfolios/${first}/intents`, { intent_id: first }), 404, 'portfolio_not_found'],
        [
          post('/v1/coordinators', { portfolio_id: first }),
          404,
          'portfolio_not_found',
          'portfolio_id',
        ],
        [post(`/v1/tasks/${first}/claim`, {}), 404, 'task_not_found'],
        [
          post('/v1/tasks', { intent_id: first, name: 'x', depends_on: [nobody] }),
          404,
          'task_not_found',
          'depends_on[0]',
        ],
        [post('/v1/plans', { intent_id: nobody }), 404, 'intent_not_found', 'intent_id'],
        [stack.get(`/v1/workflows/${first}`), 404, 'workflow_not_found'],
      ] as const) {
        const { status, body } = await sent;
        const told = [status, body.code, body.field].slice(0, wanted.length);
        assert.deepEqual(told, wanted, body.detail);
      }
      assert.deepEqual(await read(), before);
    });
  });
});
