import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { createRig } from '../support/harness.js';
import { answersSent, updateIdFor, type Questions } from '../support/questions.js';
import { SUSPENSION_ID } from '../support/records.js';

const secretOf = (text: string) => `whsec_${Buffer.alloc(32, text).toString('base64')}`;
const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map(secretOf) as [string, string, string];
const CONFIG = {
  directory: {
    people: { ana: {}, bo: {}, kim: { space: 'team-b' } },
    groups: { finance: ['ana', 'kim'] },
  },
  notifications: {
    channels: {
      console: { type: 'console' },
      ops: {
        type: 'webhook',
        url: 'https://ops.example.com',
        secrets: [OTHER],
        answers: { secrets: [NEW, OLD], people: ['finance'] },
      },
    },
  },
};
const ANSWER = { suspension_id: SUSPENSION_ID, person: 'ana', value: 'yes' };

interface Sending {
  readonly body?: object;
  readonly secret?: string;
  /** Seconds before now. */
  readonly age?: number;
  /** What is sent in place of what was signed. */
  readonly sent?: object;
  readonly id?: string;
}

function rigWith(overrides: Questions = {}) {
  const rig = createRig(overrides, CONFIG);
  const send = async ({
    body = ANSWER,
    secret = NEW,
    age = 0,
    sent = body,
    id = 'm-1',
  }: Sending) => {
    const at = new Date(Date.now() - age * 1_000);
    return rig
      .send(undefined, 'post', '/v1/webhooks/answers')
      .set({
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, at, JSON.stringify(body)),
      })
      .send(JSON.stringify(sent));
  };
  const unsigned = async () => rig.send(undefined, 'post', '/v1/webhooks/answers').send(ANSWER);
  return { ...rig, send, unsigned };
}

describe('an answer by webhook', () => {
  it('is that of the person, as an operator in the groups of the directory [A54-16]', async () => {
    const rig = rigWith();
    const reply = await rig.send({});
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.deepEqual(answersSent(rig), [
      {
        caller: { space: 'default', principal: 'ana', roles: ['operator'], groups: ['finance'] },
        intentId: undefined,
        request: { suspension_id: SUSPENSION_ID, value: 'yes', metadata: { via: 'ops' } },
        updateId: updateIdFor('ana', 'webhook:ops:m-1', SUSPENSION_ID),
      },
    ]);
  });

  it('says itself over which channel it came', async () => {
    const rig = rigWith();
    const metadata = { via: 'inbox', note: 'ok' };
    const reply = await rig.send({ body: { ...ANSWER, metadata } });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.deepEqual(answersSent(rig)[0]?.request.metadata, { via: 'ops', note: 'ok' });
  });

  it('counts under either secret while they are exchanged', async () => {
    for (const secret of [NEW, OLD]) assert.equal((await rigWith().send({ secret })).status, 200);
  });

  for (const [what, sending] of [
    ['signed by somebody else', { secret: secretOf('evil') }],
    ['signed with the secret of what is sent out', { secret: OTHER }],
    ['older than five minutes', { age: 301 }],
    ['from the future', { age: -360 }],
    ['another than was signed', { sent: { ...ANSWER, value: 'no' } }],
  ] as const) {
    it(`is refused if it is ${what}`, async () => {
      const rig = rigWith();
      const reply = await rig.send(sending);
      assert.deepEqual([reply.status, reply.body.code], [403, 'signature_refused']);
      assert.deepEqual(rig.sent, []);
    });
  }

  it('is refused without any signature', async () => {
    const rig = rigWith();
    const reply = await rig.unsigned();
    assert.deepEqual([reply.status, reply.body.code], [403, 'signature_refused']);
    assert.deepEqual(rig.sent, []);
  });

  it('is refused for whom the channel may not answer, known or not', async () => {
    const rig = rigWith();
    for (const person of ['bo', 'eve', 'constructor']) {
      const reply = await rig.send({ body: { ...ANSWER, person } });
      assert.deepEqual(
        [reply.status, reply.body.code, reply.body.field],
        [403, 'not_answered_for', 'person'],
      );
    }
    assert.deepEqual(rig.sent, []);
  });

  it('goes to the space of the person', async () => {
    const rig = rigWith();
    await rig.send({ body: { ...ANSWER, person: 'kim' } });
    assert.equal(answersSent(rig)[0]?.caller.space, 'team-b');
  });

  it('is kept where no worker has judged it yet', async () => {
    const respond = () =>
      Promise.resolve({ accepted: false as const, suspension_id: SUSPENSION_ID });
    const reply = await rigWith({ respond }).send({});
    assert.deepEqual([reply.status, reply.body.status], [202, 'handed_over']);
  });

  it('may say nothing that is not known', async () => {
    const rig = rigWith();
    const reply = await rig.send({ body: { ...ANSWER, responded_by: 'root' } });
    assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_request']);
    assert.deepEqual(rig.sent, []);
  });
});
