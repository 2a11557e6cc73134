import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { InboxPage } from '../../../contracts/suspension/view.js';
import { readFresh } from '../../support/fresh-reads.js';
import { RealStack } from '../../support/real-stack.js';
import { TOKEN } from '../../support/secrets.js';

const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
const AGENT = { 'X-Agent-ID': 'refunder' };

describe('a question asked through the OpenIntent API', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  const given = (fields: object = {}) => ({
    id: randomUUID(),
    question: 'Refund?',
    response_type: 'choice',
    context: { a: 1 },
    choices: [
      { value: 'approve', label: 'Approve', description: 'All of it' },
      { value: 'deny', label: 'Deny' },
    ],
    fallback_policy: 'fail',
    suspended_at: '2026-11-20T10:00:00.123456',
    ...fields,
  });

  async function create(): Promise<string> {
    const body = { title: 'Refund', description: '', created_by: 'refunder' };
    const { body: intent } = await stack.post('/api/v1/intents', 'agent', body, AGENT).expect(200);
    return `/api/v1/intents/${String(intent.id)}`;
  }

  async function write(
    intent: string,
    kind: 'status' | 'state',
    body: object,
    as = 'agent' as const,
  ) {
    const { body: read } = await stack.get(intent);
    return stack.post(`${intent}/${kind}`, as, body, {
      ...AGENT,
      'If-Match': String(read.version),
    });
  }

  const suspend = (intent: string) =>
    write(intent, 'status', { status: 'suspended_awaiting_input' });
  const put = (intent: string, value: unknown) =>
    write(intent, 'state', { patches: [{ op: 'set', path: '_suspension', value }] });
  const respond = (intent: string, body: object) =>
    stack.post(`${intent}/suspend/respond`, 'operator', body);
  /** The log in /v1: a reply of the OpenIntent API does not say that it is behind. */
  const storedLog = (intent: string) =>
    readFresh<{ events: IntentEvent[] }>(stack, `${intent.replace('/api', '')}/events`);

  async function ask(fields: object = {}) {
    const [intent, record] = [await create(), given(fields)];
    assert.equal((await suspend(intent)).status, 200);
    assert.equal((await put(intent, record)).status, 200);
    return { intent, record };
  }

  it('refuses an answer before the record is there, and takes it after [R25-86]', async () => {
    const intent = await create();
    const record = given();
    await suspend(intent);
    const early = await respond(intent, { suspension_id: record.id, value: 'approve' });
    const detail = 'Intent is suspended, but its question is not written yet';
    assert.deepEqual([early.status, early.body], [409, { detail, code: 'question_not_written' }]);
    const version = Number((await stack.get(intent)).body.version);
    assert.equal((await put(intent, record)).body.version, version + 1);
    const reply = await respond(intent, { suspension_id: record.id, value: 'approve' });
    assert.deepEqual(
      [reply.status, reply.body.choice_label, reply.body.choice_description],
      [200, 'Approve', 'All of it'],
    );
    const { body } = await stack.get(intent, 'operator');
    assert.deepEqual([body.status, body.version], ['active', version + 3]);
    const { _suspension } = body.state;
    assert.match(_suspension.responded_at, NAIVE);
    for (const [name, value] of Object.entries(record)) assert.deepEqual(_suspension[name], value);
  });

  it('is in the inbox and can be answered there', async () => {
    const { record } = await ask();
    const { suspensions } = await readFresh<InboxPage>(stack, '/v1/suspensions', 'operator');
    const entry = suspensions.find(({ id }) => id === record.id);
    assert.deepEqual(
      [entry?.asked_by, entry?.record.suspended_at],
      ['agent-1', '2026-11-20T10:00:00.123Z'],
    );
    await stack
      .post(`/v1/suspensions/${record.id}/respond`, 'operator', { value: 'deny' })
      .expect(200);
  });

  it('names the choices, the state and no id if an answer is refused', async () => {
    const { intent, record } = await ask();
    const wrong = await respond(intent, { suspension_id: record.id, value: 'maybe' });
    assert.equal(wrong.status, 422);
    assert.deepEqual(wrong.body.detail.valid_choices, record.choices);
    const other = await respond(intent, { suspension_id: randomUUID(), value: 'approve' });
    assert.deepEqual(
      [other.status, other.body],
      [409, { detail: 'suspension_id mismatch', code: 'suspension_mismatch' }],
    );
    await respond(intent, { suspension_id: record.id, value: 'approve' }).expect(200);
    const late = await respond(intent, { suspension_id: record.id, value: 'deny' });
    assert.deepEqual(
      [late.status, late.body],
      [409, { detail: 'Intent is not suspended (status=active)', code: 'intent_not_suspended' }],
    );
    const nowhere = await respond(`/api/v1/intents/${randomUUID()}`, {
      suspension_id: 'x',
      value: 1,
    });
    assert.deepEqual(
      [nowhere.status, nowhere.body],
      [404, { detail: 'Intent not found', code: 'intent_not_found' }],
    );
  });

  it('is withdrawn by writing cancelled onto what was read, only by who asked it [AM-34, AM-45]', async () => {
    const { intent, record } = await ask();
    const { body: read } = await stack.get(intent, 'agent2');
    assert.notEqual(read.state._suspension.id, record.id);
    const cancelled = { ...read.state._suspension, resolution: 'cancelled', reason: 'moot' };
    const body = { patches: [{ op: 'set', path: '_suspension', value: cancelled }] };
    const headers = { 'If-Match': String(read.version) };
    const stale = await stack.post(`${intent}/state`, 'agent', body, { 'If-Match': '1' });
    assert.deepEqual([stale.status, stale.body.detail], [409, 'Version conflict']);
    const other = await stack.post(`${intent}/state`, 'agent2', body, headers);
    assert.equal(other.status, 403);
    const reply = await stack.post(`${intent}/state`, 'agent', body, { ...AGENT, ...headers });
    assert.deepEqual([reply.status, reply.body.status], [200, 'active']);
    const { resolution, settled_by, reason } = reply.body.state._suspension;
    assert.deepEqual([resolution, settled_by, reason], ['cancelled', 'agent', 'moot']);
    const all = await storedLog(intent);
    assert.ok(JSON.stringify(all).includes('intent.suspension_cancelled'));
    const events = await stack.get(`${intent}/events`).expect(200);
    const types = (events.body as IntentEvent[]).map(({ event_type }) => event_type);
    assert.ok(!types.includes('intent.suspension_cancelled'));
  });

  it('is not withdrawn in halves with what else the write holds [AM-34]', async () => {
    const { intent, record } = await ask();
    const { body: before } = await stack.get(intent);
    const patches = [
      { op: 'set', path: 'note', value: 1 },
      { op: 'set', path: '_suspension', value: { ...record, resolution: 'cancelled' } },
    ];
    for (const as of ['agent', 'agent2'] as const) {
      const headers = { 'If-Match': String(before.version) };
      const mixed = await stack.post(`${intent}/state`, as, { patches }, headers);
      assert.deepEqual([mixed.status, /of its own/.test(mixed.body.detail)], [422, true]);
    }
    assert.deepEqual((await stack.get(intent)).body, before);
  });

  it('refuses settlements by clients, and credentials [R25-101]', async () => {
    const { intent, record } = await ask();
    const forged = await put(intent, { ...record, resolution: 'responded', response: 'approve' });
    assert.deepEqual(
      [forged.status, forged.body.detail],
      [422, 'Only the server settles a question as responded.'],
    );
    const other = await create();
    await suspend(other);
    const leaking = await put(other, given({ question: `Use ${TOKEN}?` }));
    assert.equal(leaking.status, 422);
    assert.ok(!leaking.text.includes(TOKEN));
  });

  it('is asked without what it claims of its end, also as the first state and as the next one', async () => {
    const claims = { resolution: 'responded', response: 'approve', votes: [], settled_by: 'clock' };
    const first = given();
    const body = {
      title: 'Refund',
      status: 'active',
      state: { _suspension: { ...first, ...claims } },
    };
    const { body: made } = await stack.post('/api/v1/intents', 'agent', body, AGENT).expect(200);
    assert.deepEqual(made.state._suspension, first);
    const intent = `/api/v1/intents/${String(made.id)}`;
    await suspend(intent).then(({ status }) => assert.equal(status, 200));
    await respond(intent, { suspension_id: first.id, value: 'deny' }).expect(200);
    const second = given();
    assert.equal((await suspend(intent)).status, 200);
    const asked = await put(intent, { ...second, ...claims, resolution: 'cancelled' });
    assert.deepEqual([asked.status, asked.body.state._suspension], [200, second]);
    const { body: view } = await stack.get(`/v1/suspensions/${second.id}`).expect(200);
    assert.deepEqual([view.state, view.record.response], ['pending', undefined]);
    await respond(intent, { suspension_id: second.id, value: 'deny' }).expect(200);
    const { body: after } = await stack.get(intent, 'operator');
    assert.deepEqual(
      [after.state._suspension.response, after.state._suspension.settled_by],
      ['deny', 'operator'],
    );
  });

  it('leaves no intent suspended after it was refused, whatever refused it', async () => {
    const refusals: readonly (readonly [fields: object, detail: RegExp])[] = [
      [{ question: '' }, /question is not accepted/],
      [{ timeout_seconds: 1.5 }, /timeout_seconds is not accepted/],
      [{ response_type: 'poll' }, /Unknown response_type 'poll'/],
      [{ decision_rule: { quorum: 'all' } }, /decision_rule.quorum is not accepted/],
      [{ choices: Array(101).fill({ value: 'a', label: 'A' }) }, /choices is not accepted/],
      [{ context: { a: 'x'.repeat(300_000) } }, /The body is over/],
      [{ question: `Use ${TOKEN}?` }, /credential/],
    ];
    const intent = await create();
    for (const [fields, detail] of refusals) {
      assert.equal((await suspend(intent)).status, 200);
      const reply = await put(intent, given(fields));
      assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status}`);
      assert.match(reply.body.detail, detail);
      assert.match(reply.body.detail, / The intent is no longer suspended\.$/);
      assert.equal((await stack.get(intent)).body.status, 'draft');
    }
    assert.equal((await suspend(intent)).status, 200);
    assert.equal((await put(intent, given())).status, 200);
    const { events } = await storedLog(intent);
    const back = events.filter(
      ({ payload }) => payload['status'] === 'draft' && 'reason' in payload,
    );
    assert.equal(back.length, refusals.length);
    assert.match(JSON.stringify(back[0]?.payload), /"reason":"The question was refused: /);
    assert.ok(!JSON.stringify(events).includes(TOKEN));
  });

  it('answers the posts of the SDK with the events that are there', async () => {
    const { intent, record } = await ask();
    const body = {
      event_type: 'intent.suspended',
      actor: 'refunder',
      payload: { suspension_id: record.id, question: record.question },
    };
    const first = await stack.post(`${intent}/events`, 'agent', body, AGENT).expect(200);
    const again = await stack.post(`${intent}/events`, 'agent', body, AGENT).expect(200);
    assert.equal(first.body.id, again.body.id);
    assert.equal(first.body.actor, 'refunder');
    await storedLog(intent);
    const { body: events } = await stack.get(`${intent}/events?event_type=intent.suspended`);
    assert.equal(events.length, 1);
    assert.match(events[0].created_at, NAIVE);
  });
});
