import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { IntentSummary } from '../../../contracts/intent/intent.js';
import type { PortfolioAggregate, PortfolioView } from '../../../contracts/portfolio/portfolio.js';
import { typesOf } from '../../workflows/support/intents.js';
import { dueSoon } from '../../support/due-portfolio.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { everything } from '../../support/everything.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';

const LAX = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' } as const;
const QUESTION = {
  question: 'Refund?',
  choices: [{ value: 'approve', label: 'Approve refund' }],
  ...LAX,
};

describe('portfolios over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

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

  it('abandon who waits at their deadline, which may be moved [R26-27, R26-29]', async () => {
    const intent = await createIntent(stack);
    const path = await create({
      intents: [{ intent_id: idOf(intent) }],
      governance_policy: { deadline: '2126-03-31', budget_limit_cents: 5 },
    });
    const { id } = await ask(stack, intent, QUESTION);
    const { version } = await until(path, (each) => each.has_suspended_members);
    const policy = await dueSoon(stack, path, version);
    assert.deepEqual(Object.keys(policy), ['deadline']);
    const failed = await until(path, (each) => each.aggregate_status.status === 'failed');
    assert.deepEqual([failed.status, failed.has_suspended_members], ['active', false]);
    const { body } = await stack.get(intent);
    assert.deepEqual(
      [body.status, body.abandonment_reason],
      ['abandoned', 'portfolio_deadline_exceeded'],
    );
    const { record } = (await stack.get(`/v1/suspensions/${id}`)).body;
    assert.deepEqual([record.resolution, record.reason], ['expired', 'portfolio_deadline']);
    const answer = { suspension_id: id, value: 'approve' };
    const late = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.deepEqual([late.status, late.body.state.resolution], [409, 'expired']);
    const log = `${intent}/events?event_type=intent.suspension_expired`;
    const { events } = await readFresh<{ events: IntentEvent[] }>(stack, log);
    assert.equal(events[0]?.payload['reason'], 'portfolio_deadline');
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

  it('lose no change: of two that were made of one version, one is refused', async () => {
    const path = await create({ metadata: { seats: 3 } });
    const read = await stack.get(path);
    const ifMatch = { 'If-Match': read.headers['etag'] as string };
    const change = (metadata: object) => stack.patch(path, 'agent', { metadata }, ifMatch);
    const both = await Promise.all([change({ seats: 4 }), change({ seats: 3, doors: 2 })]);
    const [first, second] = both.toSorted((a, b) => a.status - b.status);
    assert.deepEqual([first?.status, second?.status], [200, 409]);
    const { version } = read.body as { readonly version: number };
    assert.equal(first?.headers['etag'], `"${version + 1}"`);
    const { code, accepted } = second?.body as Record<string, unknown>;
    assert.deepEqual([code, accepted], ['version_conflict', '2']);
    assert.deepEqual((await stack.get(path)).body.metadata, first.body.metadata);
  });

  it('are made once under one Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const [first, again] = [
      await stack.post('/v1/portfolios', 'agent', { name: 'Launch' }, key),
      await stack.post('/v1/portfolios', 'agent', { name: 'Launch' }, key),
    ];
    assert.deepEqual([again.status, again.body], [201, first.body]);
    const other = await stack.post('/v1/portfolios', 'agent', { name: 'Other' }, key);
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });

  it('refuse what they cannot take, and change nothing', async () => {
    const intent = await createIntent(stack);
    const intent_id = idOf(intent);
    const path = await create({ intents: [{ intent_id }] });
    const nobody = randomUUID();
    const before = [await everything(stack, intent), (await stack.get(path)).body];
    const past = { governance_policy: { deadline: '2020-01-01T00:00:00' } };
    const twice = { name: 'x', intents: [{ intent_id }, { intent_id }] };
    const unknown = { name: 'x', intents: [{ intent_id }, { intent_id: nobody }] };
    const own = { 'If-Match': (await stack.get(path)).headers['etag'] as string };
    const refusals = [
      [stack.post(`${path}/intents`, 'agent', { intent_id }), 409, 'member_exists'],
      [stack.post(`${path}/intents`, 'agent', { intent_id: nobody }), 404, 'intent_not_found'],
      [stack.post(`${path}/intents`, 'agent', { intent_id: idOf(path) }), 404, 'intent_not_found'],
      [stack.delete(`${path}/intents/${nobody}`, 'agent'), 404, 'member_not_found'],
      [stack.patch(path, 'agent', past, own), 422, 'deadline_in_past'],
      [stack.patch(path, 'agent', past), 428, 'precondition_required'],
      [stack.post('/v1/portfolios', 'agent', { name: 'x', ...past }), 422, 'deadline_in_past'],
      [stack.post('/v1/portfolios', 'agent', twice), 409, 'member_exists'],
      [stack.post('/v1/portfolios', 'agent', unknown), 404, 'intent_not_found'],
      [stack.patch(`${path}/status`, 'agent', { status: 'active' }), 409, 'invalid_transition'],
      [stack.get(`/v1/portfolios/${intent_id}`), 404, 'portfolio_not_found'],
      [stack.get(`/v1/portfolios/${intent_id}/events`), 404, 'portfolio_not_found'],
      [
        stack.patch(`/v1/portfolios/${intent_id}`, 'agent', { name: 'x' }, own),
        404,
        'portfolio_not_found',
      ],
      [stack.get(`/v1/intents/${nobody}/portfolios`), 404, 'intent_not_found'],
      [stack.post('/v1/portfolios', 'agent', { name: 'x', created_by: 'root' }), 403, 'forbidden'],
    ] as const;
    for (const [sent, status, code] of refusals) {
      const { status: given, body } = await sent;
      assert.deepEqual([given, body.code], [status, code], JSON.stringify(body));
    }
    assert.deepEqual([await everything(stack, intent), (await stack.get(path)).body], before);
  });
});
