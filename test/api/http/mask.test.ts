import assert from 'node:assert/strict';
import { intentSummarySchema, type Intent } from '../../../contracts/intent/intent.js';
import { planSummarySchema, type Plan, type PlanSummary } from '../../../contracts/plan/plan.js';
import { formIn, formOf } from '../support/containers.js';
import { rigOver, type KeyName } from '../support/harness.js';
import { knowingIntent } from '../support/parts.js';
import { EVENT, INTENT, INTENT_ID } from '../support/records.js';
import { EXAMPLES } from '../../support/examples.js';

const SUSPENSION_ID = '5f0c8a52-0f3c-4a55-9d5e-3d2f0a3f9f10';
const PATH = `/v1/intents/${INTENT_ID}`;

/** What a key reads of the suspension's id on each route, where this principal made the intent. */
async function idsSeen(key: KeyName, owner: string): Promise<string[]> {
  const intent: Intent = { ...INTENT, owner, state: { _suspension: { id: SUSPENSION_ID } } };
  const event = { ...EVENT, payload: { suspension_id: SUSPENSION_ID } };
  const rig = rigOver({
    answers: knowingIntent(intent),
    store: {
      listEvents: async () => ({ rows: [event], more: false }),
      listIntents: formOf(intentSummarySchema, intent),
    },
  });
  const read = await rig.send(key, 'get', PATH);
  const list = await rig.send(key, 'get', '/api/v1/intents');
  const log = await rig.send(key, 'get', `${PATH}/events`);
  const intents = [read.body, ...list.body.intents] as { state: { _suspension: { id: string } } }[];
  const events = log.body.events as { payload: { suspension_id: string } }[];
  return [
    ...intents.map(({ state }) => state._suspension.id),
    ...events.map(({ payload }) => payload.suspension_id),
  ];
}

describe('the id of a suspension', () => {
  const whole = Array<string>(3).fill(SUSPENSION_ID);

  it('is shortened for an agent that did not make the intent [AM-45]', async () => {
    assert.deepEqual(await idsSeen('agent', 'other-agent'), Array<string>(3).fill('5f0c8a52…'));
  });

  it('is whole for the agent that made the intent', async () => {
    assert.deepEqual(await idsSeen('agent', 'refund-agent'), whole);
  });

  for (const key of ['operator', 'admin', 'both'] as const) {
    it(`is whole for a key that may answer: ${key}`, async () => {
      assert.deepEqual(await idsSeen(key, 'other-agent'), whole);
    });
  }
});

/** What a key reads of the ids of a plan's questions on each route, where this principal made the plan. */
async function planIdsSeen(key: KeyName, created_by: string): Promise<string[]> {
  const { plan: example } = EXAMPLES;
  const task_id = example.tasks[0] ?? '';
  const checkpoint: Plan['checkpoints'][number] = {
    id: 'sign-off',
    name: null,
    after_task: task_id,
    requires_approval: true,
    approvers: [],
    timeout_hours: null,
    on_timeout: 'escalate',
    status: 'reached',
    decided_by: null,
    suspension_id: SUSPENSION_ID,
  };
  const escalation: Plan['escalations'][number] = {
    task_id,
    attempt: 1,
    error: null,
    status: 'open',
    decision: null,
    decided_by: null,
    suspension_id: SUSPENSION_ID,
  };
  const still: typeof checkpoint = { ...checkpoint, status: 'pending', suspension_id: null };
  const plan: Plan = {
    ...example,
    created_by,
    checkpoints: [still, checkpoint],
    escalations: [escalation],
  };
  const rig = rigOver({
    answers: { plan: () => ({ plan }), patchPlan: () => plan },
    store: { listPlans: formIn(planSummarySchema, plan), findPlans: async () => [plan] },
  });
  const path = `/v1/plans/${plan.id}`;
  const read = await rig.send(key, 'get', path);
  const list = await rig.send(key, 'get', `${PATH}/plans`);
  const patched = await rig
    .send('agent', 'patch', path)
    .set('If-Match', '1')
    .send({ state: 'active' });
  const openintent = await rig.send(key, 'get', `/api/v1/plans/${plan.id}`);
  const whole = await rig.send(key, 'get', `/api${PATH}/plans`);
  const summaries = list.body.plans as PlanSummary[];
  const plans = [read.body, openintent.body, ...whole.body, patched.body] as Plan[];
  return [
    ...summaries.flatMap(({ escalations }) => escalations),
    ...plans.flatMap(({ checkpoints, escalations }) => [...checkpoints, ...escalations]),
  ].map(({ suspension_id }) => String(suspension_id));
}

describe('the id of a question that a plan asks', () => {
  const ids = (id: string, last = id) => [
    id,
    ...[id, id, id, last].flatMap((one) => ['null', one, one]),
  ];

  it('is shortened for an agent that did not make the plan [AM-45]', async () => {
    assert.deepEqual(await planIdsSeen('agent', 'other-agent'), ids('5f0c8a52…'));
  });

  it('is whole for the agent that made the plan', async () => {
    assert.deepEqual(await planIdsSeen('agent', 'refund-agent'), ids(SUSPENSION_ID));
  });

  it('is whole for an operator', async () => {
    assert.deepEqual(await planIdsSeen('operator', 'other-agent'), ids(SUSPENSION_ID, '5f0c8a52…'));
  });
});
