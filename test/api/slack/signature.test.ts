import assert from 'node:assert/strict';
import express from 'express';
import request from 'supertest';
import { findSigners, fromSlack, signerFinder } from '../../../api/slack/route.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { readBytes } from '../../../api/http/json-body.js';
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  slackForm,
  slackHeaders,
  startSlack,
  type FakeSlack,
} from '../../support/slack.js';
import { buttonOf, slackRig } from './support.js';

describe('what Slack posts', () => {
  let slack: FakeSlack;
  before(async () => {
    slack = await startSlack();
  });
  after(() => slack.close());

  const now = () => Math.floor(Date.now() / 1_000);
  async function body(): Promise<string> {
    const actions = [{ action_id: 'holdpoint:0', value: await buttonOf({ choice: 0 }) }];
    return slackForm({ type: 'block_actions', user: { id: 'U1' }, trigger_id: 't', actions });
  }

  it('is taken with the signature of its app, lately made', async () => {
    for (const age of [0, 240, -240]) {
      const rig = slackRig(slack);
      const sent = await body();
      const reply = await rig.post(sent, slackHeaders(sent, now() - age));
      assert.deepEqual([reply.status, reply.text], [200, '']);
      assert.equal(rig.answers.length, 1);
    }
  });

  it('is lately made for 300 seconds to either side', () => {
    const answers = { signing_secret: SIGNING_SECRET };
    const config = serverConfigSchema.parse({
      directory: { people: { ana: { slack: 'U1' } } },
      notifications: {
        default_channel: 'chat',
        channels: { chat: { type: 'slack', bot_token: BOT_TOKEN, answers } },
      },
    });
    const at = now();
    const headers = slackHeaders('x', at);
    const message = {
      timestamp: String(headers['X-Slack-Request-Timestamp']),
      signature: String(headers['X-Slack-Signature']),
      body: Buffer.from('x'),
    };
    const signers = [-301, -300, 300, 301].map((age) =>
      signerFinder(config, () => (at + age) * 1_000)(message),
    );
    assert.deepEqual(signers, [[], ['chat'], ['chat'], []]);
  });

  for (const [what, change] of [
    ['signed with another secret', (sent: string) => slackHeaders(sent, now(), 'ef'.repeat(16))],
    ['older than five minutes', (sent: string) => slackHeaders(sent, now() - 360)],
    ['from the future', (sent: string) => slackHeaders(sent, now() + 360)],
    ['not what was signed', (sent: string) => slackHeaders(`${sent}&`)],
    [
      'given another time than was signed',
      (sent: string) => ({
        ...slackHeaders(sent),
        'X-Slack-Request-Timestamp': String(now() - 1),
      }),
    ],
    ['not signed', () => ({ 'Content-Type': 'application/x-www-form-urlencoded' })],
    [
      'signed in another form',
      (sent: string) => ({ ...slackHeaders(sent), 'X-Slack-Signature': 'v0=zz' }),
    ],
  ] as const) {
    it(`is refused if it is ${what}, and nothing changes`, async () => {
      const rig = slackRig(slack);
      const sent = await body();
      const reply = await rig.post(sent, change(sent));
      assert.deepEqual(
        [reply.status, reply.body.code, reply.body.field],
        [403, 'signature_refused', 'X-Slack-Signature'],
      );
      assert.deepEqual(rig.answers, []);
    });
  }

  it('is looked at once for its signature, whoever asks who has signed it', async () => {
    const bodies: string[] = [];
    const app = express();
    const looks = findSigners(({ body: signed }) => {
      bodies.push(Buffer.from(signed).toString());
      return ['chat'];
    });
    app.post('/', readBytes, looks, (req, res) => {
      res.json([fromSlack(req).channels, fromSlack(req).channels]);
    });
    const reply = await request(app).post('/').send('payload=1');
    assert.deepEqual([reply.body, bodies], [[['chat'], ['chat']], ['payload=1']]);
    assert.throws(() => fromSlack(express.request), /not behind findSigners/);
  });

  it('presses no button of a channel whose app has not signed it', async () => {
    const rig = slackRig(slack);
    const before = slack.calls.length;
    const reply = await rig.press(await buttonOf({ choice: 0, channel: 'other' }));
    assert.equal(reply.status, 200);
    assert.deepEqual(rig.answers, []);
    assert.match(JSON.stringify(slack.calls.slice(before)), /no longer works/);
  });

  it('says what is wrong with a body without a payload', async () => {
    const rig = slackRig(slack);
    for (const sent of ['', 'payload=%7B', 'other=1']) {
      const reply = await rig.post(sent, slackHeaders(sent));
      assert.deepEqual(
        [reply.status, reply.body.code, reply.body.field],
        [422, 'invalid_request', 'payload'],
      );
    }
  });

  it('is acknowledged if it asks for nothing of ours', async () => {
    const rig = slackRig(slack);
    for (const payload of [
      { type: 'view_closed' },
      { type: 'block_actions', user: { id: 'U1' }, trigger_id: 't', actions: [] },
      {
        type: 'block_actions',
        user: { id: 'U1' },
        trigger_id: 't',
        actions: [{ action_id: 'x', value: await buttonOf() }],
      },
    ]) {
      const sent = slackForm(payload);
      assert.equal((await rig.post(sent, slackHeaders(sent))).status, 200);
    }
    assert.deepEqual(rig.answers, []);
  });

  it('is limited for an address without a signature, and never with one', async () => {
    const rig = slackRig(slack, {}, { limits: { links_per_minute: 2 } });
    const sent = await body();
    for (let i = 0; i < 4; i += 1) assert.equal((await rig.post(sent)).status, 200);
    const forged = slackHeaders(sent, now(), 'ef'.repeat(16));
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await rig.post(sent, forged)).status);
    assert.deepEqual(statuses, [403, 403, 429]);
    assert.equal((await rig.post(sent)).status, 200);
  });

  it('is replied to nowhere but at this Slack, and the rest is logged', async () => {
    const rig = slackRig(slack);
    const elsewhere = await startSlack();
    await rig.press(await buttonOf({ choice: 0 }), { response_url: elsewhere.responseUrl });
    assert.equal(rig.answers.length, 1);
    assert.deepEqual(elsewhere.calls, []);
    assert.match(rig.slackLogged(), /slack_reply_failed/);
    await elsewhere.close();
  });

  it('reaches no log with its secret or its token', async () => {
    const rig = slackRig(slack);
    const sent = await body();
    await rig.post(sent, slackHeaders(sent));
    const forged = slackHeaders(sent, now(), 'ef'.repeat(16));
    await rig.post(sent, forged);
    slack.answer = () => ({ status: 500 });
    await rig.press(await buttonOf({ choice: 0 }));
    await rig.press('eyJ.a.b.c.d');
    slack.answer = () => undefined;
    const logged = rig.logged() + rig.slackLogged();
    assert.match(logged, /slack_reply_failed/);
    assert.match(logged, /slack\/interactions/);
    for (const secret of [
      SIGNING_SECRET,
      BOT_TOKEN,
      slack.responseUrl,
      forged['X-Slack-Signature'] ?? '',
      'eyJ',
    ]) {
      assert.ok(!logged.includes(secret), secret);
    }
  });
});
