import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRig } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const NOTES = { comment: '  as agreed\n- no more', data: { window: 'tonight' } };
const ONE = { suspension_id: SUSPENSION_ID };

/** The doors of `/v1` that take an answer, with what each wants besides its value. */
const DOORS = [
  [`/v1/intents/${INTENT_ID}/suspend/respond`, ONE],
  [`/v1/suspensions/${SUSPENSION_ID}/respond`, {}],
  [`/v1/suspensions/${SUSPENSION_ID}/resume`, {}],
  ['/v1/suspensions/respond', { answers: [ONE] }],
] as const;

describe('a comment and data of an answer', () => {
  for (const [path, body] of DOORS) {
    it(`stand beside the value, as they were written: POST ${path}`, async () => {
      const rig = createRig();
      const answer = { ...body, value: 'yes', ...NOTES, metadata: { via: 'tool' } };
      const reply = await rig.send('operator', 'post', path).send(answer);
      assert.equal(reply.status, 200, JSON.stringify(reply.body));
      const given = rig.calls[0]?.args.find(
        (one) => Object(one) === one && 'comment' in Object(one),
      );
      const { comment, data, metadata } = given as Record<string, unknown>;
      assert.deepEqual([comment, data, metadata], [NOTES.comment, NOTES.data, { via: 'tool' }]);
    });
  }

  for (const [path, body] of [
    ...DOORS,
    ['/v1/links/answer', { token: 'some-token' }],
    ['/v1/webhooks/answers', { ...ONE, person: 'ana' }],
  ] as const) {
    for (const [name, note] of Object.entries(NOTES)) {
      it(`have no second place in the metadata: ${name}, POST ${path}`, async () => {
        const rig = createRig();
        const answer = { ...body, value: 'yes', metadata: { [name]: note } };
        const reply = await rig.send('operator', 'post', path).send(answer);
        assert.equal(reply.status, 422, JSON.stringify(reply.body));
        const { field, accepted } = reply.body;
        assert.deepEqual(
          [field, accepted],
          [`metadata.${name}`, `the field ${name} of the answer itself, beside its value`],
        );
        assert.deepEqual(rig.calls, []);
      });
    }
  }

  for (const [field, wrong] of [
    ['comment', { comment: ' \n' }],
    ['comment', { comment: 5 }],
    ['data', { data: [1] }],
    ['data', { data: 'tonight' }],
  ] as const) {
    it(`take no other form: ${JSON.stringify(wrong)}`, async () => {
      // What resumes a pause may be any JSON: there, the rule of an answer judges its data.
      for (const [path, body] of DOORS.filter(([door]) => !door.endsWith('/resume'))) {
        const reply = await createRig()
          .send('operator', 'post', path)
          .send({ ...body, value: 'yes', ...wrong });
        assert.deepEqual([reply.status, reply.body.field], [422, field], path);
      }
    });
  }
});
