import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { RealStack } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

const CALL = { id: 'call-1', tool: 'wire', arguments: { to: 'DE1', amount: 500 } };

interface Opened {
  readonly request_id: string;
  readonly warnings?: readonly string[];
}

describe('an agent that names users of an approval', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function open(fields: object): Promise<Opened> {
    const body = { run_id: 'run-7', calls: [CALL], ...fields };
    const reply = await stack.post('/v1/approvals', 'agent', body);
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    return reply.body as Opened;
  }
  const resume = (id: string, key: KeyName, body: object) =>
    stack.post(`/v1/requests/${id}/resume`, key, body);

  it('asks the user whom a consent or a sign-in concerns, and nobody else [P3-15] [P3-20]', async () => {
    for (const kind of ['authentication', 'consent']) {
      const opened = await open({ kind, calls: [], on_behalf_of: 'ursula' });
      assert.equal('warnings' in opened, false);
      const { request_id } = opened;
      const { body } = await stack.get(`/v1/approvals/${request_id}`, 'agent');
      assert.deepEqual([body.proposal.on_behalf_of, body.proposal.decider], ['ursula', 'ursula']);
      const other = await resume(request_id, 'operator', { action: 'approve' });
      assert.deepEqual([other.status, other.body.code], [403, 'not_eligible']);
      const own = await resume(request_id, 'user', { action: 'approve' });
      assert.deepEqual([own.status, own.body.status], [200, 'approved']);
    }
  });

  it('is told that who is only acted for does not decide, and so is that user', async () => {
    const { request_id, warnings = [] } = await open({ on_behalf_of: 'ursula' });
    assert.equal(warnings.length, 1);
    assert.match(warnings.join(), /^ursula, for whom it is asked, does not decide\..* decider\.$/);
    const own = await resume(request_id, 'user', { action: 'approve' });
    assert.deepEqual([own.status, own.body.code], [403, 'not_eligible']);
    assert.match(own.body.detail, /named it as decider/);
  });

  it('is told who decides in the place of its decider', async () => {
    const calls = [{ ...CALL, claimed: { route: 'dual_approval' } }];
    const { request_id, warnings = [] } = await open({ calls, decider: 'ursula' });
    assert.deepEqual(warnings, [
      'ursula is named to decide and does not: by the configuration that is up to 2 of others who may approve.',
    ]);
    const { body } = await stack.get(`/v1/approvals/${request_id}`, 'agent');
    assert.deepEqual([body.proposal.decider, body.proposal.decided_by], [undefined, [{}]]);
    const own = await resume(request_id, 'user', { action: 'approve' });
    assert.match(own.body.detail, /by the configuration others do/);
  });
});
