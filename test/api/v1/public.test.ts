import assert from 'node:assert/strict';
import { createRig } from '../support/harness.js';

const OK = { ok: true, detail: 'ok' };

describe('routes without a key', () => {
  it('serve the protocol version and a null policy', async () => {
    const reply = await createRig().send(undefined, 'get', '/v1/server/config');
    assert.equal(reply.status, 200);
    const expected = { protocol_version: '0.1', suspension: { default_retry_policy: null } };
    assert.deepEqual(reply.body, expected);
  });

  it('serve the configured policy and nothing else [R26-70, AM-25]', async () => {
    const default_retry_policy = { max_attempts: 2, interval_seconds: 60, strategy: 'fixed' };
    const notifications = { allowed_recipients: ['alice'] };
    const rig = createRig({}, { suspension: { default_retry_policy }, notifications });
    const reply = await rig.send(undefined, 'get', '/v1/server/config');
    assert.deepEqual(reply.body.suspension, { default_retry_policy });
    assert.deepEqual(Object.keys(reply.body), ['protocol_version', 'suspension']);
  });

  for (const prefix of ['', '/api']) {
    it(`keep from strangers whom ${prefix}/v1/server/config notifies, and who may answer`, async () => {
      const step = { attempt: 2, channel_hint: 'console' };
      const named = { ...step, notify_to: 'alice', eligible: { groups: ['finance'] } };
      const policy = (ladder: object) => ({ max_attempts: 2, escalation_ladder: [ladder] });
      const rig = createRig({}, { suspension: { default_retry_policy: policy(named) } });
      const shown = async (key?: Parameters<typeof rig.send>[0]): Promise<unknown> =>
        (await rig.send(key, 'get', `${prefix}/v1/server/config`)).body.suspension
          .default_retry_policy;
      assert.deepEqual(await shown(), policy(step));
      assert.deepEqual(await shown('agent'), policy(named));
    });
  }

  for (const prefix of ['', '/v1']) {
    it(`serve ${prefix}/health without asking the gateway`, async () => {
      const rig = createRig();
      const reply = await rig.send(undefined, 'get', `${prefix}/health`);
      assert.deepEqual([reply.status, reply.body], [200, { status: 'ok' }]);
      assert.deepEqual(rig.calls, []);
    });

    it(`serve ${prefix}/ready with every dependency`, async () => {
      const reply = await createRig().send(undefined, 'get', `${prefix}/ready`);
      const dependencies = { api: OK, temporal: OK, worker: OK, store: OK };
      assert.deepEqual([reply.status, reply.body], [200, { status: 'ready', dependencies }]);
    });
  }

  for (const name of ['api', 'temporal', 'worker', 'store']) {
    it(`say 503 where the ${name} is not ok`, async () => {
      const dependencies = {
        api: OK,
        temporal: OK,
        worker: OK,
        store: OK,
        [name]: { ok: false, detail: 'gone' },
      };
      const rig = createRig({ readiness: () => Promise.resolve(dependencies) });
      const reply = await rig.send(undefined, 'get', '/v1/ready');
      assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '1']);
      assert.deepEqual(reply.body, { status: 'not_ready', dependencies });
    });
  }
});
