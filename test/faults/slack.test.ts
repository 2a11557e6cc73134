import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { channelChecks } from '../../store/queries/work/deliveries.js';
import type { Store } from '../../store/schema.js';
import { openPatiently } from '../support/patience.js';
import { lookUntil } from '../support/looks.js';
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  slackForm,
  slackHeaders,
  startSlack,
  type FakeSlack,
} from '../support/slack.js';
import { buttonsIn } from '../support/slack-stack.js';
import { FaultStack } from './fault-stack.js';

const PATIENT = { retry_policy: { max_attempts: 2, interval_seconds: 4_000 } };

describe('a question in Slack on a real stack', () => {
  let world: FaultStack;
  let slack: FakeSlack;
  let db: Store;

  before(async () => {
    slack = await startSlack();
    const answers = '{signing_secret: $SIGNING}';
    const chat = `{type: slack, bot_token: $BOT, api_url: "${slack.apiUrl}", to: finance, answers: ${answers}}`;
    const people = '{people: {ana: {slack: U1}, bo: {slack: U2}}, groups: {finance: [ana, bo]}}';
    const config = `directory: ${people}\nnotifications: {default_channel: chat, channels: {chat: ${chat}}}\n`;
    world = await FaultStack.start(config, { BOT: BOT_TOKEN, SIGNING: SIGNING_SECRET });
    db = openPatiently(world.stack.databaseUrl);
  });
  after(async () => {
    await db.destroy();
    await world.close();
    await slack.close();
  });

  const sentTo = (member: string) =>
    slack.of('chat.postMessage').filter(({ body }) => body['channel'] === member);

  /** Who is noted as told of a question, by the message that each has. */
  async function notedOf(suspensionId: string) {
    const noted = await db
      .selectFrom('deliveries')
      .select(['person', 'reference'])
      .where('delivery_id', 'like', `${suspensionId}:1/%`)
      .orderBy('person')
      .execute();
    return noted.map(({ person, reference }) => [person, reference]);
  }

  async function press(user: string, trigger_id: string, value: string | undefined): Promise<void> {
    const payload = { type: 'block_actions', user: { id: user }, trigger_id };
    const actions = [{ action_id: 'holdpoint:0', value }];
    const body = slackForm({ ...payload, response_url: slack.responseUrl, actions });
    const init = { method: 'POST', headers: slackHeaders(body), body };
    const reply = await fetch(`${world.stack.apiUrl}/slack/interactions`, init);
    assert.equal(reply.status, 200, await reply.text());
  }

  it('is not needed to learn that the token counts: the worker has asked', async () => {
    const check = await lookUntil(
      async () => (await channelChecks(db)).get('chat'),
      'nobody keeps what Slack said',
    );
    assert.equal(check.state, 'ok');
    assert.equal(slack.of('auth.test')[0]?.authorization, `Bearer ${BOT_TOKEN}`);
    assert.deepEqual(sentTo('U1'), []);
  });

  it('is told again to whom it was not noted: worker killed before it notes a message', async () => {
    let arrived = (): void => undefined;
    const taken = new Promise<void>((resolve) => (arrived = resolve));
    slack.answer = ({ method, body }) => {
      if (method !== 'chat.postMessage' || body['channel'] !== 'U2') return undefined;
      arrived();
      // Taken, but the worker does not live to hear of it.
      return sentTo('U2').length === 1 ? 'hangs' : undefined;
    };
    const { view } = await world.ask(PATIENT);
    await taken;
    await lookUntil(async () => (await notedOf(view.id)).length === 1, 'ana is not told');
    await world.stack.kill('worker', 'SIGKILL');
    const told = await lookUntil(async () => {
      const { timeline } = await world.operator.getSuspension(view.id);
      return timeline.find(({ kind }) => kind === 'delivered');
    }, 'bo is not told');
    assert.deepEqual([told.detail['tries'], told.detail['people']], [2, 2]);
    assert.deepEqual([sentTo('U1').length, sentTo('U2').length], [1, 2]);
    const noted = [
      ['ana', 'D1:1.000001'],
      ['bo', 'D2:1.000002'],
    ];
    assert.deepEqual(await notedOf(view.id), noted);

    // Whichever of his two messages bo presses, it counts, and the other one hears of it.
    const [first, second] = sentTo('U2').map((call) => buttonsIn(call)[0]);
    await press('U2', 't-1', first);
    const settled = await world.operator.waitForSuspension(view.id);
    assert.deepEqual([settled.record.response, settled.record.responded_by], ['approve', 'bo']);
    await press('U2', 't-2', second);
    const said = await slack.called('actions/T1/1/one', 2);
    assert.match(JSON.stringify(said.body['blocks']), /Already answered by bo/);
  });
});
