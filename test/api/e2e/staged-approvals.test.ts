import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

/** Alice and root may decide in every stage. */
const RULES = {
  rules: [
    { tool: 'wire', verdict: 'escalate', route: 'policy_pack', pack: 'money' },
    { tool: 'sell', verdict: 'escalate', route: 'policy_pack', pack: 'shares' },
  ],
  packs: {
    money: { stages: [{ name: 'team' }, { name: 'board' }] },
    shares: { stages: [{ name: 'team', quorum: 2 }, { name: 'board' }] },
  },
};

describe('an approval in stages that is decided by its id', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({ approvals: RULES });
  });
  after(() => stack.close());

  async function open(tool: string): Promise<{ request_id: string; suspension_id: string }> {
    const calls = [{ id: 'call-1', tool, arguments: {} }];
    const reply = await stack.post('/v1/approvals', 'agent', { run_id: 'run-7', calls });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    return reply.body as { request_id: string; suspension_id: string };
  }
  const approve = (id: string, key: KeyName = 'operator', fields: object = {}) =>
    stack.post(`/v1/requests/${id}/resume`, key, { action: 'approve', ...fields });
  const read = async (id: string) =>
    (await stack.get(`/v1/approvals/${id}`, 'operator')).body as ApprovalView;

  /** The second stage is open, and nobody has voted in it. */
  async function secondIsUntouched(id: string): Promise<string> {
    const { status, stage, suspension_id } = await read(id);
    assert.deepEqual([status, stage], ['pending', 1]);
    const question = await lookUntil(async () => {
      const found = await stack.get(`/v1/suspensions/${suspension_id}`, 'operator');
      return found.status === 200 && (found.body as SuspensionView);
    }, 'the second stage asks nobody');
    assert.deepEqual([question.state, question.approvals], ['pending', 0]);
    return String(suspension_id);
  }

  async function isToldOfItsVote(id: string, key: KeyName, fields: object = {}): Promise<void> {
    const again = await approve(id, key, fields);
    assert.deepEqual([again.status, again.body.code], [409, 'stage_mismatch']);
    const { own_vote, ...state } = again.body.state;
    assert.deepEqual(state, { status: 'pending', stage: 1, tier: 0 });
    assert.deepEqual([own_vote.stage, own_vote.decision], [0, 'approved']);
  }

  it('counts one of two same decisions at once, and none after the first stage', async () => {
    const { request_id: id, suspension_id: first } = await open('wire');
    const both = await Promise.all([approve(id), approve(id)]);
    const statuses = both.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 409], JSON.stringify(both.map(({ body }) => body as object)));
    const refused = both.find(({ status }) => status === 409);
    assert.deepEqual(
      [refused?.body.code, refused?.body.state.own_vote.decision],
      ['stage_mismatch', 'approved'],
    );
    await isToldOfItsVote(id, 'operator');
    await isToldOfItsVote(id, 'operator', { suspension_id: first });
    const second = await secondIsUntouched(id);
    const decided = await approve(id, 'operator', { suspension_id: second });
    assert.deepEqual([decided.status, decided.body.status], [200, 'approved']);
  });

  it('repeats the reply to a vote while its stage waits for others, and tells what became of it later', async () => {
    const { request_id: id } = await open('sell');
    for (let sent = 0; sent < 2; sent += 1) {
      const counted = await approve(id);
      assert.deepEqual([counted.status, counted.body.status], [200, 'pending']);
    }
    assert.equal((await read(id)).stage, 0);
    assert.equal((await approve(id, 'admin')).body.status, 'pending');
    for (const key of ['operator', 'admin'] as const) await isToldOfItsVote(id, key);
    await secondIsUntouched(id);
  });

  it('tells who has not voted that the stage is over', async () => {
    const { request_id: id } = await open('wire');
    assert.equal((await approve(id)).status, 200);
    const { status, body } = await approve(id, 'admin');
    assert.deepEqual([status, body.code], [409, 'stage_mismatch']);
    assert.deepEqual(body.state, { status: 'pending', stage: 1, tier: 0 });
    await secondIsUntouched(id);
  });

  it('is rejected by a decision about the open stage alone', async () => {
    const { request_id: id } = await open('wire');
    await approve(id);
    const stale = await approve(id, 'admin', { action: 'reject' });
    assert.deepEqual([stale.status, stale.body.code], [409, 'stage_mismatch']);
    const suspension_id = await secondIsUntouched(id);
    const rejected = await approve(id, 'admin', { action: 'reject', suspension_id });
    assert.deepEqual([rejected.status, rejected.body.status], [200, 'rejected']);
    const late = await approve(id, 'admin', { action: 'reject', suspension_id });
    assert.deepEqual([late.status, late.body.code], [409, 'approval_decided']);
  });
});
