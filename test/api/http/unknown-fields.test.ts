import assert from 'node:assert/strict';
import { createRig, type KeyName } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const INTENT_PATH = `/v1/intents/${INTENT_ID}`;
const SUSPEND = `${INTENT_PATH}/suspend`;

interface Case {
  readonly title: string;
  readonly path: string;
  readonly method?: 'get' | 'patch';
  readonly key?: KeyName;
  readonly body?: object;
  readonly field: string;
  readonly accepted: string | RegExp;
  readonly detail?: string;
}

const meant = (field: string, accepted: string) => ({
  field,
  accepted,
  detail: `${field} is not known here; did you mean ${accepted}?`,
});
const LADDER = 'a list of {attempt, channel_hint, notify_to?, eligible?}';
const meantWith = (field: string, accepted: string, form: string) => ({
  field,
  accepted,
  detail: `${field} is not known here; did you mean ${accepted}, ${form}?`,
});
const SECONDS = 'in whole seconds';
const ELIGIBLE = 'an object {principals?, roles?, groups?}';
/** Fields of a question, the one that is not known, what was meant, and its form. */
const ASKED: readonly (readonly [body: object, field: string, meant: string, form?: string])[] = [
  [{ timeout: 60 }, 'timeout', 'timeout_seconds', SECONDS],
  [{ retry_policy: { timeout: 60 } }, 'retry_policy.timeout', 'interval_seconds', SECONDS],
  [
    { escalation_ladder: [{ attempt: 2, channel_hint: 'pager' }] },
    'escalation_ladder',
    'retry_policy.escalation_ladder',
    LADDER,
  ],
  [{ ladder: [] }, 'ladder', 'retry_policy.escalation_ladder', LADDER],
  [{ notifyTo: 'ana' }, 'notifyTo', 'retry_policy.escalation_ladder', LADDER],
  [{ max_attempts: 3 }, 'max_attempts', 'retry_policy.max_attempts'],
  [{ assignee: 'ana' }, 'assignee', 'decision_rule.eligible', ELIGIBLE],
  [{ groups: ['a'] }, 'groups', 'decision_rule.eligible.groups'],
  [{ channel: 'mail' }, 'channel', 'channel_hint'],
  [{ timout_seconds: 60 }, 'timout_seconds', 'timeout_seconds'],
  [{ timoutSeconds: 6 }, 'timoutSeconds', 'timeout_seconds'],
  [
    { retry_policy: { max_attemps: 3, interval_seconds: 10 } },
    'retry_policy.max_attemps',
    'max_attempts',
  ],
];
/** Fields of a question, the one that is not known, and what would be accepted. */
const OTHERS: readonly (readonly [body: object, field: string, accepted: string | RegExp])[] = [
  [{ options: ['a', 'b'] }, 'options', 'choices'],
  [{ message: 'Go!' }, 'message', /^one of: reason, question, /],
  [
    { retry_policy: { escalation_ladder: [{ attempt: 2, channel_hint: 'a', notify: 'b' }] } },
    'retry_policy.escalation_ladder[0].notify',
    /notify_to/,
  ],
  [{ retry_policy: { maxAttempts: 3 } }, 'retry_policy.maxAttempts', 'max_attempts'],
  [{ urgency_of_this_question: 1 }, 'urgency_of_this_question', /^one of: reason, question, text_/],
  [{ timout_seconds: null }, 'timout_seconds', /./],
  [{ constructor: 1 }, 'constructor', /./],
];
const ask = (body: object, expected: Omit<Case, 'title' | 'path'>): Case => ({
  title: JSON.stringify(body),
  path: SUSPEND,
  body: { question: 'Go?', response_type: 'text', ...body },
  ...expected,
});

