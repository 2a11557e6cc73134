import assert from 'node:assert/strict';
import { ChannelError } from '../../../../activities/channels/try-outcome.js';
import {
  BOT_TOKEN,
  startSlack,
  type Answering,
  type FakeSlack,
  type SlackCall,
} from '../../../support/slack.js';
import { channelOver, slackOver, slackTo } from './support.js';

/** The time limit of calls that get no reply. */
const BRIEF_SECONDS = 0.2;

async function failureOf(sending: Promise<unknown>) {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ChannelError, String(error));
  assert.doesNotMatch(error.message, /xoxb|127\.0\.0\.1|120 EUR/);
  const { statusCode, final = false, retryAfterMs } = error.details;
  return [error.kind, statusCode, final, retryAfterMs];
}

describe('Slack', () => {
  let slack: FakeSlack;
  afterEach(() => slack.close());
  const start = async (answer: Answering) => {
    slack = await startSlack(answer);
    return slackOver(slack.apiUrl, { timeout_seconds: 10 });
  };
  const says =
    (error: string): Answering =>
    () => ({ body: { ok: false, error } });

  for (const [error, expected] of [
    ['channel_not_found', ['slack_refused', 200, true, undefined]],
    ['invalid_auth', ['slack_login_refused', 200, false, undefined]],
    ['missing_scope', ['slack_login_refused', 200, false, undefined]],
    ['internal_error', ['slack_limited', 200, false, undefined]],
  ] as const) {
    it(`that answers ${error} is ${expected[2] ? 'not asked again' : 'asked again'}`, async () => {
      assert.deepEqual(await failureOf(slackTo(await start(says(error)))), expected);
      assert.equal(slack.calls.length, 1);
    });
  }

  for (const error of ['invalid_blocks', 'msg_blocks_too_long']) {
    it(`that answers ${error} gets the question and its buttons alone, once`, async () => {
      const config = await start(({ body }) =>
        JSON.stringify(body['blocks']).includes('order: A-7')
          ? { body: { ok: false, error } }
          : undefined,
      );
      await slackTo(config, { context: { order: 'A-7' } });
      const [, { body }] = slack.of('chat.postMessage') as [SlackCall, SlackCall];
      assert.match(JSON.stringify(body['blocks']), /Refund 120 EUR\?.*is in the inbox.*Deny it/);
      slack.answer = says(error);
      const failure = await failureOf(slackTo(config));
      assert.deepEqual(failure, ['slack_refused', 200, true, undefined]);
      assert.equal(slack.calls.length, 4);
    });
  }

  it('says when to come again, and is not asked before', async () => {
    const limited: Answering = () => ({ status: 429, headers: { 'retry-after': '30' } });
    const failure = await failureOf(slackTo(await start(limited)));
    assert.deepEqual(failure, ['slack_limited', 429, false, 30_000]);
    assert.equal(slack.calls.length, 1);
  });

  it('is asked again when it fails, does not answer, or is away', async () => {
    const config = await start(() => ({ status: 503, body: {} }));
    assert.deepEqual(await failureOf(slackTo(config)), ['response_not_2xx', 503, false, undefined]);
    slack.answer = () => 'hangs';
    const brief = { ...config, timeout_seconds: BRIEF_SECONDS };
    assert.equal((await failureOf(slackTo(brief)))[0], 'no_reply_in_time');
    const nobody = slackOver('http://127.0.0.1:9/api/');
    assert.equal((await failureOf(slackTo(nobody)))[0], 'connection_failed');
  });

  it('says whether the token counts, without a message to anybody', async () => {
    const config = await start(() => undefined);
    const { signal } = new AbortController();
    await channelOver(config).check(signal);
    assert.deepEqual(
      slack.calls.map(({ method, authorization }) => [method, authorization]),
      [['auth.test', `Bearer ${BOT_TOKEN}`]],
    );
    slack.answer = says('invalid_auth');
    assert.equal((await failureOf(channelOver(config).check(signal)))[0], 'slack_login_refused');
    slack.answer = () => 'hangs';
    const brief = channelOver({ ...config, timeout_seconds: BRIEF_SECONDS });
    assert.equal((await failureOf(brief.check(signal)))[0], 'no_reply_in_time');
    await assert.rejects(brief.check(AbortSignal.abort(new Error('called off'))), /called off/);
  });

  it('is left alone once the delivery is called off', async () => {
    const config = await start(() => undefined);
    const gone = AbortSignal.abort(new Error('called off'));
    await assert.rejects(slackTo(config, {}, {}, gone), /called off/);
    assert.deepEqual(slack.calls, []);
  });
});
