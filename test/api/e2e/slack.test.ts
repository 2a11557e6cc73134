import assert from 'node:assert/strict';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { firstReferenceOf } from '../../../store/queries/deliveries.js';
import { tellOutcomes } from '../../support/follow-ups.js';
import { REFUND, RealStack } from '../../support/real-stack.js';
import { BOT_TOKEN, startSlack } from '../../support/slack.js';
import type { FakeSlack } from '../../support/slack.js';

const TO_FINANCE = {
  max_attempts: 1,
  interval_seconds: 600,
  escalation_ladder: [{ attempt: 1, channel_hint: 'chat', notify_to: 'finance' }],
};

describe('a question in Slack', () => {
  let slack: FakeSlack;
  let stack: RealStack;
  before(async () => {
    slack = await startSlack();
    stack = await RealStack.start({
      directory: {
        people: { ana: { slack: 'U1' }, bo: { slack: 'U2' }, cy: { email: 'cy@example.com' } },
        groups: { finance: ['ana', 'bo', 'cy'] },
      },
      public_url: 'https://hold.example.com',
      notifications: {
        default_channel: 'chat',
        channels: { chat: { type: 'slack', bot_token: BOT_TOKEN, api_url: slack.apiUrl } },
      },
    });
  });
  after(async () => {
    await stack.close();
    await slack.close();
  });

  const updates = () => slack.of('chat.update');

  it('reaches each of a group, and says everywhere how it ended [R25-100]', async () => {
    const asked = await stack.post('/v1/suspensions', 'agent', {
      ...REFUND,
      retry_policy: TO_FINANCE,
    });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    const { id } = asked.body as SuspensionView;
    await stack.delivered(id);
    const sent = slack.of('chat.postMessage').map(({ body }) => body);
    assert.deepEqual(sent.map((body) => body['channel']).sort(), ['U1', 'U2']);
    assert.ok(sent.every((body) => !JSON.stringify(body).includes(id)));
    assert.match(JSON.stringify(sent[0]), /https:\/\/hold\.example\.com\/inbox\/link#/);

    const answer = { value: 'approve', question_version: 1 };
    const answered = await stack.post(`/v1/suspensions/${id}/respond`, 'operator', answer);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    const of = { space: 'default', suspension_id: id, channel: 'chat' };
    const first = await firstReferenceOf(stack.store.db, { ...of, person: 'ana' });
    assert.match(first ?? '', /^D1:1\.00000[12]$/);
    for (const other of [{ person: 'cy' }, { person: null }, { person: 'ana', channel: 'mail' }]) {
      assert.equal(await firstReferenceOf(stack.store.db, { ...of, ...other }), undefined);
    }

    await tellOutcomes(stack.client, () => updates().length >= 2);
    const told = updates().map(({ body }) => body);
    assert.deepEqual(told.map((body) => body['channel']).sort(), ['D1', 'D2']);
    for (const body of told) {
      assert.match(JSON.stringify(body['blocks']), /\*Answered\* by alice .*Approve refund/);
      assert.doesNotMatch(JSON.stringify(body['blocks']), /"button"/);
    }
    await tellOutcomes(stack.client, () => true);
    assert.equal(updates().length, 2);
  });
});
