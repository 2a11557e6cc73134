import assert from 'node:assert/strict';
import { pino } from 'pino';
import { openSlackSockets, type SlackSockets } from '../../../api/slack/start.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { BOT_TOKEN, startSlack, type FakeSlack } from '../../support/slack.js';
import { startSlackSocket, type SlackSocket } from '../../support/slack-socket.js';

const APP_TOKEN = 'xapp-1-test';

describe('Socket Mode', () => {
  let slack: FakeSlack;
  let socket: SlackSocket;
  let sockets: SlackSockets | undefined;
  let taken: unknown[][];
  let lines: string[];
  beforeEach(async () => {
    slack = await startSlack();
    socket = await startSlackSocket(slack);
    taken = [];
    lines = [];
  });
  afterEach(async () => {
    await sockets?.close();
    await socket.close();
    await slack.close();
  });

  function open(reply?: object): void {
    const chat = {
      type: 'slack',
      bot_token: BOT_TOKEN,
      api_url: slack.apiUrl,
      answers: { app_token: APP_TOKEN },
    };
    const config = serverConfigSchema.parse({
      directory: {},
      notifications: {
        default_channel: 'chat',
        channels: { chat, ops: { ...chat, conversation: 'C1' } },
      },
    });
    sockets = openSlackSockets({
      config,
      interactions: {
        take(...args) {
          taken.push(args);
          return Promise.resolve(reply as never);
        },
      },
      log: pino({}, { write: (line: string) => void lines.push(line) }),
      firstPauseMs: 5,
    });
  }

  it('takes interactions over one connection of the app, and acknowledges each', async () => {
    open();
    await socket.connected(1);
    const payload = { type: 'block_actions', actions: [] };
    const { payload: reply } = await socket.interact(payload);
    assert.deepEqual(reply, {});
    assert.deepEqual(taken, [[payload, ['chat', 'ops']]]);
    const opened = slack.of('apps.connections.open');
    assert.deepEqual(
      opened.map(({ authorization }) => authorization),
      [`Bearer ${APP_TOKEN}`],
    );
  });

  it('acknowledges a form with what becomes of it', async () => {
    const reply = { response_action: 'errors', errors: { 'field-0': 'No.' } };
    open(reply);
    await socket.connected(1);
    assert.deepEqual((await socket.interact({ type: 'view_submission' })).payload, reply);
  });

  it('connects again when Slack asks for it, and when the connection breaks', async () => {
    open();
    await socket.connected(1);
    await socket.interact({ n: 1 });
    socket.refresh();
    await socket.connected(2);
    await socket.interact({ n: 2 });
    socket.drop();
    await socket.connected(3);
    await socket.interact({ n: 3 });
    assert.deepEqual(
      taken.map(([payload]) => payload),
      [{ n: 1 }, { n: 2 }, { n: 3 }],
    );
  });

  for (const [what, reply] of [
    ['its token is refused', { body: { ok: false, error: 'invalid_auth' } }],
    ['it is away', { status: 503 }],
  ] as const) {
    it(`goes on trying while ${what}, and says so in the log`, async () => {
      const usual = slack.answer;
      slack.answer = () => reply;
      open();
      await slack.called('apps.connections.open', 2);
      slack.answer = usual;
      await socket.connected(1);
      assert.match(lines.join(''), /slack_connection_failed/);
      assert.ok(!lines.join('').includes(APP_TOKEN));
    });
  }

  it('stops while it waits to connect, and takes nothing more', async () => {
    slack.answer = () => 'hangs';
    open();
    await slack.called('apps.connections.open', 1);
    await sockets?.close();
    assert.deepEqual(taken, []);
  });

  it('opens no connection without a token for it', () => {
    const none = serverConfigSchema.parse({});
    const interactions = { take: () => Promise.reject(new Error('not here')) };
    sockets = openSlackSockets({ config: none, interactions, log: pino({ level: 'silent' }) });
    assert.deepEqual(slack.calls, []);
  });
});
