import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Intent } from '../../../contracts/intent/intent.js';
import { TOKEN } from '../../support/secrets.js';
import { createRig, sentIn } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const WAYS = ['/api/v1/intents', `/api/v1/intents/${INTENT_ID}/children`];
const withRecord = (fields: object) => ({
  title: 'Refund',
  status: 'active',
  state: { _suspension: { id: SUSPENSION_ID, question: 'Go?', ...fields } },
});

describe('an intent created through the OpenIntent API with a record in its state', () => {
  for (const path of WAYS) {
    it(`is refused at ${path} where the record holds a credential [R25-101]`, async () => {
      const rig = createRig();
      const body = withRecord({ context: { token: TOKEN } });
      const reply = await rig.send('agent', 'post', path).send(body);
      assert.equal(reply.status, 422);
      assert.ok(reply.text.includes('state._suspension.context.token'));
      assert.deepEqual(rig.sent, []);
      for (const shown of [reply.text, rig.logged()]) assert.ok(!shown.includes(TOKEN));
    });

    it(`passes at ${path} as plain state where it holds none`, async () => {
      const rig = createRig();
      const body = withRecord({ context: { order: 7 } });
      assert.equal((await rig.send('agent', 'post', path).send(body)).status, 200);
      const { intent } = sentIn(rig, path.endsWith('children') ? 'createChild' : 'intent');
      assert.deepEqual((intent as Intent).state, body.state);
    });
  }
});
