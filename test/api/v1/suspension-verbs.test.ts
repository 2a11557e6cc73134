import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TOKEN } from '../../support/secrets.js';
import { ManualClock } from '../support/fakes.js';
import { createRig, rigOver } from '../support/harness.js';
import { answersSent, outcomesOf, updateIdFor } from '../support/questions.js';
import { SUSPENSION_ID, VIEW } from '../support/records.js';

const PATH = `/v1/suspensions/${SUSPENSION_ID}`;
const CLAIM = {
  holder: 'alice',
  claimed_at: '2026-11-20T10:00:00.000Z',
  expires_at: '2026-11-20T10:30:00.000Z',
};

describe('claiming a question', () => {
  it('shows the question with who has it until when', async () => {
    const clock = new ManualClock(Date.parse(CLAIM.claimed_at));
    const claimSuspension = () => Promise.resolve({ ...VIEW, claim: CLAIM });
    const rig = rigOver({ clock }, { claimSuspension });
    const reply = await rig.send('operator', 'post', `${PATH}/claim`).send({});
    assert.deepEqual([reply.status, reply.body.claim], [200, CLAIM]);
    assert.deepEqual(rig.calls[0]?.args.slice(1), [SUSPENSION_ID, {}]);
    await rig.send('operator', 'post', `${PATH}/claim`).send({ question_version: 2 });
    assert.deepEqual(rig.calls[1]?.args.slice(1), [SUSPENSION_ID, { question_version: 2 }]);
  });
});

describe('releasing a question', () => {
  it('shows it without a claim', async () => {
    const reply = await createRig().send('admin', 'post', `${PATH}/release`).send({});
    assert.deepEqual([reply.status, reply.body.claim], [200, null]);
  });
});

describe('an answer to a claimed question', () => {
  it('passes on that it is meant all the same', async () => {
    const rig = createRig();
    const body = { value: 'yes', despite_claim: true };
    for (const path of [`${PATH}/respond`, `${PATH}/resume`]) {
      assert.equal((await rig.send('operator', 'post', path).send(body)).status, 200);
    }
    assert.deepEqual(rig.calls[0]?.args[2], { ...body, suspension_id: SUSPENSION_ID });
    assert.deepEqual(rig.calls[1]?.args[2], { ...body, suspension_id: SUSPENSION_ID });
    const wrong = { ...body, despite_claim: 'yes' };
    const reply = await rig.send('operator', 'post', `${PATH}/respond`).send(wrong);
    assert.deepEqual([reply.status, reply.body.field], [422, 'despite_claim']);
  });
});

describe('commenting on a question, and passing it on', () => {
  it('takes a text, and shows the question', async () => {
    const rig = createRig();
    const body = { text: 'She called twice.' };
    for (const key of ['operator', 'agent'] as const) {
      assert.equal((await rig.send(key, 'post', `${PATH}/comments`).send(body)).status, 200);
    }
    assert.deepEqual(rig.calls[0]?.args.slice(1), [SUSPENSION_ID, body]);
    for (const text of ['', ' ', 'x'.repeat(2_001), 7]) {
      const reply = await rig.send('operator', 'post', `${PATH}/comments`).send({ text });
      assert.deepEqual([reply.status, reply.body.field], [422, 'text']);
    }
  });

  it('takes to whom and why, and not from agents', async () => {
    const rig = createRig();
    const body = { to: 'carol', reason: 'She knows the customer.' };
    assert.equal((await rig.send('operator', 'post', `${PATH}/delegate`).send(body)).status, 200);
    assert.deepEqual(rig.calls[0]?.args.slice(1), [SUSPENSION_ID, body]);
    const missing = await rig.send('operator', 'post', `${PATH}/delegate`).send({ to: 'carol' });
    assert.deepEqual([missing.status, missing.body.field], [422, 'reason']);
    const toGroup = { to_group: 'finance', reason: 'away' };
    assert.equal(
      (await rig.send('operator', 'post', `${PATH}/delegate`).send(toGroup)).status,
      200,
    );
    assert.deepEqual(rig.calls[1]?.args.slice(1), [SUSPENSION_ID, toGroup]);
    for (const named of [{}, { to: 'carol', to_group: 'finance' }]) {
      const both = { ...named, reason: 'away' };
      const refused = await rig.send('operator', 'post', `${PATH}/delegate`).send(both);
      assert.deepEqual([refused.status, refused.body.field], [422, 'to']);
      assert.match(refused.body.accepted, /^either `to`, a principal, or `to_group`, a group/);
    }
    assert.equal((await rig.send('agent', 'post', `${PATH}/delegate`).send(body)).status, 403);
  });
});

describe('one answer to many questions', () => {
  const path = '/v1/suspensions/respond';
  const body = {
    answers: [{ suspension_id: SUSPENSION_ID }, { suspension_id: 'x' }],
    value: 'yes',
  };

  it('says what became of each, with the problem of one that is refused', async () => {
    const kept = { suspension_id: SUSPENSION_ID, outcome: 'handed_over' } as const;
    const rig = createRig({ respond: outcomesOf([kept]) });
    const test = rig.send('operator', 'post', path).set('Idempotency-Key', 'key');
    const reply = await test.send(body);
    assert.equal(reply.status, 200);
    const [first, second] = reply.body.results;
    assert.deepEqual(first, { suspension_id: SUSPENSION_ID, outcome: 'handed_over' });
    assert.deepEqual([second.outcome, second.problem.status], ['refused', 404]);
    assert.equal(second.problem.request_id, reply.headers['x-request-id']);
    assert.equal(second.problem.code, 'suspension_not_found');
    const [{ request, updateId } = {}, ...more] = answersSent(rig);
    assert.deepEqual([request, more], [{ suspension_id: SUSPENSION_ID, value: 'yes' }, []]);
    assert.equal(updateId, updateIdFor('alice', 'key', SUSPENSION_ID));
  });

  it('takes at most a hundred, and at least one', async () => {
    const rig = createRig();
    const many = Array.from({ length: 101 }, () => ({ suspension_id: SUSPENSION_ID }));
    for (const answers of [many, []]) {
      const reply = await rig.send('operator', 'post', path).send({ ...body, answers });
      assert.deepEqual([reply.status, reply.body.field], [422, 'answers']);
    }
    assert.deepEqual(rig.calls, []);
  });
});

describe('correcting a question', () => {
  it('takes what is to be replaced, and the version, from who asked it', async () => {
    const rig = createRig();
    const body = { question: 'Refund it in part?', question_version: 1, reason: 'late' };
    assert.equal((await rig.send('agent', 'patch', PATH).send(body)).status, 200);
    assert.deepEqual(rig.calls[0]?.args.slice(1), [SUSPENSION_ID, body]);
    assert.equal((await rig.send('operator', 'patch', PATH).send(body)).status, 403);
    const { question_version: _version, ...without } = body;
    const missing = await rig.send('agent', 'patch', PATH).send(without);
    assert.deepEqual([missing.status, missing.body.field], [422, 'question_version']);
    const other = await rig.send('agent', 'patch', PATH).send({ ...body, timeout_seconds: 5 });
    assert.deepEqual([other.status, other.body.field], [422, 'timeout_seconds']);
  });

  it('refuses what looks like a credential', async () => {
    const rig = createRig();
    const context = { db: { password: TOKEN } };
    const body = { context, question_version: 1 };
    const reply = await rig.send('agent', 'patch', PATH).send(body);
    assert.deepEqual([reply.status, reply.body.code], [422, 'secret_refused']);
    assert.deepEqual(rig.calls, []);
  });
});
