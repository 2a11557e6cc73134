import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { everything } from '../../support/everything.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: `v${index}`, label: `Label ${index}` }));

interface Refused {
  readonly name: string;
  readonly as?: KeyName;
  readonly path: string;
  readonly body: object;
  readonly headers?: Record<string, string>;
  readonly status: number;
  readonly code: string;
  readonly field?: string;
}

const QUESTIONS: readonly Refused[] = [
  ...[
    {
      name: 'choice without choices [R25-32]',
      body: { question: 'Q?' },
      code: 'invalid_choices',
      field: 'choices',
    },
    {
      name: 'choice with an empty list [R25-32]',
      body: { question: 'Q?', choices: [] },
      code: 'invalid_choices',
      field: 'choices',
    },
    {
      name: 'confirm with other values',
      body: { question: 'Q?', response_type: 'confirm', choices: many(2) },
      code: 'invalid_choices',
      field: 'choices[0].value',
    },
    {
      name: 'an unknown response type [R25-21]',
      body: { ...REFUND, response_type: 'poll' },
      code: 'invalid_request',
      field: 'response_type',
    },
    {
      name: 'a timeout of zero [R25-53]',
      body: { ...REFUND, timeout_seconds: 0 },
      code: 'invalid_request',
      field: 'timeout_seconds',
    },
    {
      name: 'a fractional timeout [R25-53]',
      body: { ...REFUND, timeout_seconds: 1.5 },
      code: 'invalid_request',
      field: 'timeout_seconds',
    },
    {
      name: 'an unknown fallback policy [R25-55]',
      body: { ...REFUND, fallback_policy: 'retry' },
      code: 'invalid_request',
      field: 'fallback_policy',
    },
    {
      name: 'an interval over the timeout [R26-36]',
      body: {
        ...REFUND,
        timeout_seconds: 10,
        retry_policy: { max_attempts: 2, interval_seconds: 20 },
      },
      code: 'invalid_retry_policy',
      field: 'retry_policy.interval_seconds',
    },
    {
      name: 'an unknown strategy [R26-37]',
      body: { ...REFUND, retry_policy: { strategy: 'exponential' } },
      code: 'invalid_retry_policy',
      field: 'retry_policy.strategy',
    },
    {
      name: 'attempts without any window',
      body: { ...REFUND, retry_policy: { max_attempts: 2 } },
      code: 'invalid_retry_policy',
      field: 'retry_policy.interval_seconds',
    },
    {
      name: 'zero attempts [R26-39]',
      body: { ...REFUND, retry_policy: { max_attempts: 0 } },
      code: 'invalid_retry_policy',
      field: 'retry_policy.max_attempts',
    },
    {
      name: 'a ladder entry for attempt 0',
      body: {
        ...REFUND,
        timeout_seconds: 9,
        retry_policy: { escalation_ladder: [{ attempt: 0, channel_hint: 'email' }] },
      },
      code: 'invalid_retry_policy',
      field: 'retry_policy.escalation_ladder[0].attempt',
    },
    {
      name: 'more than 100 attempts',
      body: { ...REFUND, retry_policy: { max_attempts: 101, interval_seconds: 60 } },
      code: 'invalid_retry_policy',
      field: 'retry_policy.max_attempts',
    },
    {
      name: 'more than 100 choices',
      body: { question: 'Q?', choices: many(101) },
      code: 'invalid_choices',
      field: 'choices',
    },
    {
      name: 'a question over 2,000 characters',
      body: { ...REFUND, question: 'q'.repeat(2_001) },
      code: 'invalid_request',
      field: 'question',
    },
    {
      name: 'a context over 64 KiB',
      body: { ...REFUND, context: { text: 'c'.repeat(65_536) } },
      code: 'invalid_request',
      field: 'context',
    },
    {
      name: 'a confidence over 1 [R25-48, R25-70]',
      body: { ...REFUND, confidence: 1.01 },
      code: 'invalid_signals',
      field: 'confidence',
    },
  ].map((row) => ({ ...row, path: '/suspend', status: 422 })),
  {
    name: 'signals below 0 [R25-70]',
    path: '/engagement',
    body: { risk: -0.1 },
    status: 422,
    code: 'invalid_signals',
    field: 'risk',
  },
  {
    name: 'signals that are no numbers [R25-70]',
    path: '/engagement',
    body: { confidence: '0.9' },
    status: 422,
    code: 'invalid_signals',
    field: 'confidence',
  },
  {
    name: 'a stale If-Match',
    path: '/status',
    body: { status: 'completed' },
    headers: { 'If-Match': '7' },
    status: 409,
    code: 'version_conflict',
  },
  {
    name: 'a missing If-Match',
    path: '/state',
    body: { state: { a: 1 } },
    status: 428,
    code: 'precondition_required',
  },
  {
    name: 'a status the machine does not know',
    path: '/status',
    body: { status: 'failed' },
    headers: { 'If-Match': '1' },
    status: 422,
    code: 'invalid_request',
    field: 'status',
  },
  {
    name: 'suspending by a status write',
    path: '/status',
    body: { status: 'suspended_awaiting_input' },
    headers: { 'If-Match': '1' },
    status: 409,
    code: 'invalid_transition',
  },
  {
    name: 'a write into the suspension slot',
    path: '/state',
    body: { state: { _suspension: {} } },
    headers: { 'If-Match': '1' },
    status: 422,
    code: 'invalid_patch',
  },
  {
    name: 'an event of a type the server writes',
    path: '/events',
    body: { event_type: 'intent.resumed' },
    status: 422,
    code: 'invalid_request',
    field: 'event_type',
  },
  {
    name: 'an answer while nothing is asked [R25-81]',
    as: 'operator',
    path: '/suspend/respond',
    body: { suspension_id: UNKNOWN, value: 'yes' },
    status: 409,
    code: 'intent_not_suspended',
  },
  {
    name: 'a key without the role',
    as: 'operator',
    path: '/suspend',
    body: REFUND,
    status: 403,
    code: 'forbidden',
  },
];

