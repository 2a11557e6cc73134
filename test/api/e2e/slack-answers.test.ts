import assert from 'node:assert/strict';
import { pino } from 'pino';
import request from 'supertest';
import { openSlackSockets } from '../../../api/slack/socket.js';
import type { SlackSockets } from '../../../api/slack/socket.js';
import { serverConfigSchema } from '../../../contracts/config.js';
import { TASK_QUEUE, UPKEEP } from '../../../contracts/constants/names.js';
import type { SuspensionView } from '../../../contracts/suspension-view.js';
import { REFUND, RealStack } from '../../support/real-stack.js';
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  slackForm,
  slackHeaders,
  startSlack,
} from '../../support/slack.js';
import type { FakeSlack, SlackCall } from '../../support/slack.js';
import { startSlackSocket } from '../../support/slack-socket.js';
import type { SlackSocket } from '../../support/slack-socket.js';

const TO_FINANCE = {
  max_attempts: 1,
  interval_seconds: 600,
  escalation_ladder: [{ attempt: 1, channel_hint: 'chat', notify_to: 'finance' }],
};

interface Block {
  readonly elements?: readonly { readonly action_id?: string; readonly value?: string }[];
}

/** What the buttons of a message carry. */
function buttonsIn(call: SlackCall | undefined): readonly string[] {
  const blocks = (call?.body['blocks'] ?? []) as readonly Block[];
  return blocks.flatMap(({ elements = [] }) => elements).flatMap(({ value }) => value ?? []);
}

