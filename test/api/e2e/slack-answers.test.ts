import assert from 'node:assert/strict';
import { pino } from 'pino';
import { openSlackSockets } from '../../../api/slack/socket.js';
import type { SlackSockets } from '../../../api/slack/socket.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { REFUND } from '../../support/real-stack.js';
import { startSlackSocket } from '../../support/slack-socket.js';
import type { SlackSocket } from '../../support/slack-socket.js';
import { SlackStack, buttonsIn, slackConfig } from '../../support/slack-stack.js';

const TO_FINANCE = {
  max_attempts: 1,
  interval_seconds: 600,
  escalation_ladder: [{ attempt: 1, channel_hint: 'chat', notify_to: 'finance' }],
};

describe('an answer in Slack', () => {
  let rig: SlackStack;
  let socket: SlackSocket;
  let sockets: SlackSockets;
  before(async () => {
    rig = await SlackStack.start();
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

  it('is refused of whom the rule does not name, and of a claimed question until asked again', async () => {
    const { id } = await ask({
      decision_rule: { eligible: { principals: ['ana', 'bo', 'alice'] } },
    });
    await rig.stack.delivered(id);
    await rig.press('U3', rig.buttonsTo('U1')[0]);
    assert.match(rig.lastSaid, /decision rule does not name this principal/);
    assert.equal((await rig.viewOf(id)).state, 'pending');
    const claimed = await rig.stack.post(`/v1/suspensions/${id}/claim`, 'operator', {});
    assert.equal(claimed.status, 200, JSON.stringify(claimed.body));
    await rig.press('U1', rig.buttonsTo('U1')[0]);
    assert.match(rig.lastSaid, /alice has claimed this question until/);
    assert.equal((await rig.viewOf(id)).state, 'pending');
    await rig.press('U1', buttonsIn(rig.slack.of('actions/T1/1/one').at(-1))[0]);
    assert.deepEqual((await rig.viewOf(id)).record.responded_by, 'ana');
    await rig.told(2);
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

  it('counts towards a quorum, once for each person', async () => {
    const { id } = await ask({ decision_rule: { quorum: 2 } });
    await rig.stack.delivered(id);
    await rig.press('U1', rig.buttonsTo('U1')[0]);
    assert.match(rig.lastSaid, /1 of 2 agree/);
    await rig.press('U1', rig.buttonsTo('U1')[0]);
    assert.match(rig.lastSaid, /Already answered by ana/);
    await rig.press('U2', rig.buttonsTo('U2')[0]);
    assert.deepEqual((await rig.viewOf(id)).state, 'settled');
    await rig.told(2);
  });
});
