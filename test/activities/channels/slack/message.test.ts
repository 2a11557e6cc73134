import assert from 'node:assert/strict';
import type { ProposalToShow } from '../../../../contracts/channel/notification.js';
import { redact } from '../../../../domain/suspension/telling/redaction.js';
import {
  ANYONE,
  SUSPENSION_ID,
  alertWith,
  requestWith,
} from '../../../domain/suspension/notification-samples.js';
import { BOT_TOKEN, startSlack, type FakeSlack, type SlackCall } from '../../../support/slack.js';
import { INBOX, LINK, NOW, channelOver, openButton, slackOver, slackTo } from './support.js';

interface Block {
  readonly type: string;
  readonly text?: { readonly type: string; readonly text: string };
  readonly elements?: readonly Element[];
}
interface Element {
  readonly action_id: string;
  readonly text: { readonly type: string; readonly text: string };
  readonly value?: string;
  readonly url?: string;
  readonly style?: string;
  readonly confirm?: { readonly title: { readonly text: string } };
}

describe('a message in Slack', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  async function sent(...[request, changes, around]: Sent) {
    const receipt = await slackTo(slackOver(slack.apiUrl, changes), request, around);
    return { call: slack.of('chat.postMessage').at(-1) as SlackCall, receipt };
  }
  type Sent = [
    Parameters<typeof slackTo>[1]?,
    Parameters<typeof slackOver>[1]?,
    Parameters<typeof slackTo>[2]?,
  ];
  const blocksOf = ({ body }: SlackCall) => body['blocks'] as readonly Block[];
  const textsOf = (call: SlackCall) => blocksOf(call).flatMap(({ text }) => text?.text ?? []);
  const buttonsOf = (call: SlackCall) =>
    blocksOf(call)
      .filter(({ type }) => type === 'actions')
      .flatMap(({ elements = [] }) => elements);

  const smallIn = async (request: Sent[0]) => {
    const { call } = await sent(request);
    return JSON.stringify(blocksOf(call).filter(({ type }) => type === 'context'));
  };

  it('goes to the person, from the bot', async () => {
    const { call, receipt } = await sent();
    assert.equal(call.authorization, `Bearer ${BOT_TOKEN}`);
    assert.equal(call.body['channel'], 'U1');
    assert.deepEqual(receipt, { reference: 'D1:1.000001', status_code: 200 });
  });

  it('says what is asked, until when, and which attempt it is', async () => {
    const { call } = await sent({ context: { order: 'A-7', card: '4111' } });
    assert.deepEqual(textsOf(call), ['Input needed: Refund 120 EUR?', 'order: A-7']);
    const facts = JSON.stringify(blocksOf(call).find(({ type }) => type === 'context'));
    const until = Math.floor(Date.parse('2026-11-21T13:00:00.000Z') / 1_000);
    assert.ok(facts.includes(`answer by <!date^${until}^{date_short_pretty} {time}|`), facts);
    assert.match(facts, /attempt 1 of 3 · next reminder <!date.*1 more entry of its context is in/);
  });

  it('shows the risk of an approval alone, and as it is written', async () => {
    const approval = { proposal_hash: 'ab'.repeat(32) };
    const context = { risk_class: '<!here> *x*' };
    assert.match(await smallIn({ context, approval }), /"plain_text","text":"risk: <!here> \*x\*"/);
    assert.doesNotMatch(await smallIn({ context }), /risk/);
  });

  it('says who has claimed it, as the name is written', async () => {
    assert.match(
      await smallIn({ held_by: 'bo <@U9>' }),
      /"plain_text","text":"claimed by bo <@U9>"/,
    );
    assert.doesNotMatch(await smallIn({}), /claimed/);
  });

  it('has no buttons for somebody who cannot decide, and says who can, as the names are written', async () => {
    const eligible = { principals: ['<!channel>', 'carol'], groups: ['leads'] };
    const { call } = await sent({ deciders: { ...ANYONE, eligible }, informs: true });
    assert.deepEqual(buttonsOf(call), []);
    assert.match(
      JSON.stringify(blocksOf(call)),
      /"You cannot answer it\. Who can:".*"plain_text","text":"<!channel>, carol, group leads"/,
    );
  });

  it('has a button for each choice, in its style, and one to the page', async () => {
    const { call } = await sent({
      choices: [
        { value: 'approve', label: 'Approve', style: 'primary' },
        { value: 'deny', label: 'Deny', style: 'danger' },
        { value: 'later', label: 'Later', style: 'default' },
      ],
    });
    assert.deepEqual(
      buttonsOf(call).map(({ text, style, confirm, url }) => [
        text.text,
        style,
        confirm?.title.text,
        url,
      ]),
      [
        ['Approve', 'primary', undefined, undefined],
        ['Deny', 'danger', 'Deny', undefined],
        ['Later', undefined, undefined, undefined],
        ['Open', undefined, undefined, LINK],
      ],
    );
  });

  it('has opaque buttons, and shows the id of the question nowhere [R25-100] [AM-45]', async () => {
    const { call } = await sent();
    const raw = JSON.stringify(call.body);
    assert.ok(!raw.includes(SUSPENSION_ID) && !raw.includes(SUSPENSION_ID.slice(0, 8)));
    assert.ok(!raw.includes('"approve"'));
    const [approve, deny] = buttonsOf(call);
    const content = {
      space: 'default',
      channel: 'chat',
      suspension_id: SUSPENSION_ID,
      question_version: 1,
    };
    assert.deepEqual(await openButton(approve?.value ?? ''), { ...content, choice: 0 });
    assert.deepEqual(await openButton(deny?.value ?? ''), { ...content, choice: 1 });
    assert.ok(buttonsOf(call).every(({ value = '' }) => value.length <= 2_000));
  });

  it('asks for a form where there is a text to write, or too much to choose from', async () => {
    const text = (await sent({ response_type: 'text', choices: [] })).call;
    assert.deepEqual(
      buttonsOf(text).map((button) => button.text.text),
      ['Answer', 'Open'],
    );
    const choices = Array.from({ length: 11 }, (_, i) => ({ value: `${i}`, label: `${i}` }));
    const many = (await sent({ choices })).call;
    assert.deepEqual(
      buttonsOf(many).map((button) => button.text.text),
      ['Choose', 'Open'],
    );
    const { choice } = (await openButton(buttonsOf(many)[0]?.value ?? '')) ?? {};
    assert.equal(choice, undefined);
  });

  it('neutralises what an agent wrote: mentions, links and markup', async () => {
    const evil = '<!channel> <@U9> <https://evil.example|safe> *bold* & https://evil.example @here';
    const { call } = await sent({
      question: evil,
      context: { order: evil, risk_class: '<!here> *x*' },
      choices: [{ value: 'a', label: evil.repeat(3), description: evil, style: 'danger' }],
    });
    const { text } = call.body as { text: string };
    assert.doesNotMatch(text, /[<>]|https:\/\/|(^|\s)\*bold/);
    for (const block of blocksOf(call)) {
      if (block.type === 'section') assert.equal(block.text?.type, 'plain_text');
    }
    const facts = JSON.stringify(blocksOf(call).filter(({ type }) => type === 'context'));
    assert.doesNotMatch(facts, /<!here>/);
    assert.equal(call.body['unfurl_links'], 'false');
    assert.ok(buttonsOf(call).every((button) => button.text.text.length <= 75));
  });

  it('keeps to the lengths that Slack takes', async () => {
    const { call } = await sent({ question: `${'😀'.repeat(9_000)}end` });
    assert.ok(
      textsOf(call).every((text) => text.length <= 3_000 && !/[\uD800-\uDBFF]$/.test(text)),
    );
    assert.equal(textsOf(call).length, 4);
    assert.match(textsOf(call).at(-1) ?? '', /…$/);
  });

  it('goes to the conversation, and mentions whom it names', async () => {
    const { call } = await sent({ notify_to: 'finance' }, { conversation: 'C42' });
    assert.equal(call.body['channel'], 'C42');
    assert.equal(textsOf(call)[0], '<@U1> <@U2>');
    assert.match(String(call.body['text']), /^<@U1> <@U2> Input needed/);
    assert.equal(buttonsOf(call).at(-1)?.url, INBOX);
    const other = await sent({ notify_to: '<!channel>' }, { conversation: 'C42' });
    assert.doesNotMatch(JSON.stringify(other.call.body), /<!channel>|<@/);
  });

  it('goes to a member of another workspace by nobody who only has the same id', async () => {
    slack.answer = ({ method }) =>
      method === 'auth.test' ? { body: { ok: true, team_id: 'T1' } } : undefined;
    const channel = channelOver(slackOver(slack.apiUrl));
    const to = { principal: 'ana', name: 'Ana', address: 'T1/U1', link: LINK };
    const send = (address: string) =>
      channel.deliver(
        redact(requestWith(), { context_keys: [], personal_data_keys: [], e2e_encrypted: false }),
        { idempotencyKey: 'k', signal: new AbortController().signal, to: { ...to, address } },
      );
    await send('T1/U1');
    assert.equal(slack.of('chat.postMessage').at(-1)?.body['channel'], 'U1');
    await assert.rejects(send('T2/U1'), /another workspace/);
    assert.equal(slack.of('chat.postMessage').length, 1);
    const people = ['T1/U1', 'T2/U2', 'U3'].map((slack) => ({
      principal: slack,
      slack,
      space: 'default',
      answers_by_link: true,
    }));
    await channelOver(slackOver(slack.apiUrl, { conversation: 'C42' })).deliver(
      redact(requestWith(), { context_keys: [], personal_data_keys: [], e2e_encrypted: false }),
      { idempotencyKey: 'k', signal: new AbortController().signal, addressed: people },
    );
    const call = slack.of('chat.postMessage').at(-1);
    assert.ok(call);
    assert.equal(textsOf(call)[0], '<@U1> <@U3>');
  });

  it('goes under the first message when it reminds, and shows in full when it is the last', async () => {
    const asked: unknown[] = [];
    const firstReference = (of: unknown) => {
      asked.push(of);
      return Promise.resolve('D1:1.000001');
    };
    const second = (await sent({ attempt: 2 }, {}, { firstReference })).call;
    assert.deepEqual(
      [second.body['channel'], second.body['thread_ts'], second.body['reply_broadcast']],
      ['D1', '1.000001', undefined],
    );
    const last = (await sent({ attempt: 3 }, {}, { firstReference })).call;
    assert.deepEqual([last.body['thread_ts'], last.body['reply_broadcast']], ['1.000001', 'true']);
    assert.deepEqual(asked[0], {
      space: 'default',
      suspension_id: SUSPENSION_ID,
      attempt: 2,
      channel: 'chat',
      person: 'ana',
    });
    const alone = (await sent({ attempt: 2 })).call;
    assert.deepEqual([alone.body['channel'], alone.body['thread_ts']], ['U1', undefined]);
  });

  it('has nothing to press in an alert, and none without keys for tokens', async () => {
    const alert = (await sent(alertWith())).call;
    assert.deepEqual(
      buttonsOf(alert).map(({ url }) => url),
      [LINK],
    );
    const keyless = (await sent({}, {}, { button: undefined })).call;
    const unanswered = (await sent({}, { answers: undefined })).call;
    for (const call of [keyless, unanswered]) {
      assert.deepEqual(
        buttonsOf(call).map(({ url }) => url),
        [LINK],
      );
    }
  });

  it('loses its buttons once its question is over, and says who answered', async () => {
    const channel = channelOver(slackOver(slack.apiUrl));
    const about = {
      delivery_id: `${SUSPENSION_ID}:1`,
      suspension_id: SUSPENSION_ID,
      channel: 'chat',
      reference: 'D1:1.000001',
      person: 'ana',
      shows: 1,
    };
    const options = { idempotencyKey: 'k', signal: new AbortController().signal };
    const over = {
      kind: 'settled',
      question: 'Refund <!here>?',
      at: new Date(NOW).toISOString(),
    } as const;
    for (const [outcome, said] of [
      [
        { ...over, outcome: 'answered', by: 'bo <@U9>', choice_label: 'Deny *it*' },
        /^by bo <@U9>: Deny \*it\*$/,
      ],
      [{ ...over, outcome: 'expired' }, /^\*Expired\* <!date/],
      [{ ...over, outcome: 'withdrawn' }, /^\*Withdrawn\* <!date/],
    ] as const) {
      await channel.update(about, outcome, options);
      const call = slack.of('chat.update').at(-1) as SlackCall;
      assert.deepEqual([call.body['channel'], call.body['ts']], ['D1', '1.000001']);
      assert.deepEqual(buttonsOf(call), []);
      assert.match(textsOf(call).at(-1) ?? '', said);
    }
    await channel.update({ ...about, reference: null }, { ...over, outcome: 'expired' }, options);
    assert.equal(slack.of('chat.update').length, 3);
  });

  it('shows what was decided on, which may be another version than it showed', async () => {
    const channel = channelOver(slackOver(slack.apiUrl));
    const [delivery_id, reference] = [`${SUSPENSION_ID}:1`, 'D1:1.000001'];
    const sent = { delivery_id, suspension_id: SUSPENSION_ID, channel: 'chat', reference };
    const decided = { kind: 'settled', outcome: 'answered', question: 'Wire?' } as const;
    const at = new Date(NOW).toISOString();
    const shown = async (approval: ProposalToShow) => {
      const outcome = { ...decided, at, by: 'bo', approval };
      const options = { idempotencyKey: 'k', signal: new AbortController().signal };
      await channel.update({ ...sent, person: 'ana', shows: 1 }, outcome, options);
      return JSON.stringify(slack.of('chat.update').at(-1)?.body['blocks']);
    };
    const proposal_hash = 'ab'.repeat(32);
    const calls = [{ id: 'c1', tool: 'wire', arguments: { to: 'Eve <!here>' } }];
    const whole = await shown({ proposal_hash, whole: { calls, visible_context: {} } });
    assert.match(whole, /"mrkdwn","text":"\*Decided on, in full:\*"/);
    assert.match(whole, /"plain_text","text":"1\. wire[^"]*\\"to\\": \\"Eve <!here>/);
    const withheld = await shown({ proposal_hash });
    assert.match(withheld, /What was decided on is in the inbox\./);
    assert.doesNotMatch(withheld, /in full/);
  });
});
