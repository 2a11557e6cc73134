import assert from 'node:assert/strict';
import { RefusalError } from '../../../api/errors.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import { createRig } from '../support/harness.js';
import { answersSent, updateIdFor } from '../support/questions.js';
import { ANSWERED, INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const PATH = `/v1/intents/${INTENT_ID}/suspend/respond`;
const ANSWER = { suspension_id: SUSPENSION_ID, value: 'yes' };

const refusing = (refusal: Refusal) =>
  createRig({ respond: () => Promise.reject(new RefusalError(refusal)) });

describe('changing who is eligible', () => {
  const path = `/v1/suspensions/${SUSPENSION_ID}/eligibility`;
  const body = { eligible: { principals: ['bob'], groups: ['finance'] }, reason: 'away' };

  it('passes the change of an admin on, and shows the question', async () => {
    const rig = createRig();
    const reply = await rig.send('admin', 'put', path).send(body);
    assert.equal(reply.status, 200);
    assert.equal(reply.body.id, SUSPENSION_ID);
    assert.deepEqual(rig.calls[0]?.args.slice(1), [SUSPENSION_ID, body]);
  });
});

describe('answering', () => {
  it('returns what was accepted [R25-73] [R25-74]', async () => {
    const reply = await createRig().send('operator', 'post', PATH).send(ANSWER);
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, ANSWERED);
  });

  it('has no resolution while more people have to answer [AM-58]', async () => {
    const { resolution: _open, ...rest } = ANSWERED;
    const result = { ...rest, approvals: 1, required: 2 };
    const rig = createRig({ respond: () => Promise.resolve({ accepted: true, result }) });
    const reply = await rig.send('operator', 'post', PATH).send({ ...ANSWER, question_version: 1 });
    assert.deepEqual([reply.status, reply.body], [200, result]);
    assert.deepEqual(answersSent(rig)[0]?.request, { ...ANSWER, question_version: 1 });
  });

  it('passes on what it decides on, and with which edits', async () => {
    const edits = [{ call_id: 'call-1', arguments: { amount: 100 } }];
    const answer = { ...ANSWER, value: 'approved', proposal_hash: 'f'.repeat(64), edits };
    const rig = createRig();
    assert.equal((await rig.send('operator', 'post', PATH).send(answer)).status, 200);
    assert.deepEqual(answersSent(rig)[0]?.request, answer);
  });

  it('passes the answer on as it was sent', async () => {
    const rig = createRig();
    await rig.send('operator', 'post', PATH).send({ ...ANSWER, metadata: { via: 'phone' } });
    const [{ intentId, request, updateId } = {}] = answersSent(rig);
    assert.deepEqual([intentId, request], [INTENT_ID, { ...ANSWER, metadata: { via: 'phone' } }]);
    assert.match(String(updateId), /^a:/);
  });

  it('passes any JSON value on as it is [R25-78]', async () => {
    for (const value of [null, 0, false, '', [], { a: [1, { b: null }] }, 'é 😀']) {
      const rig = createRig();
      await rig.send('operator', 'post', PATH).send({ ...ANSWER, value });
      assert.deepEqual(answersSent(rig)[0]?.request.value, value);
    }
  });

  it('passes the Idempotency-Key on', async () => {
    const rig = createRig();
    await rig.send('operator', 'post', PATH).set('Idempotency-Key', 'k-1').send(ANSWER);
    assert.equal(answersSent(rig)[0]?.updateId, updateIdFor('alice', 'k-1', SUSPENSION_ID));
  });

  it('refuses an empty or overlong Idempotency-Key', async () => {
    for (const key of ['', 'k'.repeat(201)]) {
      const rig = createRig();
      const reply = await rig
        .send('operator', 'post', PATH)
        .set('Idempotency-Key', key)
        .send(ANSWER);
      assert.deepEqual([reply.status, reply.body.field], [422, 'Idempotency-Key']);
      assert.deepEqual(rig.sent, []);
    }
  });

  it('says 202 if the answer was only handed over', async () => {
    const outcome = { accepted: false, suspension_id: SUSPENSION_ID } as const;
    const rig = createRig({ respond: () => Promise.resolve(outcome) });
    const reply = await rig.send('operator', 'post', PATH).send(ANSWER);
    assert.equal(reply.status, 202);
    assert.equal(reply.headers['location'], `/v1/suspensions/${SUSPENSION_ID}`);
    const { intent_id, suspension_id, status } = reply.body;
    assert.deepEqual([intent_id, suspension_id, status], [INTENT_ID, SUSPENSION_ID, 'handed_over']);
  });

  it('renders the accepted values of a refused one [R25-84] [R25-85]', async () => {
    const rig = refusing({ code: 'invalid_value', detail: 'No.', valid_choices: ['yes', 'no'] });
    const reply = await rig.send('operator', 'post', PATH).send({ ...ANSWER, value: 'maybe' });
    assert.equal(reply.status, 422);
    assert.deepEqual(reply.body.valid_choices, ['yes', 'no']);
  });

  it('refuses a missing id before an unknown intent', async () => {
    const path = '/v1/intents/none/suspend/respond';
    const reply = await createRig().send('operator', 'post', path).send({ value: 'yes' });
    assert.deepEqual([reply.status, reply.body.code], [422, 'missing_suspension_id']);
  });
});
