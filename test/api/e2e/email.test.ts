import assert from 'node:assert/strict';
import request from 'supertest';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { tellOutcomes } from '../../support/follow-ups.js';
import { startPostbox, type Arrived, type Postbox } from '../../support/smtp.js';
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
});
