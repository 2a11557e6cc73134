import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { everything } from '../../support/everything.js';
import { RealStack, ask, createIntent, type KeyName } from '../../support/real-stack.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

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

const STALE = { 'If-Match': '7' };
const CURRENT = { 'If-Match': '1' };

/** One of each route; `test/domain/` has the rules. */
const QUESTIONS: readonly Refused[] = [
  {
    name: 'choice without choices [R25-32]',
    path: '/suspend',
    body: { question: 'Q?' },
    status: 422,
    code: 'invalid_choices',
    field: 'choices',
  },
  {
    name: 'signals below 0 [R25-70]',
    path: '/engagement',
    body: { risk: -0.1 },
    status: 422,
    code: 'invalid_signals',
    field: 'risk',
  },
  {
    name: 'a stale If-Match',
    path: '/status',
    body: { status: 'completed' },
    headers: STALE,
    status: 409,
    code: 'version_conflict',
  },
  {
    name: 'a write into the suspension slot',
    path: '/state',
    body: { state: { _suspension: {} } },
    headers: CURRENT,
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
    name: 'another suspension [R25-82]',
    body: { suspension_id: UNKNOWN, value: 'approve' },
    status: 409,
    code: 'suspension_mismatch',
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
