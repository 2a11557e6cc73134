import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { lookUntil } from '../../support/looks.js';
import { SlackStack, buttonsIn } from '../../support/slack-stack.js';
import type { slackConfig } from '../../support/slack-stack.js';
import type { SlackCall } from '../../support/slack.js';

const APPROVERS = { approvers: { groups: ['finance'], principals: ['alice'] } };

/** Approvals of finance and alice: one of them for a wire, two for a transfer. Their calls may be shown. */
function withApprovals(config: ReturnType<typeof slackConfig>): object {
  return {
    ...config,
    approvals: {
      rules: [{ tool: 'transfer', verdict: 'escalate', route: 'dual_approval' }],
      routes: { human_required: APPROVERS, dual_approval: APPROVERS },
    },
    notifications: { ...config.notifications, context_keys: ['tool_call', 'risk_class'] },
  };
}

const shownIn = (call: SlackCall | undefined): string => JSON.stringify(call?.body['blocks']);

describe('a tool approval in Slack', () => {
  let rig: SlackStack;
  before(async () => {
    rig = await SlackStack.start(withApprovals);
  });
  after(() => rig.close());

  const read = async (id: string): Promise<ApprovalView> =>
    (await rig.stack.get(`/v1/approvals/${id}`)).body as ApprovalView;

  /** Asks for one call, and resolves once everybody of finance was told. */
  async function asked(tool: string): Promise<{ readonly id: string; readonly question: string }> {
    const calls = [{ id: 'call-1', tool, arguments: { to: 'DE1', amount: 500 } }];
    const opened = await rig.stack.post('/v1/approvals', 'agent', { run_id: randomUUID(), calls });
    const id = String(opened.body.request_id);
    const question = await lookUntil(async () => {
      const { suspension_id } = await read(id);
      if (!suspension_id) return undefined;
      const { status } = await rig.stack.get(`/v1/suspensions/${suspension_id}`);
      return status === 200 ? suspension_id : undefined;
    }, 'the approval has not asked');
    await rig.stack.delivered(question);
    return { id, question };
  }

  async function decided(id: string): Promise<ApprovalView> {
    const { body } = await rig.stack.get(`/v1/approvals/${id}/wait?timeout_seconds=20`);
    return body as ApprovalView;
  }

  it('is decided by a button, from the question to the settled message [A54-16]', async () => {
    const { id, question } = await asked('wire');
    const message = shownIn(rig.messageTo('U1'));
    assert.match(message, /To be approved, in full.*1\. wire.*DE1.*500/);
    assert.match(message, /risk: \*high\*/);
    assert.ok(!message.includes(question));
    await rig.press('U1', rig.buttonsTo('U1')[0]);
    assert.match(rig.lastSaid, /Your answer counts: Approve/);
    const { status, resolution, proposal_hash } = await decided(id);
    assert.deepEqual([status, resolution?.respondent], ['approved', 'ana']);
    assert.equal(resolution?.proposal_hash, proposal_hash);
    assert.deepEqual((await rig.viewOf(question)).record.metadata, { via: 'chat' });
    for (const update of await rig.told(2)) {
      assert.match(shownIn(update), /Decided on, in full.*1\. wire.*500/);
      assert.match(shownIn(update), /\*Answered\* by ana .*: \*Approve\*/);
      assert.deepEqual(buttonsIn(update), []);
    }
  });

  it('is decided on what somebody has edited, which every message shows', async () => {
    const { id, question } = await asked('wire');
    const { proposal_hash } = await read(id);
    const edits = [{ call_id: 'call-1', arguments: { to: 'DE1', amount: 50 } }];
    const reply = await rig.stack.post(`/v1/suspensions/${question}/respond`, 'operator', {
      value: 'approved',
      proposal_hash,
      edits,
    });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    const view = await decided(id);
    assert.deepEqual(view.proposal.calls[0]?.arguments, edits[0]?.arguments);
    assert.equal(view.resolution?.proposal_hash, view.proposal_hash);
    for (const update of await rig.told(2)) {
      assert.match(shownIn(update), /Decided on, in full.*\\"amount\\": 50\\n/);
      assert.match(shownIn(update), /\*Answered\* by alice .*: \*Approve\*/);
    }
    await rig.press('U2', rig.buttonsTo('U2')[1]);
    assert.match(rig.lastSaid, /Already answered by alice on .*: Approve/);
  });

  it('gets new buttons where an edit begins the votes anew, and the old are stale', async () => {
    const { id, question } = await asked('transfer');
    const old = rig.buttonsTo('U1');
    await rig.press('U2', rig.buttonsTo('U2')[0]);
    assert.match(rig.lastSaid, /1 of 2 agree/);
    const { proposal_hash } = await read(id);
    const edits = [{ call_id: 'call-1', arguments: { to: 'DE1', amount: 50 } }];
    const edited = { value: 'approved', proposal_hash, edits };
    const reply = await rig.stack.post(`/v1/suspensions/${question}/respond`, 'operator', edited);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    await rig.press('U1', old[0]);
    assert.match(rig.lastSaid, /has changed since this message was sent/);
    assert.equal((await read(id)).status, 'pending');
    const updates = await rig.told(2);
    for (const update of updates) {
      assert.match(shownIn(update), /To be approved, in full.*\\"amount\\": 50\\n/);
      assert.doesNotMatch(shownIn(update), /\\"amount\\": 500/);
    }
    await rig.press('U1', buttonsIn(updates[0])[0]);
    const { status, proposal, resolution } = await decided(id);
    assert.deepEqual([status, proposal.calls[0]?.arguments['amount']], ['approved', 50]);
    const agreed = resolution?.approvers.map(({ principal }) => principal).sort();
    assert.deepEqual(agreed, ['alice', 'ana']);
    for (const update of await rig.told(2)) {
      assert.match(shownIn(update), /Decided on, in full.*\\"amount\\": 50\\n/);
    }
  });

  it('is refused privately of whom it does not ask, and of a stranger', async () => {
    const { id, question } = await asked('wire');
    const before = await rig.viewOf(question);
    await rig.press('U3', rig.buttonsTo('U1')[0]);
    assert.match(rig.lastSaid, /decision rule does not name this principal/);
    await rig.press('U9', rig.buttonsTo('U1')[0]);
    assert.match(rig.lastSaid, /Holdpoint does not know you.*U9/);
    assert.deepEqual(await rig.viewOf(question), before);
    await rig.told(0);
    await rig.press('U2', rig.buttonsTo('U2')[1]);
    assert.equal((await decided(id)).status, 'rejected');
    const [update] = await rig.told(2);
    assert.match(shownIn(update), /\*Answered\* by bo .*: \*Reject\*/);
  });
});