const ANSWERS: readonly Omit<Refused, 'path'>[] = [
  {
    name: 'a value that is no choice [R25-75, R25-84]',
    body: { value: 'maybe' },
    status: 422,
    code: 'invalid_value',
    field: 'value',
  },
  {
    name: 'a label in place of a value [R25-75]',
    body: { value: 'Approve refund' },
    status: 422,
    code: 'invalid_value',
  },
  {
    name: 'another suspension [R25-82]',
    body: { suspension_id: UNKNOWN, value: 'approve' },
    status: 409,
    code: 'suspension_mismatch',
  },
  {
    name: 'an id that is no id [R25-82]',
    body: { suspension_id: '../x', value: 'approve' },
    status: 409,
    code: 'suspension_mismatch',
  },
  {
    name: 'no suspension_id [R25-83]',
    body: { suspension_id: undefined, value: 'approve' },
    status: 422,
    code: 'missing_suspension_id',
  },
  {
    name: 'an empty suspension_id [R25-83]',
    body: { suspension_id: '', value: 'approve' },
    status: 422,
    code: 'missing_suspension_id',
  },
  { name: 'no value', body: {}, status: 422, code: 'invalid_request', field: 'value' },
  {
    name: 'an answer by an agent',
    as: 'agent',
    body: { value: 'approve' },
    status: 403,
    code: 'forbidden',
  },
  {
    name: 'an answer in the name of another',
    body: { value: 'approve', responded_by: 'bob' },
    status: 403,
    code: 'responded_by_mismatch',
  },
];

