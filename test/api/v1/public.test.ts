import assert from 'node:assert/strict';
import { NOW } from '../support/fakes.js';
import { createRig, rigOver } from '../support/harness.js';
import type { Fakes } from '../support/parts.js';

const READY = {
  api: { ok: true, detail: 'answers' },
  temporal: { ok: true, detail: 'Temporal 1.29.1' },
  worker: { ok: true, detail: '1 polling "holdpoint"' },
  store: { ok: true, detail: 'the store answers' },
};

/** A process of which one thing is missing. */
const MISSING: Readonly<Record<keyof typeof READY, Fakes>> = {
  api: { deps: { stopping: AbortSignal.abort() } },
  temporal: { temporal: { service: { describeTaskQueue: polled } } },
  worker: {
    temporal: {
      service: {
        getSystemInfo: async () => ({ serverVersion: '1.29.1' }),
        describeTaskQueue: async () => ({ pollers: [] }),
      },
    },
  },
  store: { store: { storeState: async () => ({ missing: ['0001-baseline'], refused_rows: 0 }) } },
};

async function polled() {
  return { pollers: [{ lastAccessTime: { seconds: NOW / 1_000 } }] };
}

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
    it(`serve ${prefix}/health without asking Temporal or the store`, async () => {
      const rig = createRig();
      const reply = await rig.send(undefined, 'get', `${prefix}/health`);
      assert.deepEqual([reply.status, reply.body], [200, { status: 'ok' }]);
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
    });

    it(`serve ${prefix}/ready with every dependency`, async () => {
      const reply = await createRig().send(undefined, 'get', `${prefix}/ready`);
      const ready = { status: 'ready', dependencies: READY };
      assert.deepEqual([reply.status, reply.body], [200, ready]);
    });
  }

  for (const name of ['api', 'temporal', 'worker', 'store'] as const) {
    it(`say 503 where the ${name} is not ok`, async () => {
      const reply = await rigOver(MISSING[name]).send(undefined, 'get', '/v1/ready');
      assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '1']);
      const { status, dependencies } = reply.body;
      assert.equal(status, 'not_ready');
      assert.equal(dependencies[name].ok, false);
      assert.deepEqual({ ...dependencies, [name]: READY[name] }, READY);
    });
  }
});
