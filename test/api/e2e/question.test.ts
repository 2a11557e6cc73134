import { sql } from 'kysely';
import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { everything } from '../../support/everything.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import { TOKEN } from '../../support/secrets.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { readFresh } from '../../support/fresh-reads.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';

const TABLES = ['intents', 'events', 'suspensions', 'suspension_timeline', 'deliveries'] as const;

const ORDER = {
  question: 'Should we refund order #12345?',
  choices: [
    { value: 'approve', label: 'Approve refund', description: 'Issue full refund' },
    { value: 'deny', label: 'Deny refund' },
  ],
};

const RULE = { eligible: { principals: ['alice'] } };
const REASON = 'She knows the customer.';

interface Told {
  readonly event_type: string;
  readonly principal: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Event {
  readonly event_type: string;
  readonly payload: { readonly warnings?: readonly string[] };
}

const REGION = {
  question: 'Where to?',
  response_type: 'choice',
  choices: ['eu', 'us'].map((value) => ({ value, label: value })),
};
const MARS = 'No person could answer with the fallback value "mars".';

describe('a question over HTTP', () => {
  let stack: RealStack;

  before(async () => {
    stack = await RealStack.start();
  });

  after(() => stack.close());

  /** Every row of the store, and the intent's history in Temporal, as text. */
  async function kept(intent: string): Promise<string> {
    const tables = await Promise.all(
      TABLES.map((table) => sql`select * from ${sql.table(table)}`.execute(stack.store.db)),
    );
    const handle = stack.client.workflow.getHandle(`intent-${intent.split('/').pop() ?? ''}`);
    const { events = [] } = await handle.fetchHistory();
    const payloads = JSON.stringify(events, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
    return JSON.stringify(tables.map(({ rows }) => rows)) + payloads;
  }

  it('with a secret changes nothing, and nothing of it is kept [R25-101]', async () => {
    const intent = await createIntent(stack);
    const unchanged = await everything(stack, intent);

    const body = { ...REFUND, context: { note: 'harmless-note', token: TOKEN } };
    const reply = await stack.post(`${intent}/suspend`, 'agent', body);

    assert.deepEqual([reply.status, reply.body.code], [422, 'secret_refused']);
    assert.deepEqual(await everything(stack, intent), unchanged);
    assert.deepEqual(stack.notified, []);
    await ask(stack, intent, { ...REFUND, context: { note: 'another-note' } });
    await everything(stack, intent);
    const text = await kept(intent);
    assert.ok(text.includes('another-note'));
    assert.ok(!text.includes(TOKEN) && !text.includes('harmless-note'));
  });

  it('is asked, answered once, and shown to everyone [R25-01, R25-03, R25-06, R25-73, R25-74]', async () => {
    const created = await stack.post('/v1/intents', 'agent', { title: 'Refund', status: 'active' });
    assert.equal(created.status, 201);
    const intent = `/v1/intents/${created.body.id}`;
    const asked = await stack.post(`${intent}/suspend`, 'agent', ORDER);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    const suspended = await stack.get(intent);
    assert.equal(suspended.body.status, 'suspended_awaiting_input');
    const answer = { suspension_id: asked.body.id, value: 'approve' };
    const answered = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    assert.equal(answered.body.choice_label, 'Approve refund');
    const resumed = await stack.get(intent);
    assert.equal(resumed.body.status, 'active');
    const { events } = await readFresh<{ events: IntentEvent[] }>(stack, `${intent}/events`);
    assert.deepEqual(
      events.map(({ event_type }) => event_type),
      ['intent.resumed', 'intent.suspended', 'intent_created'],
    );
    const again = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(again.status, 409, JSON.stringify(again.body));
  });

  it('is claimed, passed on, talked about, corrected and answered, and its log is whole', async () => {
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent, { ...REFUND, decision_rule: RULE });
    await stack.delivered(id);
    const at = `/v1/suspensions/${id}`;

    const claimed = await stack.post(`${at}/claim`, 'operator', { question_version: 1 });
    assert.deepEqual([claimed.status, claimed.body.claim.holder], [200, 'alice']);
    for (const to of ['gretta', 'greta']) {
      const passed = await stack.post(`${at}/delegate`, 'operator', { to, reason: REASON });
      assert.deepEqual([passed.status, passed.body.claim.holder], [200, to]);
    }
    const remark = await stack.post(`${at}/comments`, 'grouped', { text: 'She called twice.' });
    assert.equal(remark.status, 200, JSON.stringify(remark.body));
    const question = 'Should we refund half of order #12345?';
    const amended = await stack.patch(at, 'agent', { question, question_version: 1 });
    assert.deepEqual([amended.status, amended.body.question_version], [200, 2]);
    assert.deepEqual(
      (amended.body as SuspensionView).delegations.map(({ to, in_force }) => [to, in_force]),
      [
        ['gretta', false],
        ['greta', true],
      ],
    );

    const stale = { value: 'approve', question_version: 1 };
    const refused = await stack.post(`${at}/respond`, 'grouped', stale);
    assert.deepEqual([refused.status, refused.body.code], [409, 'question_version_mismatch']);
    const held = await stack.post(`${at}/respond`, 'operator', { ...stale, question_version: 2 });
    assert.deepEqual([held.status, held.body.code], [409, 'claimed_by_other']);
    const answer = { value: 'approve', question_version: 2 };
    const answered = await stack.post(`${at}/respond`, 'grouped', answer);
    assert.deepEqual([answered.status, answered.body.responded_by], [200, 'greta']);

    const log = `${intent}/events?limit=1000`;
    const { events } = await readFresh<{ events: Told[] }>(stack, log);
    const verbs = events
      .filter(({ event_type }) => /suspension_|resumed/.test(event_type))
      .toReversed();
    assert.deepEqual(
      verbs.map(({ event_type, principal }) => `${event_type.replace('intent.', '')} ${principal}`),
      [
        'suspension_claimed alice',
        'suspension_delegated alice',
        'suspension_delegated alice',
        'suspension_commented greta',
        'suspension_amended agent-1',
        'resumed greta',
      ],
    );
    assert.equal(verbs.at(3)?.payload['text'], 'She called twice.');
    assert.equal(verbs.at(4)?.payload['question_version'], 2);
    const proof = await lookUntil(async () => {
      const { body } = await stack.get(`${intent}/events/verify`);
      const read = body as { event_count: number; chain_valid: boolean; breaks: unknown[] };
      return read.event_count === events.length && read;
    }, 'the log is not stored');
    assert.deepEqual([proof.chain_valid, proof.breaks], [true, []]);
  });

  const view = async (id: string): Promise<SuspensionView> =>
    (await stack.get(`/v1/suspensions/${id}`).expect(200)).body as SuspensionView;

  it('is asked with a warning, which whoever reads it sees, where it is only unusual', async () => {
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'mars' };
    const asked = await stack.post('/v1/suspensions', 'agent', {
      ...REGION,
      ...fallback,
      timeout_seconds: 600,
    });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    assert.deepEqual(asked.body.warnings, [MARS]);
    const { warnings, timeline } = await view(asked.body.id);
    assert.deepEqual(warnings, [MARS]);
    assert.deepEqual(timeline[0]?.detail['warnings'], [MARS]);
  });

  it('opens over the OpenIntent API, marked in the question and in the log', async () => {
    const agent = { 'X-Agent-ID': 'agent-1' };
    const created = await stack.post('/api/v1/intents', 'agent', { title: 'Turned' }, agent);
    const intent = String(created.body.id);
    const suspension = {
      id: randomUUID(),
      question: 'Go?',
      response_type: 'confirm',
      choices: [
        { value: 'yes', label: 'No' },
        { value: 'no', label: 'Yes' },
      ],
      decision_rule: { eligible: { principals: ['nobody-here'] } },
    };
    const write = (path: string, body: object, version: number) =>
      stack.post(`/api/v1/intents/${intent}/${path}`, 'agent', body, {
        ...agent,
        'If-Match': String(version),
      });
    const state = { patches: [{ op: 'set', path: '/_suspension', value: suspension }] };
    await write('state', state, created.body.version).expect(200);
    const status = { status: 'suspended_awaiting_input' };
    await write('status', status, Number(created.body.version) + 1).expect(200);
    const { warnings } = await view(suspension.id);
    assert.deepEqual(warnings, [
      'The label of yes says the opposite: No.',
      'No key and no entry of the directory lets the principal nobody-here answer.',
    ]);
    const log = `/v1/intents/${intent}/events?limit=100`;
    const { events } = await readFresh<{ events: readonly Event[] }>(stack, log);
    const suspended = events.find(({ event_type }) => event_type === 'intent.suspended');
    assert.deepEqual(suspended?.payload.warnings, warnings);
  });
});
