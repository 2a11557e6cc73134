import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRig } from '../support/harness.js';

const AT = '2026-03-24T10:00:00.000Z';
const CONFIG = {
  notifications: {
    default_channel: 'ops',
    channels: { ops: { type: 'webhook', url: 'https://ops.example', secrets: ['$OPS'] } },
  },
};

describe('GET /v1/server/channels', () => {
  const newestTries = () =>
    Promise.resolve({
      last_delivered: { at: AT, status_code: 204 },
      last_failed: { at: AT, status_code: 410, outcome: 'endpoint_gone' },
    });

  it('has each channel by its newest tries, and no address or secret', async () => {
    const rig = createRig({ newestTries }, CONFIG);
    for (const who of ['operator', 'admin', 'auditor'] as const) {
      const { status, body, text } = await rig.send(who, 'get', '/v1/server/channels');
      assert.equal(status, 200);
      const report = { name: 'ops', type: 'webhook', ...(await newestTries()) };
      assert.deepEqual(body, { channels: [report] });
      assert.doesNotMatch(text, /example|OPS/);
    }
    assert.deepEqual(rig.calls[0]?.args, ['ops']);
  });

  it('is for nobody who only asks', async () => {
    const rig = createRig({ newestTries }, CONFIG);
    for (const who of ['agent', 'user'] as const) {
      const { status, body } = await rig.send(who, 'get', '/v1/server/channels');
      assert.deepEqual([status, body.code], [403, 'forbidden']);
    }
  });
});