describe('an answer in Slack', () => {
  let slack: FakeSlack;
  let stack: RealStack;
  let socket: SlackSocket;
  let sockets: SlackSockets;
  before(async () => {
    slack = await startSlack();
    const config = {
      directory: {
        people: { ana: { slack: 'U1' }, bo: { slack: 'U2' }, cy: { slack: 'U3' } },
        groups: { finance: ['ana', 'bo'] },
      },
      public_url: 'https://hold.example.com',
      notifications: {
        default_channel: 'chat',
        channels: {
          chat: {
            type: 'slack',
            bot_token: BOT_TOKEN,
            api_url: slack.apiUrl,
            answers: { signing_secret: SIGNING_SECRET, app_token: 'xapp-1-test' },
          },
        },
      },
    };
    stack = await RealStack.start(config);
    socket = await startSlackSocket(slack);
    sockets = openSlackSockets({
      config: serverConfigSchema.parse(config),
      interactions: stack.slack,
      log: pino({ level: 'silent' }),
    });
  });
  after(async () => {
    await sockets.close();
    await stack.slack.idle();
    await socket.close();
    await stack.close();
    await slack.close();
  });

  async function ask(more: object = {}): Promise<SuspensionView> {
    const body = { ...REFUND, retry_policy: TO_FINANCE, ...more };
    const asked = await stack.post('/v1/suspensions', 'agent', body);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    return asked.body as SuspensionView;
  }

  /** The buttons of the newest message to a member. */
  function buttonsTo(member: string): readonly string[] {
    const sent = slack.of('chat.postMessage').filter(({ body }) => body['channel'] === member);
    return buttonsIn(sent.at(-1));
  }

  async function post(payload: object) {
    const body = slackForm(payload);
    return request(stack.url).post('/slack/interactions').set(slackHeaders(body)).send(body);
  }

  let presses = 0;
  async function press(user: string, value: string | undefined): Promise<void> {
    presses += 1;
    const actions = [{ action_id: 'holdpoint:0', value }];
    const trigger_id = `t-${presses}`;
    const response_url = slack.responseUrl;
    const payload = { type: 'block_actions', user: { id: user }, trigger_id, response_url };
    const reply = await post({ ...payload, actions });
    assert.equal(reply.status, 200, reply.text);
    await stack.slack.idle();
  }

  const lastSaid = () => JSON.stringify(slack.of('actions/T1/1/one').at(-1)?.body['blocks']);
  const viewOf = async (id: string) =>
    (await stack.get(`/v1/suspensions/${id}`)).body as SuspensionView;
  async function told(count: number): Promise<readonly SlackCall[]> {
    const before = slack.of('chat.update').length;
    await stack.client.workflow.execute(UPKEEP.type, {
      workflowId: UPKEEP.followUps,
      taskQueue: TASK_QUEUE,
      args: [{ work: 'follow_ups' }],
    });
    const updates = slack.of('chat.update').slice(before);
    assert.equal(updates.length, count);
    return updates;
  }

  it('settles the question, and every message says so [R25-100] [AM-45]', async () => {
    const { id } = await ask();
    await stack.delivered(id);
    await press('U2', buttonsTo('U2')[1]);
    const { state, record } = await viewOf(id);
    assert.deepEqual([state, record.response, record.responded_by], ['settled', 'deny', 'bo']);
    assert.deepEqual(record.metadata, { via: 'chat' });
    assert.match(lastSaid(), /Your answer counts: Deny refund/);
    for (const { body } of await told(2)) {
      assert.match(JSON.stringify(body['blocks']), /\*Answered\* by bo .*Deny refund/);
      assert.doesNotMatch(JSON.stringify(body['blocks']), /"button"/);
    }
    await press('U1', buttonsTo('U1')[0]);
    assert.match(lastSaid(), /Already answered by bo on .*: Deny refund/);
    assert.equal((await viewOf(id)).record.response, 'deny');
  });

  it('settles it over Socket Mode in the same way, by a button and by a form', async () => {
    await socket.connected(1);
    const { id } = await ask();
    await stack.delivered(id);
    const actions = [{ action_id: 'holdpoint:0', value: buttonsTo('U1')[0] }];
    const pressed = { type: 'block_actions', user: { id: 'U1' }, response_url: slack.responseUrl };
    await socket.interact({ ...pressed, trigger_id: 's-1', actions });
    await stack.slack.idle();
    const { record } = await viewOf(id);
    assert.deepEqual([record.response, record.responded_by], ['approve', 'ana']);
    for (const { body } of await told(2)) {
      assert.match(JSON.stringify(body['blocks']), /\*Answered\* by ana .*Approve refund/);
    }

    const text = await ask({ question: 'Why?', response_type: 'text', choices: undefined });
    await stack.delivered(text.id);
    const form = [{ action_id: 'holdpoint:form', value: buttonsTo('U2')[0] }];
    await socket.interact({ ...pressed, user: { id: 'U2' }, trigger_id: 's-2', actions: form });
    await stack.slack.idle();
    const view = slack.of('views.open').at(-1)?.body['view'] as { private_metadata: string };
    const state = { values: { 'field-0': { value: { value: 'Because' } } } };
    const { payload } = await socket.interact({
      type: 'view_submission',
      user: { id: 'U2' },
      view: { id: 'V1', private_metadata: view.private_metadata, state },
    });
    assert.equal(payload['response_action'], 'update');
    assert.match(JSON.stringify(payload), /Your answer counts/);
    assert.deepEqual((await viewOf(text.id)).record.response, 'Because');
    const [update] = await told(2);
    assert.match(JSON.stringify(update?.body['blocks']), /\*Answered\* by bo/);
    assert.doesNotMatch(JSON.stringify(update?.body['blocks']), /Because/);
  });

  it('is refused of whom the rule does not name, and of a claimed question until asked again', async () => {
    const { id } = await ask({
      decision_rule: { eligible: { principals: ['ana', 'bo', 'alice'] } },
    });
    await stack.delivered(id);
    await press('U3', buttonsTo('U1')[0]);
    assert.match(lastSaid(), /decision rule does not name this principal/);
    assert.equal((await viewOf(id)).state, 'pending');
    const claimed = await stack.post(`/v1/suspensions/${id}/claim`, 'operator', {});
    assert.equal(claimed.status, 200, JSON.stringify(claimed.body));
    await press('U1', buttonsTo('U1')[0]);
    assert.match(lastSaid(), /alice has claimed this question until/);
    assert.equal((await viewOf(id)).state, 'pending');
    await press('U1', buttonsIn(slack.of('actions/T1/1/one').at(-1))[0]);
    assert.deepEqual((await viewOf(id)).record.responded_by, 'ana');
    await told(2);
  });

  it('counts for what was shown alone: an amended question gets new buttons', async () => {
    const { id } = await ask();
    await stack.delivered(id);
    const [old] = buttonsTo('U1');
    const change = { question: 'Refund order #12346?', question_version: 1 };
    const amended = await stack.patch(`/v1/suspensions/${id}`, 'agent', change);
    assert.equal(amended.status, 200, JSON.stringify(amended.body));
    await press('U1', old);
    assert.match(lastSaid(), /has changed since this message was sent/);
    assert.equal((await viewOf(id)).state, 'pending');
    const [update] = await told(2);
    assert.match(JSON.stringify(update?.body['blocks']), /#12346/);
    await press('U2', buttonsIn(update)[0]);
    assert.equal((await viewOf(id)).record.response, 'approve', lastSaid());
    await told(2);
  });

  it('counts towards a quorum, once for each person', async () => {
    const { id } = await ask({ decision_rule: { quorum: 2 } });
    await stack.delivered(id);
    await press('U1', buttonsTo('U1')[0]);
    assert.match(lastSaid(), /1 of 2 agree/);
    await press('U1', buttonsTo('U1')[0]);
    assert.match(lastSaid(), /Already answered by ana/);
    await press('U2', buttonsTo('U2')[0]);
    assert.deepEqual((await viewOf(id)).state, 'settled');
    await told(2);
  });
});
