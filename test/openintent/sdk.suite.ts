import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import { lookUntil } from '../support/looks.js';
import { AGENT, OPERATOR, SdkStack } from './sdk-stack.js';

/**
 * The published SDK, unchanged but for one call: `request_input` hands `set_status` its arguments the wrong
 * way round (`agent.py` says where), so that no server ever sees its request.
 */
describe('the real OpenIntent SDK', () => {
  let sdk: SdkStack;
  before(async function () {
    this.timeout(600_000);
    sdk = await SdkStack.start();
  });
  after(() => sdk.close());

  const start = (task: string, fields: object = {}) => sdk.run(task, fields);
  const call = (...sent: Parameters<SdkStack['call']>) => sdk.call(...sent);
  const ask = (question: object, active?: boolean) => sdk.ask(question, active);
  const answer = (intentId: string, id: string, value: JsonValue) =>
    sdk.answer(intentId, id, value);
  const read = (intentId: string) => sdk.read(intentId);
  const recordOf = (intentId: string) => sdk.recordOf(intentId);
  /** The SDK may give up by its own clock before the server has settled. */
  const settled = (id: string) => call(`/v1/suspensions/${id}/wait?timeout_seconds=30`);
  /** An intent hears of an end by the clock in a task after that of its question. */
  const untilHeard = (intentId: string) =>
    lookUntil(async () => {
      const record = await recordOf(intentId);
      return record.resolution !== undefined && record;
    }, 'the intent does not hear that its question has ended');
  async function typesOf(intentId: string, only?: RegExp): Promise<string[]> {
    const read = (await call(`/v1/intents/${intentId}/events`)) as { events: IntentEvent[] };
    const types = read.events.map(({ event_type }) => event_type).reverse();
    return types.filter((type) => only?.test(type) ?? true);
  }

  const ANSWERS: readonly (readonly [type: string, value: JsonValue, question: object])[] = [
    ['choice', 'approve', { choices: [{ value: 'approve', label: 'Approve' }] }],
    ['confirm', 'yes', {}],
    ['text', 'because', { context: { order: 4711 }, confidence: 0.4 }],
    ['form', { amount: 12, reasons: ['a', null] }, {}],
  ];
  for (const [response_type, value, question] of ANSWERS) {
    it(`gets the answer to a ${response_type} question [AM-33]`, async () => {
      const active = response_type !== 'text';
      const asked = await ask({ ...question, response_type }, active);
      const before = await read(asked.intent_id);
      assert.deepEqual(before.state['_suspension'], asked.record);
      await answer(asked.intent_id, asked.suspension_id, value);
      assert.deepEqual(await asked.agent.last(), { step: 'returned', value });
      const received = await asked.agent.until('received');
      assert.deepEqual([received['value'], received['responded_by']], [value, 'alice']);
      assert.equal((await read(asked.intent_id)).status, 'active');
      assert.deepEqual(await typesOf(asked.intent_id, /^intent\.(suspended|resumed)$/), [
        'intent.suspended',
        'intent.resumed',
      ]);
    });
  }

  const FALLBACKS: readonly (readonly [policy: string, told: object, status: string])[] = [
    ['fail', { step: 'raised', error: 'InputTimeoutError' }, 'abandoned'],
    ['complete_with_fallback', { step: 'returned', value: 'deny' }, 'active'],
    ['use_default_and_continue', { step: 'returned', value: 'deny' }, 'active'],
  ];
  for (const [policy, told, status] of FALLBACKS) {
    const value = { response_type: 'text', fallback_value: 'deny' };

    it(`falls back by ${policy} when its time is over`, async () => {
      const own = { timeout_seconds: 2, fallback_policy: policy };
      const { agent, intent_id, suspension_id } = await ask({ ...value, ...own });
      assert.deepEqual(await agent.last(), told);
      await settled(suspension_id);
      const { resolution, settled_by } = await untilHeard(intent_id);
      assert.deepEqual([resolution, settled_by], ['expired', 'clock']);
      assert.equal((await read(intent_id)).status, status);
    });

    it(`falls back by ${policy} of a policy with one attempt, which only the server ends`, async () => {
      const retry_policy = {
        max_attempts: 1,
        interval_seconds: 2,
        final_fallback_policy: policy,
      };
      const { agent, intent_id } = await ask({ ...value, retry_policy });
      assert.deepEqual(await agent.last(), told);
      assert.equal((await agent.until('expired'))['resolution'], 'expired');
      assert.equal((await read(intent_id)).status, status);
    });
  }

  it('goes up its ladder beside the server, each event once [R26-55, R26-57]', async () => {
    const escalation_ladder = [
      { attempt: 2, channel_hint: 'console', notify_to: 'lead' },
      { attempt: 3, notify_to: 'director' },
    ];
    const retry_policy = { max_attempts: 3, interval_seconds: 6, escalation_ladder };
    const { agent, intent_id } = await ask({ response_type: 'confirm', retry_policy });
    assert.deepEqual(await agent.last(), { step: 'raised', error: 'InputTimeoutError' });
    const attempts = agent.steps.filter(({ step }) => step === 'requested');
    assert.ok(attempts.length > 1, JSON.stringify(agent.steps));
    const types = await lookUntil(async () => {
      const logged = await typesOf(intent_id, /suspension|suspended/);
      return logged.includes('intent.suspension_expired') && logged;
    }, 'the server does not log that the question has expired');
    const count = (type: string) => types.filter((one) => one === `intent.${type}`).length;
    assert.deepEqual(
      ['suspended', 'suspension_renotified', 'suspension_escalated', 'suspension_expired'].map(
        count,
      ),
      [1, 2, 2, 1],
    );
  });

  it('stops when its question is withdrawn', async () => {
    const { agent, intent_id } = await ask({ response_type: 'text' });
    const written = await start('withdraw', { intent_id }).last();
    assert.deepEqual(written, { step: 'withdrawn', status: 'active' });
    assert.deepEqual(await agent.last(), { step: 'raised', error: 'InputCancelledError' });
    const { resolution, settled_by } = await recordOf(intent_id);
    assert.deepEqual([resolution, settled_by], ['cancelled', 'agent']);
  });

  it('stops past its fallback at the deadline of a portfolio [R26-28]', async () => {
    const fallback = { fallback_policy: 'use_default_and_continue', fallback_value: 'later' };
    const { agent, intent_id } = await ask({ response_type: 'text', ...fallback });
    const deadline = new Date(Date.now() + 10_000).toISOString();
    const portfolio = { name: 'Launch', governance_policy: { deadline }, intents: [{ intent_id }] };
    await call('/v1/portfolios', portfolio, AGENT.key);
    assert.deepEqual(await agent.last(), { step: 'raised', error: 'InputCancelledError' });
    assert.equal((await read(intent_id)).status, 'abandoned');
  });

  it('is gone, and the server settles its question all the same', async () => {
    const own = { timeout_seconds: 3, fallback_policy: 'use_default_and_continue' };
    const expiring = await ask({ response_type: 'text', fallback_value: 'later', ...own });
    const answered = await ask({ response_type: 'text' });
    await Promise.all([expiring.agent.kill(), answered.agent.kill()]);
    await answer(answered.intent_id, answered.suspension_id, 'go on');
    assert.equal((await recordOf(answered.intent_id)).resolution, 'responded');
    await settled(expiring.suspension_id);
    assert.equal((await untilHeard(expiring.intent_id)).resolution, 'expired');
    assert.equal((await read(expiring.intent_id)).status, 'active');
  });

  it('finds the rest of the contract as it expects', async () => {
    const agent = start('tour');
    await agent.last();
    const told = (name: string) => agent.steps.filter(({ step }) => step === name);
    assert.deepEqual(told('raised'), [
      { step: 'raised', error: 'LeaseConflictError' },
      { step: 'raised', error: 'ConflictError', current: 3 },
      { step: 'raised', error: 'NotFoundError' },
    ]);
    assert.deepEqual(told('leased'), [{ step: 'leased', agent: 'agent-1', scopes: ['refunds'] }]);
    const [events] = told('events');
    assert.deepEqual(events?.['types'], [
      'engagement.decision',
      'lease_released',
      'lease_acquired',
      'state_patched',
      'status_changed',
      'intent_created',
    ]);
    assert.deepEqual([...new Set(events['actors'] as string[])], ['refunder']);
    assert.deepEqual(told('listed'), [{ step: 'listed', found: true, state: { a: { b: 1 } } }]);
    assert.deepEqual(told('graph'), [{ step: 'graph', parent: true, children: 1, nodes: 2 }]);
  });

  it('keeps what the SDK records, and gives it back', async () => {
    const agent = start('records', { operator_key: OPERATOR.key });
    await agent.last();
    assert.deepEqual(agent.steps.slice(0, -1), [
      { step: 'decision', maker: 'agent-1', listed: 1 },
      { step: 'raised', status: 403 },
      { step: 'escalation', before: 'pending', after: 'resolved', listed: ['resolved'] },
      { step: 'arbitration', status: 'pending' },
      { step: 'raised', status: 403 },
      { step: 'approval', status: 'approved', by: 'alice' },
      { step: 'governance', cost: 5, read: { max_cost: 5 } },
      { step: 'acl', policy: 'closed', entries: ['a'] },
    ]);
    assert.deepEqual((await agent.last())['types'], [
      'agent_unassigned',
      'agent_assigned',
      'access_revoked',
      'access_granted',
      'governance.policy_removed',
      'governance.policy_set',
      'governance.approval_granted',
      'arbitration_requested',
      'decision_recorded',
      'intent_created',
    ]);
  });

  it('votes on an approval, and completes what waited for it', async () => {
    const agent = start('governed', { operator_key: OPERATOR.key });
    assert.deepEqual(await agent.last(), { step: 'completed', status: 'completed' });
    const asked = { step: 'asked', status: 'pending', by: 'refunder', context: { paid: 5 } };
    const decisions = [
      ['denied', 'deny'],
      ['approved', 'approve'],
    ] as const;
    assert.deepEqual(
      agent.steps.slice(0, -1),
      decisions.flatMap(([status, verb]) => [
        asked,
        { step: 'raised', status: 403 },
        { step: 'decided', status, by: 'alice' },
        { step: 'raised', detail: `Approval is already '${status}', cannot ${verb}` },
      ]),
    );
  });

  it('lives on its subscription: is assigned, told of changes, and handed work [R25-18]', async () => {
    const helper = start('serve');
    assert.equal((await helper.until('frame'))['type'], 'connected');
    const intent_id = await sdk.create();
    const watcher = start('watch', { watched: { kind: 'intent', id: intent_id } });
    await watcher.until('frame');
    await call(`/api/v1/intents/${intent_id}/agents`, { agent_id: 'helper' });
    assert.equal((await helper.until('assigned'))['title'], 'Refund');
    assert.deepEqual((await helper.until('changed'))['new_state'], { helped: true });
    await start('finish', { intent_id }).last();
    assert.equal((await helper.until('available'))['scope'], 'refunds');
    assert.equal((await helper.until('completed'))['status'], 'completed');
    await start('delegate', { intent_id: await sdk.create() }).last();
    assert.equal((await helper.until('handed'))['by'], 'refunder');
    await helper.kill();
    assert.deepEqual(
      helper.steps.map(({ step, type }) => type ?? step),
      [
        'connected',
        'AGENT_ASSIGNED',
        'assigned',
        'STATE_CHANGED',
        'changed',
        'LEASE_RELEASED',
        'available',
        'INTENT_COMPLETED',
        'completed',
        'AGENT_ASSIGNED',
        'handed',
      ],
    );
    await watcher.last();
    assert.deepEqual(
      watcher.steps.map(({ type }) => type),
      ['connected', 'STATE_CHANGED', 'LEASE_RELEASED', 'INTENT_COMPLETED'],
    );
  });

  it('keeps portfolios, tasks, plans and coordinators as the SDK expects', async () => {
    const agent = start('containers');
    await agent.last();
    const tools = [{ service: 'ledger', scopes: ['read'], required: true }];
    assert.deepEqual(agent.steps.slice(0, -1), [
      {
        step: 'portfolio',
        by: 'refunder',
        dated: true,
        metadata: { of: 'spring' },
        role: 'primary',
        priority: 3,
        intents: ['Refund'],
        total: 1,
        listed: true,
        of_intent: true,
      },
      { step: 'closed', status: ['completed', 'completed'], total: 0 },
      { step: 'task', status: ['ready', 'pending'], tools, metadata: {}, dated: true },
      { step: 'done', status: 'completed', output: { ok: true }, agent: 'helper' },
      { step: 'tasks', names: ['pay', 'review'] },
      { step: 'raised', error: 'ConflictError' },
      {
        step: 'plan',
        states: ['draft', 'active'],
        tasks: 2,
        on_failure: 'notify',
        listed: true,
      },
      {
        step: 'coordinator',
        agent: 'lead',
        status: 'active',
        guardrails: 5,
        beat: 'ok',
        listed: true,
      },
      { step: 'decided', summary: 'helper', same: true },
    ]);
    const types = (await agent.last())['types'] as readonly string[];
    for (const type of ['task.completed', 'plan.activated', 'coordinator.decision']) {
      assert.ok(types.includes(type), JSON.stringify(types));
    }
  });

  it('registers agents that want to be', async () => {
    const agent = start('register');
    await agent.last();
    assert.deepEqual(agent.steps, [
      {
        step: 'registered',
        status: 'active',
        metadata: { a: 1 },
        versions: [1, 2],
        beat: 'ok',
        seen: true,
        draining: ['helper'],
      },
      { step: 'raised', error: 'NotFoundError' },
      { step: 'subscriptions', listed: 0 },
    ]);
  });
});
