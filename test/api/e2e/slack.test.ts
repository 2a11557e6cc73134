import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { lookUntil } from '../../support/looks.js';
import type { SlackCall } from '../../support/slack.js';
import { pino } from 'pino';
import { openSlackSockets, type SlackSockets } from '../../../api/slack/start.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { REFUND } from '../../support/real-stack.js';
import { startSlackSocket, type SlackSocket } from '../../support/slack-socket.js';
import { SlackStack, buttonsIn, slackConfig } from '../../support/slack-stack.js';

const TO_FINANCE = {
  max_attempts: 1,
  interval_seconds: 600,
  escalation_ladder: [{ attempt: 1, channel_hint: 'chat', notify_to: 'finance' }],
};

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

describe('an answer in Slack', () => {
  let rig: SlackStack;
  let socket: SlackSocket;
  let sockets: SlackSockets;
  before(async () => {
    rig = await SlackStack.start(withApprovals);
    socket = await startSlackSocket(rig.slack);
    sockets = openSlackSockets({
      config: serverConfigSchema.parse(slackConfig(rig.slack)),
      interactions: rig.stack.slack,
      log: pino({ level: 'silent' }),
    });
  });
  after(async () => {
    await sockets.close();
    await socket.close();
    await rig.close();
  });

  async function ask(more: object = {}): Promise<SuspensionView> {
    const body = { ...REFUND, retry_policy: TO_FINANCE, ...more };
    const asked = await rig.stack.post('/v1/suspensions', 'agent', body);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    return asked.body as SuspensionView;
  }

  it('settles the question, and every message says so [R25-100] [AM-45]', async () => {
    const { id } = await ask();
    await rig.stack.delivered(id);
    await rig.press('U2', rig.buttonsTo('U2')[1]);
    const { state, record } = await rig.viewOf(id);
    assert.deepEqual([state, record.response, record.responded_by], ['settled', 'deny', 'bo']);
    assert.deepEqual(record.metadata, { via: 'chat' });
    assert.match(rig.lastSaid, /Your answer counts: Deny refund/);
    for (const { body } of await rig.told(2)) {
      assert.match(JSON.stringify(body['blocks']), /\*Answered\* by bo .*Deny refund/);
      assert.doesNotMatch(JSON.stringify(body['blocks']), /"button"/);
    }
    await rig.press('U1', rig.buttonsTo('U1')[0]);
    assert.match(rig.lastSaid, /Already answered by bo on .*: Deny refund/);
    assert.equal((await rig.viewOf(id)).record.response, 'deny');
  });

  it('settles it over Socket Mode in the same way, by a button and by a form', async () => {
    await socket.connected(1);
    const { id } = await ask();
    await rig.stack.delivered(id);
    const actions = [{ action_id: 'holdpoint:0', value: rig.buttonsTo('U1')[0] }];
    const pressed = {
      type: 'block_actions',
      user: { id: 'U1' },
      response_url: rig.slack.responseUrl,
    };
    await socket.interact({ ...pressed, trigger_id: 's-1', actions });
    await rig.stack.slack.idle();
    const { record } = await rig.viewOf(id);
    assert.deepEqual([record.response, record.responded_by], ['approve', 'ana']);
    for (const { body } of await rig.told(2)) {
      assert.match(JSON.stringify(body['blocks']), /\*Answered\* by ana .*Approve refund/);
    }

    const text = await ask({ question: 'Why?', response_type: 'text', choices: undefined });
    await rig.stack.delivered(text.id);
    const form = [{ action_id: 'holdpoint:form', value: rig.buttonsTo('U2')[0] }];
    await socket.interact({ ...pressed, user: { id: 'U2' }, trigger_id: 's-2', actions: form });
    await rig.stack.slack.idle();
    const view = rig.slack.of('views.open').at(-1)?.body['view'] as { private_metadata: string };
    const state = { values: { 'field-0': { value: { value: 'Because' } } } };
    const { payload } = await socket.interact({
      type: 'view_submission',
      user: { id: 'U2' },
      view: { id: 'V1', private_metadata: view.private_metadata, state },
    });
    assert.equal(payload['response_action'], 'update');
    assert.match(JSON.stringify(payload), /Your answer counts/);
    assert.deepEqual((await rig.viewOf(text.id)).record.response, 'Because');
    const [update] = await rig.told(2);
    assert.match(JSON.stringify(update?.body['blocks']), /\*Answered\* by bo/);
    assert.doesNotMatch(JSON.stringify(update?.body['blocks']), /Because/);
  });

  it('counts for what was shown alone: an amended question gets new buttons', async () => {
    const { id } = await ask();
    await rig.stack.delivered(id);
    const [old] = rig.buttonsTo('U1');
    const change = { question: 'Refund order #12346?', question_version: 1 };
    const amended = await rig.stack.patch(`/v1/suspensions/${id}`, 'agent', change);
    assert.equal(amended.status, 200, JSON.stringify(amended.body));
    await rig.press('U1', old);
    assert.match(rig.lastSaid, /has changed since this message was sent/);
    assert.equal((await rig.viewOf(id)).state, 'pending');
    const [update] = await rig.told(2);
    assert.match(JSON.stringify(update?.body['blocks']), /#12346/);
    await rig.press('U2', buttonsIn(update)[0]);
    assert.equal((await rig.viewOf(id)).record.response, 'approve', rig.lastSaid);
    await rig.told(2);
  });

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

  it('decides a tool approval by a button, from the question to the settled message [A54-16]', async () => {
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

  it('to an approval gets new buttons where an edit begins the votes anew, and the old are stale', async () => {
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
});
