import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { startReceiver, type Received, type Receiver } from '../../../support/subscribers.js';
import {
  INTENT_ID,
  SUSPENSION_ID,
  alertWith,
  requestWith,
} from '../../../domain/suspension/notification-samples.js';
import { NEW_SECRET, OLD_SECRET, sendTo, webhookTo } from './support.js';

function verified({ body, headers }: Received, secret: string): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

describe('webhook, as its receiver sees it', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  async function receivedWith(...sent: Parameters<typeof sendTo>): Promise<Received> {
    await sendTo(...sent);
    const received = receiver.received.at(-1);
    assert.ok(received);
    return received;
  }

  it('is one signed JSON request that says all it takes to answer', async () => {
    const context = { order: 7, card: '4111' };
    const request = requestWith({ attempt: 2, notify_to: 'lead', context });
    const received = await receivedWith(webhookTo(receiver.url), { request });
    assert.deepEqual([received.method, received.path], ['POST', '/hook']);
    assert.equal(received.headers['content-type'], 'application/json');
    assert.deepEqual(verified(received, NEW_SECRET), {
      type: 'suspension.renotified',
      timestamp: '2026-11-21T10:00:00.000Z',
      data: {
        delivery_id: `${SUSPENSION_ID}:2`,
        suspension_id: SUSPENSION_ID,
        intent_id: INTENT_ID,
        attempt: 2,
        max_attempts: 3,
        channel_hint: null,
        notify_to: 'lead',
        question: 'Reminder (2): Refund 120 EUR?',
        response_type: 'choice',
        choices: [
          { value: 'approve', label: 'Approve the refund' },
          { value: 'deny', label: 'Deny it' },
        ],
        context: { order: 7, _attempt: 2, _max_attempts: 3 },
        withheld: 1,
        next_attempt_at: '2026-11-21T11:00:00.000Z',
        expires_at: '2026-11-21T13:00:00.000Z',
      },
    });
  });

  it('tells of a breached SLA under a type of its own [A54-29]', async () => {
    const request = alertWith();
    const received = await receivedWith(webhookTo(receiver.url), { request });
    assert.deepEqual(verified(received, NEW_SECRET), {
      type: 'approval.sla_breached',
      timestamp: '2026-11-21T10:00:00.000Z',
      data: {
        delivery_id: `${SUSPENSION_ID}:sla:1`,
        suspension_id: SUSPENSION_ID,
        intent_id: null,
        attempt: 1,
        max_attempts: 1,
        channel_hint: null,
        notify_to: null,
        question: 'SLA breached: stage 2 is undecided after 600 s: Refund 120 EUR?',
        response_type: 'choice',
        choices: [],
        context: { _attempt: 1, _max_attempts: 1 },
        withheld: 0,
        next_attempt_at: null,
        expires_at: null,
        alert: request.alert,
      },
    });
  });

  it('asks first, and says null where nothing ends the question', async () => {
    const { expires_at: _never, choices: _none, ...rest } = requestWith({ next_attempt_at: null });
    const request = { ...rest, response_type: 'text' } as const;
    const { body } = await receivedWith(webhookTo(receiver.url), { request });
    const { type, data } = JSON.parse(body);
    assert.equal(type, 'suspension.requested');
    assert.deepEqual([data.expires_at, data.next_attempt_at, data.choices], [null, null, []]);
  });

  it('names the hash of an approval, and none that a context claims', async () => {
    const proposal_hash = 'ab'.repeat(32);
    const dataOf = async (request: Parameters<typeof requestWith>[0]) => {
      const sent = { request: requestWith(request) };
      const { body } = await receivedWith(webhookTo(receiver.url), sent);
      return (JSON.parse(body) as { data: Record<string, unknown> }).data;
    };
    const approval = await dataOf({ approval: { proposal_hash }, context: { proposal_hash } });
    const context = { _attempt: 1, _max_attempts: 3 };
    assert.equal(approval['proposal_hash'], proposal_hash);
    assert.deepEqual(approval['context'], { ...context, proposal_hash });
    const forged = await dataOf({ context: { proposal_hash } });
    assert.ok(!('proposal_hash' in forged));
    assert.deepEqual(forged['context'], context);
  });

  for (const [knows, secret] of [
    ['the new', NEW_SECRET],
    ['the old', OLD_SECRET],
  ] as const) {
    it(`is accepted by one that knows only ${knows} of two secrets`, async () => {
      const config = webhookTo(receiver.url, { secrets: [NEW_SECRET, OLD_SECRET] });
      const received = await receivedWith(config);
      assert.doesNotThrow(() => verified(received, secret));
    });
  }

  it('is signed with the first secret first', async () => {
    const secrets = [NEW_SECRET, OLD_SECRET];
    const { headers, body } = await receivedWith(webhookTo(receiver.url, { secrets }));
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const id = String(headers['webhook-id']);
    const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
    assert.equal(headers['webhook-signature'], signatures.join(' '));
  });

  it('is refused by one that knows neither secret', async () => {
    const received = await receivedWith(webhookTo(receiver.url, { secrets: [NEW_SECRET] }));
    assert.throws(() => verified(received, OLD_SECRET), /No matching signature/);
  });

  it('is refused once its body was changed', async () => {
    const received = await receivedWith(webhookTo(receiver.url));
    const changed = { ...received, body: received.body.replace('approve', 'deny') };
    assert.throws(() => verified(changed, NEW_SECRET), /No matching signature/);
  });

  it('has one id and body over all tries, and a timestamp of its own', async () => {
    const config = webhookTo(receiver.url);
    const instants = ['2026-11-21T10:00:00.900Z', '2026-11-21T10:00:07.100Z'];
    for (const instant of instants) await sendTo(config, { now: () => new Date(instant) });
    await sendTo(config, { request: requestWith({ attempt: 2 }) });
    const [first, again, next] = receiver.received;
    assert.ok(first && again && next);
    assert.equal(first.headers['webhook-id'], again.headers['webhook-id']);
    assert.equal(first.body, again.body);
    assert.deepEqual(
      [first, again].map(({ headers }) => headers['webhook-timestamp']),
      ['1795255200', '1795255207'],
    );
    assert.notEqual(first.headers['webhook-id'], next.headers['webhook-id']);
  });

  it('does not show the suspension id in a header [R25-100]', async () => {
    const { headers, path } = await receivedWith(webhookTo(receiver.url));
    assert.ok(!JSON.stringify([headers, path]).includes(SUSPENSION_ID.slice(0, 8)));
  });

  it('is known to the sender by its id and status', async () => {
    const handedOver = await sendTo(webhookTo(receiver.url));
    const received = receiver.received.at(-1);
    assert.deepEqual(handedOver, { status_code: 200, reference: received?.headers['webhook-id'] });
  });
});