describe('what is refused changes nothing', () => {
  let stack: RealStack;
  let active: string;
  before(async () => {
    stack = await RealStack.start();
    active = await createIntent(stack);
  });
  after(() => stack.close());

  for (const row of QUESTIONS) {
    const title = row.name.replace(/ \[(.*)\]$/, '');
    const ids = /\[(R.*)\]$/.exec(row.name)?.[1];
    it(`refuses ${title} [${ids === undefined ? 'R25-86' : `${ids}, R25-86`}]`, async () => {
      const earlier = await everything(stack, active);
      const reply = await stack.post(
        `${active}${row.path}`,
        row.as ?? 'agent',
        row.body,
        row.headers,
      );
      assert.equal(reply.status, row.status, JSON.stringify(reply.body));
      assert.equal(reply.body.code, row.code);
      assert.equal(
        reply.body.field ?? reply.body.errors?.[0]?.field,
        row.field ?? reply.body.field,
      );
      assert.deepEqual(await everything(stack, active), earlier);
    });
  }

  for (const row of ANSWERS) {
    const title = row.name.replace(/ \[(.*)\]$/, '');
    const ids = /\[(R.*)\]$/.exec(row.name)?.[1];
    it(`refuses ${title} and leaves it open [${ids === undefined ? 'R25-86' : `${ids}, R25-86`}]`, async () => {
      const intent = await createIntent(stack);
      const { id } = await ask(stack, intent);
      const earlier = await everything(stack, intent);
      const body = { suspension_id: id, ...row.body };
      const reply = await stack.post(`${intent}/suspend/respond`, row.as ?? 'operator', body);
      assert.equal(reply.status, row.status, JSON.stringify(reply.body));
      assert.equal(reply.body.code, row.code);
      const leaks = row.status === 409 && JSON.stringify(reply.body).includes(id);
      assert.equal(leaks, false, 'the reply does not contain the open suspension id');
      assert.deepEqual(await everything(stack, intent), earlier);
      const valid = { suspension_id: id, value: 'approve' };
      const later = await stack.post(`${intent}/suspend/respond`, 'operator', valid);
      assert.equal(later.status, 200, 'the operator can try again');
    });
  }

  it('names the accepted values of a choice [R25-85]', async () => {
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent);
    const body = { suspension_id: id, value: 'maybe' };
    const reply = await stack.post(`${intent}/suspend/respond`, 'operator', body);
    assert.deepEqual(reply.body.valid_choices, ['approve', 'deny']);
  });

  it('refuses an unknown intent on every route [R25-80]', async () => {
    const respond = { suspension_id: UNKNOWN, value: 'x' };
    const replies = await Promise.all([
      stack.get(`/v1/intents/${UNKNOWN}`),
      stack.get(`/v1/intents/${UNKNOWN}/events`),
      stack.post(`/v1/intents/${UNKNOWN}/suspend`, 'agent', REFUND),
      stack.post(`/v1/intents/${UNKNOWN}/suspend/respond`, 'operator', respond),
      stack.post(`/v1/intents/${UNKNOWN}/suspend/cancel`, 'agent', {}),
      stack.post(`/v1/intents/${UNKNOWN}/engagement`, 'agent', {}),
      stack.post(`/v1/intents/${UNKNOWN}/events`, 'agent', { event_type: 'note' }),
    ]);
    for (const { status, body } of replies) {
      assert.deepEqual([status, body.code], [404, 'intent_not_found'], JSON.stringify(body));
    }
  });

  it('refuses a second question while one is open with 409', async () => {
    const intent = await createIntent(stack);
    await ask(stack, intent);
    const earlier = await everything(stack, intent);
    const reply = await stack.post(`${intent}/suspend`, 'agent', REFUND);
    assert.deepEqual([reply.status, reply.body.code], [409, 'intent_suspended']);
    assert.deepEqual(await everything(stack, intent), earlier);
  });

  it('refuses a second answer with the stored outcome [R26-90]', async () => {
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent);
    const answer = { suspension_id: id, value: 'approve' };
    await stack.post(`${intent}/suspend/respond`, 'operator', answer).expect(200);
    const earlier = await everything(stack, intent);
    const reply = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(reply.status, 409);
    assert.equal(reply.body.state.resolution, 'responded');
    assert.equal(reply.body.state.value, 'approve');
    assert.equal(reply.body.state.intent_status, 'active');
    assert.deepEqual(await everything(stack, intent), earlier);
  });

  it('refuses an older suspension of the same intent [R25-82]', async () => {
    const intent = await createIntent(stack);
    const first = await ask(stack, intent);
    const answer = { suspension_id: first.id, value: 'approve' };
    await stack.post(`${intent}/suspend/respond`, 'operator', answer).expect(200);
    const second = await ask(stack, intent);
    const earlier = await everything(stack, intent);
    const reply = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.deepEqual([reply.status, reply.body.code], [409, 'suspension_mismatch']);
    assert.equal(JSON.stringify(reply.body).includes(second.id), false);
    assert.deepEqual(await everything(stack, intent), earlier);
  });
});