const CASES: readonly Case[] = [
  ...ASKED.map(([body, field, accepted, form]) =>
    ask(body, form === undefined ? meant(field, accepted) : meantWith(field, accepted, form)),
  ),
  ...OTHERS.map(([body, field, accepted]) => ask(body, { field, accepted })),
  ask(
    { fallback: 'yes' },
    {
      field: 'fallback',
      accepted: 'fallback_policy or fallback_value',
      detail: 'fallback is not known here; did you mean fallback_policy, or fallback_value?',
    },
  ),
  ask(
    { channelHint: 'mail' },
    {
      field: 'channelHint',
      accepted: 'channel_hint',
      detail: 'channelHint is not known here: names are in snake_case, so write channel_hint.',
    },
  ),
  {
    title: 'a message in place of the question',
    path: SUSPEND,
    body: { message: 'Go?', response_type: 'text' },
    ...meant('message', 'question'),
  },
  {
    title: 'an answer under another name',
    path: `/v1/suspensions/${SUSPENSION_ID}/respond`,
    key: 'operator',
    body: { answer: 'yes' },
    ...meant('answer', 'value'),
  },
  {
    title: 'a search under another name',
    method: 'get',
    path: '/v1/suspensions?q=refund',
    key: 'operator',
    ...meant('q', 'text'),
  },
  {
    title: 'arguments under another name',
    path: '/v1/approvals',
    body: { run_id: 'run-1', calls: [{ id: 'c', tool: 'refund', args: {} }] },
    ...meant('calls[0].args', 'arguments'),
  },
  {
    title: 'a misspelt field before what is missing because of it',
    path: SUSPEND,
    body: { questoin: 'Go?' },
    ...meant('questoin', 'question'),
  },
  {
    title: 'a misspelt query filter',
    method: 'get',
    path: '/v1/suspensions?status=settled',
    key: 'operator',
    ...meant('status', 'state'),
  },
  {
    title: 'a parameter where no query is declared',
    method: 'get',
    path: `${INTENT_PATH}?fields=status`,
    field: 'fields',
    accepted: 'nothing',
    detail: 'fields is not known here.',
  },
  {
    title: 'a parameter of a write',
    path: `${SUSPEND}?timeout_seconds=60`,
    body: { question: 'Go?', response_type: 'text' },
    field: 'timeout_seconds',
    accepted: 'nothing',
  },
  {
    title: 'a misspelt parameter of a stream',
    method: 'get',
    path: `${INTENT_PATH}/subscribe?last_event=3`,
    ...meant('last_event', 'last_event_id'),
  },
  {
    title: 'a misspelt field of a patch',
    path: `${INTENT_PATH}/state`,
    body: { patches: [{ op: 'set', path: 'a', value: 1, vlaue: 2 }] },
    ...meant('patches[0].vlaue', 'value'),
  },
  {
    title: 'a misspelt field of a phase',
    path: '/v1/workflows',
    body: { title: 'x', phases: { review: { dependson: [] } } },
    ...meant('phases.review.dependson', 'depends_on'),
  },
  {
    title: 'a misspelt field of a task in a plan',
    path: '/v1/plans',
    body: { intent_id: INTENT_ID, tasks: [{ name: 'review', pririty: 'high' }] },
    ...meant('tasks[0].pririty', 'priority'),
  },
  {
    title: 'the id of a suspension that the path names already',
    path: `/v1/suspensions/${SUSPENSION_ID}/respond`,
    key: 'operator',
    body: { suspension_id: SUSPENSION_ID, value: 'yes' },
    field: 'suspension_id',
    accepted: /^one of: value, /,
  },
];

describe('what /v1 does not know', () => {
  for (const { title, method = 'post', path, key = 'agent', body, ...expected } of CASES) {
    it(`refuses ${title}`, async () => {
      const rig = createRig();
      const reply = await rig.send(key, method, path).set('If-Match', '3').send(body);
      const { code, field, accepted, detail } = reply.body;
      assert.deepEqual([reply.status, code, field], [422, 'invalid_request', expected.field]);
      if (typeof expected.accepted === 'string') assert.equal(accepted, expected.accepted);
      else assert.match(accepted as string, expected.accepted);
      assert.equal(detail, expected.detail ?? detail);
      assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []]);
    });
  }

  it('is named before other faults, up to 20 fields', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]));
    const rig = createRig();
    const reply = await rig.send('agent', 'post', SUSPEND).send({ timout_seconds: 1, ...many });
    const errors = reply.body.errors as readonly { field: string }[];
    assert.equal(errors.length, 20);
    assert.equal(errors[0]?.field, 'timout_seconds');
    const two = await rig.send('agent', 'post', SUSPEND).send({ timout_seconds: 1 });
    const fields = (two.body.errors as readonly { field: string }[]).map(({ field }) => field);
    assert.deepEqual(fields, ['timout_seconds', 'question']);
  });

  it('is not repeated in full if it is long', async () => {
    const body = { question: 'Go?', ['q'.repeat(100_000)]: 1 };
    const reply = await createRig().send('agent', 'post', SUSPEND).send(body);
    assert.equal(reply.body.field, `["${'q'.repeat(100)}…"]`);
    assert.ok(reply.text.length < 2_000);
  });

  it('is taken where any JSON is', async () => {
    const rig = createRig();
    const context = { timout_seconds: 1, deep: [{ maxAttempts: 1 }] };
    const fallback_value = { timout_seconds: 1 };
    const asked = {
      question: 'Go?',
      response_type: 'form',
      response_schema: { type: 'object' },
      context,
      fallback_value,
    };
    const opened = await rig.send('agent', 'post', SUSPEND).send(asked);
    const state = { nested: { timout_seconds: 1 } };
    const governance_policy = { budget: { max: 1 } };
    const made = await rig
      .send('agent', 'post', '/v1/portfolios')
      .send({ name: 'x', metadata: state, governance_policy });
    const intent = { title: 'x', state, constraints: { maxAttempts: 1 } };
    const created = await rig.send('agent', 'post', '/v1/intents').send(intent);
    assert.deepEqual([opened.status, made.status, created.status], [201, 201, 201]);
  });

  it('is ignored by the OpenIntent API', async () => {
    const rig = createRig();
    const body = { title: 'Refund', timout_seconds: 60, maxAttempts: 3 };
    const created = await rig.send('agent', 'post', '/api/v1/intents').send(body);
    assert.ok(created.status < 300, created.text);
    const listed = await rig.send('agent', 'get', '/api/v1/intents?stauts=active');
    assert.equal(listed.status, 200);
    const unlisted = await rig.send('agent', 'get', `/api${INTENT_PATH}?fields=status`);
    assert.equal(unlisted.status, 200);
  });

  it('is ignored if no key is needed, for probes add parameters of their own', async () => {
    const rig = createRig();
    for (const path of ['/health', '/v1/health', '/v1/ready', '/v1/openapi.json']) {
      assert.equal((await rig.send(undefined, 'get', `${path}?t=1`)).status, 200, path);
    }
  });
});
