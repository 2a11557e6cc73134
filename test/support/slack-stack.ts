import assert from 'node:assert/strict';
import request from 'supertest';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { tellOutcomes } from './follow-ups.js';
import { RealStack } from './real-stack.js';
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  slackForm,
  slackHeaders,
  startSlack,
  type FakeSlack,
  type SlackCall,
} from './slack.js';

interface Block {
  readonly elements?: readonly { readonly action_id?: string; readonly value?: string }[];
}

/** What the buttons of a message carry. */
export function buttonsIn(call: SlackCall | undefined): readonly string[] {
  const blocks = (call?.body['blocks'] ?? []) as readonly Block[];
  return blocks.flatMap(({ elements = [] }) => elements).flatMap(({ value }) => value ?? []);
}

/** A directory of three members: ana and bo are of finance, cy is not. Messages go over `chat`, to finance if to nobody else. */
export function slackConfig({ apiUrl }: FakeSlack) {
  return {
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
          api_url: apiUrl,
          to: 'finance',
          answers: { signing_secret: SIGNING_SECRET, app_token: 'xapp-1-test' },
        },
      },
    },
  };
}

/** A whole stack whose messages go to a fake Slack, whose people press buttons there. */
export class SlackStack {
  readonly slack: FakeSlack;
  readonly stack: RealStack;
  private presses = 0;

  private constructor(slack: FakeSlack, stack: RealStack) {
    this.slack = slack;
    this.stack = stack;
  }

  /** @param changes - to `slackConfig` */
  static async start(
    changes: (config: ReturnType<typeof slackConfig>) => object = (config) => config,
  ): Promise<SlackStack> {
    const slack = await startSlack();
    return new SlackStack(slack, await RealStack.start(changes(slackConfig(slack))));
  }

  async close(): Promise<void> {
    await this.stack.slack.idle();
    await this.stack.close();
    await this.slack.close();
  }

  /** The newest message to a member. */
  messageTo(member: string): SlackCall | undefined {
    const sent = this.slack.of('chat.postMessage').filter(({ body }) => body['channel'] === member);
    return sent.at(-1);
  }

  /** What the buttons of the newest message to a member carry. */
  buttonsTo(member: string): readonly string[] {
    return buttonsIn(this.messageTo(member));
  }

  /** Presses a button as this member, and resolves once it is done. */
  async press(user: string, value: string | undefined): Promise<void> {
    this.presses += 1;
    const { responseUrl: response_url } = this.slack;
    const payload = { type: 'block_actions', user: { id: user }, response_url };
    const actions = [{ action_id: 'holdpoint:0', value }];
    const body = slackForm({ ...payload, trigger_id: `t-${this.presses}`, actions });
    const reply = await request(this.stack.url)
      .post('/slack/interactions')
      .set(slackHeaders(body))
      .send(body);
    assert.equal(reply.status, 200, reply.text);
    await this.stack.slack.idle();
  }

  /** What was said privately last. */
  get lastSaid(): string {
    const said = this.slack.of('actions/T1/1/one').at(-1);
    assert.equal(said?.body['response_type'], 'ephemeral');
    return JSON.stringify(said.body['blocks']);
  }

  async viewOf(id: string): Promise<SuspensionView> {
    return (await this.stack.get(`/v1/suspensions/${id}`)).body as SuspensionView;
  }

  /** Lets the messages be told what has become of their questions: so many of them have something to tell. */
  async told(count: number): Promise<readonly SlackCall[]> {
    const before = this.slack.of('chat.update').length;
    const updates = () => this.slack.of('chat.update').slice(before);
    await tellOutcomes(this.stack.client, () => updates().length >= count);
    assert.equal(updates().length, count);
    return updates();
  }
}
