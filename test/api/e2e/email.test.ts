import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { tellOutcomes } from '../../support/follow-ups.js';
import { startPostbox } from '../../support/smtp.js';
import type { Arrived, Postbox } from '../../support/smtp.js';
import { REFUND, RealStack } from '../../support/real-stack.js';

const TO_FINANCE = {
  max_attempts: 1,
  interval_seconds: 600,
  escalation_ladder: [{ attempt: 1, channel_hint: 'mail', notify_to: 'finance' }],
};

/** Made up, and used nowhere else. */
const SECRET = `whsec_${Buffer.alloc(32, 'ops').toString('base64')}`;

describe('a question by mail', () => {
  let postbox: Postbox;
  let stack: RealStack;
  before(async () => {
    postbox = await startPostbox({
      recipient: (address) => (address.startsWith('dead') ? 550 : undefined),
    });
    const from = 'Holdpoint <holdpoint@example.com>';
    stack = await RealStack.start({
      directory: {
        people: {
          ana: { name: 'Ana Ruiz', email: 'ana@example.com' },
          bo: { email: 'bo@example.com' },
          cy: { email: 'dead@example.com' },
        },
        groups: { finance: ['ana', 'bo', 'cy'] },
      },
      public_url: 'https://hold.example.com',
      notifications: {
        default_channel: 'mail',
        channels: {
          mail: {
            type: 'email',
            smtp: postbox.url,
            from,
            allow_plain: true,
            to: 'ana',
            tell_outcome: true,
          },
          ops: {
            type: 'webhook',
            url: 'https://ops.example.com',
            secrets: [SECRET],
            answers: { secrets: [SECRET], people: ['finance'] },
          },
        },
      },
    });
  });
  after(async () => {
    await stack.close();
    await postbox.close();
  });

  async function ask(more: object = {}): Promise<SuspensionView> {
    const body = { ...REFUND, retry_policy: TO_FINANCE, ...more };
    const asked = await stack.post('/v1/suspensions', 'agent', body);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    return asked.body as SuspensionView;
  }

  /** The mails since there were so many, by recipient. */
  async function mailsAfter(before: number, count: number): Promise<Map<string, Arrived>> {
    const all = await postbox.arrived(before + count);
    return new Map(
      all.slice(before).map((mail) => [mail.recipients[0]?.split('@')[0] ?? '', mail]),
    );
  }

  function tokenIn(mail: Arrived | undefined): string {
    const token = /\/inbox\/link#([\w.-]+)/.exec(mail?.text ?? '')?.[1];
    assert.ok(token, mail?.text);
    return token;
  }

  const follow = (path: 'read' | 'answer', body: object) =>
    request(stack.url).post(`/v1/links/${path}`).send(body);

  it('reaches a group, is answered by a link, and tells the others [R25-100] [AM-44] [AM-45]', async () => {
    const before = postbox.mails.length;
    const { id } = await ask();
    const mails = await mailsAfter(before, 2);
    assert.deepEqual([...mails.keys()].sort(), ['ana', 'bo']);
    assert.ok([...mails.values()].every(({ raw }) => !raw.includes(id)));
    // Of the context, nothing is listed that may leave.
    assert.ok([...mails.values()].every(({ text }) => !text?.includes(REFUND.context.customer)));
    await stack.delivered(id);

    const [anas, bos] = [tokenIn(mails.get('ana')), tokenIn(mails.get('bo'))];
    for (const token of [anas, bos, bos]) {
      const read = await follow('read', { token });
      assert.equal(read.status, 200, JSON.stringify(read.body));
      assert.equal(read.body.question.text, REFUND.question);
    }
    const wrong = await follow('answer', { token: anas, value: 'maybe' });
    assert.deepEqual([wrong.status, wrong.body.code], [422, 'invalid_value']);

    const answered = await follow('answer', { token: anas, value: 'approve' });
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    assert.equal(answered.body.choice_label, 'Approve refund');

    const view = (await stack.get(`/v1/suspensions/${id}`)).body as SuspensionView;
    const { responded_by, submitted_by, metadata } = view.record;
    assert.deepEqual([responded_by, submitted_by, metadata], ['ana', 'ana', { via: 'link' }]);
    const delivered = view.timeline.find(({ kind }) => kind === 'delivered')?.detail;
    assert.deepEqual([delivered?.['people'], delivered?.['unreached']], [2, 1]);

    const again = await follow('answer', { token: anas, value: 'approve' });
    assert.deepEqual(
      [again.status, again.body.code, again.body.state.by],
      [410, 'link_used', 'ana'],
    );
    const late = await follow('answer', { token: bos, value: 'deny' });
    assert.deepEqual([late.status, late.body.code], [410, 'link_stale']);
    assert.equal(late.body.state.by, 'ana');

    await tellOutcomes(stack.client, () => postbox.mails.length >= before + 3);
    const last = postbox.mails.at(-1);
    assert.ok(last);
    assert.deepEqual(last.recipients, ['bo@example.com']);
    assert.equal(last.subject, `Answered: ${REFUND.question}`);
    assert.equal(last.inReplyTo, mails.get('bo')?.messageId);
    assert.match(last.text ?? '', /ana answered this question on .* UTC: Approve refund\./);

    await tellOutcomes(stack.client, () => true);
    assert.equal(postbox.mails.length, before + 3);
  });

  it('is decided by two people, each with a link of its own', async () => {
    const before = postbox.mails.length;
    const { id } = await ask({ decision_rule: { quorum: 2, eligible: { groups: ['finance'] } } });
    const mails = await mailsAfter(before, 2);
    // One that is decided while it is delivered gives the delivery up.
    await stack.delivered(id);
    const [anas, bos] = [tokenIn(mails.get('ana')), tokenIn(mails.get('bo'))];
    const first = await follow('answer', { token: anas, value: 'approve' });
    assert.deepEqual(
      [first.status, first.body.approvals, first.body.resolution],
      [200, 1, undefined],
    );
    const used = await follow('answer', { token: anas, value: 'deny' });
    assert.deepEqual(
      [used.status, used.body.code, used.body.state.value],
      [410, 'link_used', 'approve'],
    );
    const second = await follow('answer', { token: bos, value: 'approve' });
    assert.deepEqual([second.status, second.body.resolution], [200, 'responded']);
  });

  it('goes to the recipient of the channel where nobody is named', async () => {
    const before = postbox.mails.length;
    const { id } = await ask({ retry_policy: undefined, timeout_seconds: 600 });
    assert.deepEqual([...(await mailsAfter(before, 1)).keys()], ['ana']);
    await stack.delivered(id);
  });

  it('is not asked where the directory does not know a recipient', async () => {
    const ladder = [{ attempt: 1, channel_hint: 'mail', notify_to: 'eve@example.com' }];
    const refused = await stack.post('/v1/suspensions', 'agent', {
      ...REFUND,
      retry_policy: { ...TO_FINANCE, escalation_ladder: ladder },
    });
    assert.deepEqual([refused.status, refused.body.code], [422, 'unknown_recipient']);
    assert.equal(refused.body.field, 'retry_policy.escalation_ladder[0].notify_to');
  });

  it('is answered by a signed webhook as well, once for each message [A54-16]', async () => {
    const { id } = await ask();
    await stack.delivered(id);
    const send = async (value: string) => {
      const body = JSON.stringify({ suspension_id: id, person: 'bo', value });
      const at = new Date();
      return request(stack.url)
        .post('/v1/webhooks/answers')
        .set({
          'Content-Type': 'application/json',
          'webhook-id': `msg-${id}`,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': new Webhook(SECRET).sign(`msg-${id}`, at, body),
        })
        .send(body);
    };
    const first = await send('approve');
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.deepEqual([first.body.responded_by, first.body.metadata], ['bo', { via: 'ops' }]);
    const again = await send('approve');
    assert.deepEqual([again.status, again.body], [200, first.body]);
    const other = await send('deny');
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });

  it('is mailed once more when it is withdrawn, and its link says so', async () => {
    const before = postbox.mails.length;
    const { id } = await ask({ retry_policy: undefined, timeout_seconds: 600 });
    const mails = await mailsAfter(before, 1);
    await stack.delivered(id);
    const gone = await stack.post(`/v1/suspensions/${id}/cancel`, 'agent', {});
    assert.equal(gone.status, 200);
    // The earlier questions have something to tell too, in any order.
    const isTold = ({ subject }: Arrived) => subject === `Withdrawn: ${REFUND.question}`;
    await tellOutcomes(stack.client, () => postbox.mails.slice(before).some(isTold));
    const reply = await follow('read', { token: tokenIn(mails.get('ana')) });
    assert.deepEqual([reply.status, reply.body.state.outcome], [410, 'withdrawn']);
  });
});
