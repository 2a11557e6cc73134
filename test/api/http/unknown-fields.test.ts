import assert from 'node:assert/strict';
import { createRig } from '../support/harness.js';
import type { KeyName } from '../support/harness.js';
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
const ask = (title: string, body: object, expected: Omit<Case, 'title' | 'path'>): Case => ({
  title,
  path: SUSPEND,
  body: { question: 'Go?', response_type: 'text', ...body },
  ...expected,
});
const isSnakeCase = (field: string, accepted: string) => ({
  field,
  accepted,
  detail: `${field} is not known here: names are in snake_case, so write ${accepted}.`,
});

const LADDER = 'a list of {attempt, channel_hint, notify_to?, eligible?}';
const meantWith = (field: string, accepted: string, form: string) => ({
  field,
  accepted,
  detail: `${field} is not known here; did you mean ${accepted}, ${form}?`,
});
const approval = (title: string, body: object, expected: Omit<Case, 'title' | 'path'>): Case => ({
  title,
  path: '/v1/approvals',
  body: { run_id: 'run-1', ...body },
  ...expected,
});

const CASES: readonly Case[] = [
  ask(
    'a timeout without its unit',
    { timeout: 60 },
    meantWith('timeout', 'timeout_seconds', 'in whole seconds'),
  ),
  ask(
    'a timeout of an attempt',
    { retry_policy: { timeout: 60 } },
    {
      ...meantWith('retry_policy.timeout', 'interval_seconds', 'in whole seconds'),
    },
  ),
  ask(
    'a ladder at the top, with the place and the fields that it has',
    { escalation_ladder: [{ attempt: 2, channel_hint: 'pager' }] },
    meantWith('escalation_ladder', 'retry_policy.escalation_ladder', LADDER),
  ),
  ask(
    'a ladder under another name',
    { ladder: [] },
    meantWith('ladder', 'retry_policy.escalation_ladder', LADDER),
  ),
  ask(
    'a recipient at the top',
    { notifyTo: 'ana' },
    meantWith('notifyTo', 'retry_policy.escalation_ladder', LADDER),
  ),
  ask(
    'attempts at the top',
    { max_attempts: 3 },
    meant('max_attempts', 'retry_policy.max_attempts'),
  ),
  ask(
    'who may answer, at the top',
    { assignee: 'ana' },
    meantWith('assignee', 'decision_rule.eligible', 'an object {principals?, roles?, groups?}'),
  ),
  ask('a group at the top', { groups: ['a'] }, meant('groups', 'decision_rule.eligible.groups')),
  ask('options for choices', { options: ['a', 'b'] }, { field: 'options', accepted: 'choices' }),
  ask('a part of a name', { channel: 'mail' }, meant('channel', 'channel_hint')),
  ask(
    'a part of two names',
    { fallback: 'yes' },
    {
      field: 'fallback',
      accepted: 'fallback_policy or fallback_value',
      detail: 'fallback is not known here; did you mean fallback_policy, or fallback_value?',
    },
  ),
  ask(
    'a second text besides the question',
    { message: 'Go!' },
    {
      field: 'message',
      accepted: /^one of: reason, question, /,
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
  approval(
    'arguments under another name',
    { calls: [{ id: 'c', tool: 'refund', args: {} }] },
    meant('calls[0].args', 'arguments'),
  ),
  ask('a misspelt field', { timout_seconds: 60 }, meant('timout_seconds', 'timeout_seconds')),
  ask(
    'a misspelt field of a policy',
    { retry_policy: { max_attemps: 3, interval_seconds: 10 } },
    meant('retry_policy.max_attemps', 'max_attempts'),
  ),
  ask(
    'a misspelt field of a list in a policy',
    { retry_policy: { escalation_ladder: [{ attempt: 2, channel_hint: 'a', notify: 'b' }] } },
    { field: 'retry_policy.escalation_ladder[0].notify', accepted: /notify_to/ },
  ),
  ask('a camelCase field', { channelHint: 'mail' }, isSnakeCase('channelHint', 'channel_hint')),
  ask(
    'a camelCase field of a policy',
    { retry_policy: { maxAttempts: 3 } },
    { field: 'retry_policy.maxAttempts', accepted: 'max_attempts' },
  ),
  ask(
    'a camelCase field with a typo',
    { timoutSeconds: 6 },
    meant('timoutSeconds', 'timeout_seconds'),
  ),
  ask(
    'a field like no other, with the names that are known',
    { urgency_of_this_question: 1 },
    {
      field: 'urgency_of_this_question',
      accepted: /^one of: reason, question, text_format, response_type, /,
    },
  ),
  ask(
    'an unknown field that is null',
    { timout_seconds: null },
    { field: 'timout_seconds', accepted: /./ },
  ),
  ask('a name that objects inherit', { constructor: 1 }, { field: 'constructor', accepted: /./ }),
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
