import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rigOver } from '../support/harness.js';

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
} as const;

describe('GET /v1/server/set-aside', () => {
  const [{ tries: attempt, ...noted }] = BODY.workflows;
  const describe = () => ({
    status: { name: 'RUNNING' },
    raw: { pendingWorkflowTask: { attempt } },
  });
  const rig = () =>
    rigOver({ store: { notedSetAside: async () => [noted] }, temporal: { describe } });

  it('names the workflows that are set aside to whoever looks after the installation', async () => {
    for (const who of ['admin', 'auditor'] as const) {
      const { status, body } = await rig().send(who, 'get', '/v1/server/set-aside');
      assert.deepEqual([status, body], [200, BODY]);
    }
  });
});
