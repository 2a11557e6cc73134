import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createRig } from '../support/harness.js';

const BODY = {
  workflows: [
    {
      workflow_id: 'team-b/intent-1',
      run_id: 'run-1',
      since: '2026-03-24T10:00:00.000Z',
      tries: 5,
    },
  ],
  more: false,
};

describe('GET /v1/server/set-aside', () => {
  const rig = () => createRig({ runsSetAside: () => Promise.resolve(BODY) });

  it('names the workflows that are set aside to whoever looks after the installation', async () => {
    for (const who of ['admin', 'auditor'] as const) {
      const { status, body } = await rig().send(who, 'get', '/v1/server/set-aside');
      assert.deepEqual([status, body], [200, BODY]);
    }
  });

  it('is for nobody else', async () => {
    for (const who of ['agent', 'operator', 'user'] as const) {
      const { status, body } = await rig().send(who, 'get', '/v1/server/set-aside');
      assert.deepEqual([status, body.code], [403, 'forbidden']);
    }
  });
});
