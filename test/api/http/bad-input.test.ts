import assert from 'node:assert/strict';
import { createRig, rigOver, type KeyName, type Rig } from '../support/harness.js';
import { knowingIntent } from '../support/parts.js';
import { INTENT_ID, SUSPENDED, SUSPENSION_ID } from '../support/records.js';

const INTENT_PATH = `/v1/intents/${INTENT_ID}`;

interface Expected {
  readonly status: number;
  readonly code: string;
  readonly field?: string;
}

interface Case extends Expected {
  readonly title: string;
  readonly path: string;
  readonly key?: KeyName;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const ask = (title: string, body: object, code: string, field: string): Case => ({
  title,
  path: `${INTENT_PATH}/suspend`,
  status: 422,
  code,
  field,
  body: { question: 'Approve?', ...body },
});
const answer = (title: string, body: unknown, code: string, field: string): Case => ({
  title,
  path: `${INTENT_PATH}/suspend/respond`,
  key: 'operator',
  status: 422,
  code,
  field,
  body,
});
const wrong = (
  title: string,
  path: string,
  body: object,
  field: string,
  more: Partial<Case> = {},
): Case => ({ title, path, status: 422, code: 'invalid_request', field, body, ...more });
const workflow = (title: string, body: object, field: string): Case => ({
  title,
  path: '/v1/workflows',
  status: 422,
  code: 'invalid_request',
  field,
  body: { title: 'x', ...body },
});
const many = (n: number) => Array.from({ length: n }, () => ({ value: 'a', label: 'A' }));
const names = (n: number) => Array.from({ length: n }, (_, index) => `a${index}`);
const POLICY = 'invalid_retry_policy';

const CASES: readonly Case[] = [
  answer(
    'a missing suspension_id [R25-83]',
    { value: 'yes' },
    'missing_suspension_id',
    'suspension_id',
  ),
  answer(
    'an empty suspension_id [R25-83]',
    { suspension_id: '', value: 'yes' },
    'missing_suspension_id',
    'suspension_id',
  ),
  answer('an answer without value', { suspension_id: SUSPENSION_ID }, 'invalid_request', 'value'),
  answer(
    'metadata that is no object [R25-72]',
    { suspension_id: SUSPENSION_ID, value: 'yes', metadata: 1 },
    'invalid_request',
    'metadata',
  ),
  ask('a blank question', { question: '   ' }, 'invalid_request', 'question'),
  ask('an overlong question', { question: 'q'.repeat(2_001) }, 'invalid_request', 'question'),
  ask('more than 100 choices', { choices: many(101) }, 'invalid_choices', 'choices'),
  ask('an empty text as a choice', { choices: ['a', ''] }, 'invalid_choices', 'choices[1]'),
  ask(
    'a choice without a label [AM-01]',
    { choices: [{ value: 'a' }] },
    'invalid_choices',
    'choices[0].label',
  ),
  ask(
    'more than 100 attempts',
    { retry_policy: { max_attempts: 101 } },
    POLICY,
    'retry_policy.max_attempts',
  ),
  ask(
    'a ladder entry before the first attempt',
    { agent_retry_policy: { escalation_ladder: [{ attempt: 0, channel_hint: 'x' }] } },
    POLICY,
    'agent_retry_policy.escalation_ladder[0].attempt',
  ),
  ...(['confidence', 'risk', 'reversibility'] as const).flatMap((field) =>
    [1.1].map((value) => ({
      title: `${field} ${JSON.stringify(value)} as a signal [R25-70]`,
      body: { [field]: value },
      path: `${INTENT_PATH}/engagement`,
      status: 422,
      code: 'invalid_signals',
      field,
    })),
  ),
  wrong('an intent without title', '/v1/intents', {}, 'title'),
  wrong(
    'constraints of a wrong kind',
    '/v1/intents',
    { title: 'x', constraints: 'none' },
    'constraints',
  ),
  wrong(
    'a person’s answer in the first state',
    '/v1/intents',
    { title: 'x', state: { _suspension: { response: 'approve' } } },
    'state._suspension',
  ),
  workflow(
    'a person’s answer in the first state of a workflow',
    { phases: { a: {} }, initial_state: { _suspension: { response: 'approve' } } },
    'initial_state._suspension',
  ),
  workflow(
    'a phase that waits for the same phase twice',
    { phases: { a: {}, b: { depends_on: ['a', 'a'] } } },
    'phases.b.depends_on',
  ),
  workflow(
    'a phase that waits for more than an intent can',
    { phases: { a: {}, b: { depends_on: names(101) } } },
    'phases.b.depends_on',
  ),
  wrong(
    'a task that waits for the same task twice',
    '/v1/tasks',
    { intent_id: INTENT_ID, name: 'x', depends_on: [INTENT_ID, INTENT_ID] },
    'depends_on',
  ),
  wrong(
    'a context of signals over 64 KiB',
    `${INTENT_PATH}/engagement`,
    { context: { a: 'x'.repeat(65_536) } },
    'context',
  ),
  wrong(
    'a state with a reserved key',
    `${INTENT_PATH}/state`,
    { state: { constructor: 1 } },
    'state.constructor',
    { code: 'invalid_patch', headers: { 'If-Match': '3' } },
  ),
  wrong(
    'an instant of 200,000 characters',
    '/v1/subscriptions',
    { webhook_url: 'https://example.com/', expires_at: `${'T'.repeat(200_000)}Z` },
    'expires_at',
  ),
  wrong(
    'a path of 200,000 characters in a patch',
    `${INTENT_PATH}/state`,
    { patches: [{ op: 'set', path: 'a/'.repeat(100_000), value: 1 }] },
    'patches[0].path',
    { headers: { 'If-Match': '3' } },
  ),
  wrong(
    'an event only the server writes',
    `${INTENT_PATH}/events`,
    { event_type: 'intent.resumed' },
    'event_type',
  ),
  wrong('a lease without duration', `${INTENT_PATH}/leases`, { scope: 'a' }, 'duration_seconds'),
];

async function refuses(rig: Rig, input: Case): Promise<void> {
  const reply = await rig
    .send(input.key ?? 'agent', 'post', input.path)
    .set(input.headers ?? {})
    .send(input.body as object);
  const { status, code, field } = reply.body;
  assert.deepEqual({ status, code, field }, pick(input));
  assert.equal(reply.status, input.status);
  assert.deepEqual([rig.sent, rig.asked], [[], []]);
}

const pick = ({ status, code, field }: Expected) => ({ status, code, field });

describe('what bad input gets', () => {
  for (const input of CASES) {
    it(`refuses ${input.title}`, () => refuses(createRig(), input));
  }

  it('names each field at fault in errors', async () => {
    const reply = await createRig()
      .send('agent', 'post', `${INTENT_PATH}/suspend`)
      .send({ choices: [{}], response_type: 'poll' });
    assert.deepEqual(
      (reply.body as { errors: { field: string }[] }).errors.map(({ field }) => field),
      ['question', 'response_type', 'choices[0].value', 'choices[0].label'],
    );
  });
});

describe('what would have been accepted', () => {
  const SUSPEND = `${INTENT_PATH}/suspend`;
  const MOST = 'a number of at most 3155760000';
  const ROWS = [
    ['post', SUSPEND, { question: 'Go?', timeout_seconds: 1e300 }, MOST],
    ['post', SUSPEND, { question: 'Go?', timeout_seconds: 1.5 }, 'a whole number'],
    ['post', `${INTENT_PATH}/events`, { event_type: 'intent_created' }, /server does not write/],
    ['post', `${INTENT_PATH}/suspend/respond`, { suspension_id: 'x' }, 'a JSON value'],
    ['get', '/v1/intents?limit=-1', undefined, 'a number of at least 1'],
    ['get', '/v1/intents?limit=1.5', undefined, 'a whole number'],
    ['get', '/v1/intents?limit=all', undefined, 'a number'],
    ['get', `/v1/suspensions/${SUSPENSION_ID}/wait?timeout_seconds=99`, undefined, /at most 60/],
  ] as const;
  for (const [method, path, body, accepted] of ROWS) {
    it(`names the unknown id in ${path} ${JSON.stringify(body ?? '')}`, async () => {
      const rig = createRig();
      const reply = await rig.send('admin', method, path).send(body);
      assert.equal(reply.status, 422);
      if (typeof accepted === 'string') assert.equal(reply.body.accepted, accepted);
      else assert.match(reply.body.accepted as string, accepted);
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
    });
  }
});

describe('bodies that are no JSON object', () => {
  const raw = (rig: Rig, text: string, type = 'application/json') =>
    rig.send('agent', 'post', '/v1/intents').set('Content-Type', type).send(text);

  it('refuses broken JSON with 400', async () => {
    const rig = createRig();
    const reply = await raw(rig, '{"title": "secret');
    assert.equal(reply.status, 400);
    assert.equal(reply.body.code, 'malformed_json');
    assert.doesNotMatch(reply.text, /secret/);
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });

  for (const text of ['[]', '"text"', '7', 'null', 'true']) {
    it(`refuses ${text} with 422`, async () => {
      const rig = createRig();
      const reply = await raw(rig, text);
      assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_request']);
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
    });
  }

  it('refuses a body over 256 KiB with 413', async () => {
    const rig = createRig();
    const reply = await raw(rig, JSON.stringify({ title: 'x', a: 'x'.repeat(256 * 1024) }));
    assert.deepEqual([reply.status, reply.body.code], [413, 'body_too_large']);
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });

  it('refuses a content encoding it cannot read by name', async () => {
    const rig = createRig();
    const sent = rig.send('agent', 'post', '/v1/intents').set('Content-Type', 'application/json');
    const reply = await sent.set('Content-Encoding', 'compress').send('{}');
    assert.deepEqual([reply.status, reply.body.field], [422, 'Content-Encoding']);
  });

  it('refuses another content type by name', async () => {
    const rig = createRig();
    const reply = await raw(rig, 'title=x', 'application/x-www-form-urlencoded');
    assert.deepEqual([reply.status, reply.body.field], [422, 'Content-Type']);
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });

  it('refuses an unknown charset', async () => {
    const reply = await raw(createRig(), '{}', 'application/json; charset=ebcdic');
    assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_request']);
  });

  it('refuses nesting that would exhaust a stack', async () => {
    const rig = createRig();
    const depth = 100_000;
    const reply = await raw(rig, `{"state":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_request']);
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });

  it('refuses a name that JavaScript would drop', async () => {
    const reply = await raw(createRig(), '{"title":"x","state":{"__proto__":{"a":1}}}');
    assert.deepEqual([reply.status, reply.body.field], [422, 'state.__proto__']);
  });

  it('refuses a number that would become infinite', async () => {
    const reply = await raw(createRig(), '{"title":"x","state":{"a":1e999}}');
    assert.deepEqual([reply.status, reply.body.field], [422, 'state.a']);
  });

  it('accepts a list of many small entries', async () => {
    const list = `[${'0,'.repeat(100_000)}0]`;
    const reply = await raw(createRig(), `{"title":"x","state":{"a":${list}}}`);
    assert.equal(reply.status, 201);
  });

  it('accepts no body where none is needed', async () => {
    const rig = rigOver({ answers: knowingIntent(SUSPENDED) });
    const reply = await rig
      .send('agent', 'post', `${INTENT_PATH}/suspend/cancel`)
      .set('Content-Type', 'application/json');
    assert.equal(reply.status, 200);
    assert.deepEqual(rig.calls[0]?.args[2], { suspension_id: SUSPENSION_ID });
  });
});
