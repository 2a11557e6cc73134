import assert from 'node:assert/strict';
import { CREDENTIALS, NAMED_SECRET, TOKEN } from '../../support/secrets.js';
import { createRig } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';

const SUSPEND = `/v1/intents/${INTENT_ID}/suspend`;

const TEXT = { response_type: 'text' };

interface Row {
  readonly field: string;
  readonly body: object;
}

const REFUSED: readonly Row[] = [
  { field: 'question', body: { question: `May I use ${TOKEN}?` } },
  { field: 'context.db.password', body: { context: { db: { password: TOKEN } } } },
  {
    field: 'context.aws_secret_access_key',
    body: { context: { aws_secret_access_key: NAMED_SECRET } },
  },
  { field: 'choices[0].label', body: { choices: [{ value: 'a', label: TOKEN }] } },
  {
    field: 'choices[0].metadata.url',
    body: { choices: [{ value: 'a', label: 'A', metadata: { url: CREDENTIALS['BasicAuth'] } }] },
  },
  { field: 'fallback_value', body: { fallback_value: TOKEN } },
];

describe('asking with a secret', () => {
  for (const { field, body } of REFUSED) {
    it(`is refused for ${field}, which is not repeated [R25-101] [R26-87]`, async () => {
      const rig = createRig();
      const reply = await rig.send('agent', 'post', SUSPEND).send({ question: 'Go?', ...body });
      const { status, code, accepted } = reply.body;
      assert.deepEqual([status, code, reply.body.field], [422, 'secret_refused', field]);
      assert.equal(accepted, 'text without credentials; send a reference instead');
      assert.match(reply.body.detail, /looks like a credential \(\w+\)\.$/);
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
      for (const shown of [JSON.stringify(reply.body), rig.logged()]) {
        assert.ok(!shown.includes(TOKEN) && !shown.includes(NAMED_SECRET));
      }
    });
  }

  const CALLS = [{ id: 'c', tool: 'wire', arguments: {} }];
  const schema = { type: 'object', description: TOKEN };
  for (const [path, body, field] of [
    ['/v1/approvals', { calls: CALLS, response_schema: schema }, 'response_schema.description'],
    [`/api/v1/intents/${INTENT_ID}/approvals`, { action: 'pay', requested_by: TOKEN }, undefined],
  ] as const) {
    it(`is refused for all that people see of an approval: POST ${path}`, async () => {
      const rig = createRig();
      const run = path === '/v1/approvals' ? { run_id: 'run-7', request_key: 'k' } : {};
      const reply = await rig.send('agent', 'post', path).send({ ...run, ...body });
      assert.deepEqual([reply.status, reply.body.code], [422, 'secret_refused']);
      if (field !== undefined) assert.equal(reply.body.field, field);
      // An approval of an intent reads that first.
      assert.deepEqual(
        rig.sent.filter(({ name }) => name !== 'intent'),
        [],
      );
      assert.ok(!JSON.stringify(reply.body).includes(TOKEN));
    });
  }

  it('passes if the configuration says so', async () => {
    const rig = createRig({}, { suspension: { refuse_secrets: false } });
    const reply = await rig
      .send('agent', 'post', SUSPEND)
      .send({ ...TEXT, question: `Use ${TOKEN}?` });
    assert.equal(reply.status, 201);
  });

  it('passes with a reference instead', async () => {
    const rig = createRig();
    const body = {
      ...TEXT,
      question: 'Use the key?',
      context: { secret_ref: 'vault:orders/db#password' },
    };
    assert.equal((await rig.send('agent', 'post', SUSPEND).send(body)).status, 201);
  });
});
