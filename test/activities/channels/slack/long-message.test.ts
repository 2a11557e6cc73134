import assert from 'node:assert/strict';
import type { OutgoingOutcome } from '../../../../contracts/channel/follow-up.js';
import type { NotificationRequest } from '../../../../contracts/channel/notification.js';
import { SUSPENSION_ID } from '../../../domain/suspension/notification-samples.js';
import { startSlack, type FakeSlack } from '../../../support/slack.js';
import { NOW, channelOver, slackOver, slackTo } from './support.js';

interface Block {
  readonly text?: { readonly text: string };
  readonly elements?: readonly { readonly text: unknown }[];
}

const CUT = /Not all of it fits into this message: the rest is in the inbox\./;
const DECIDED = { kind: 'settled', outcome: 'answered', by: 'bo' } as const;
const AT = new Date(NOW).toISOString();

function approving(characters: number): Pick<NotificationRequest, 'approval'> {
  const calls = [{ id: 'c1', tool: 'pay', arguments: { note: `${'x'.repeat(characters)}end` } }];
  return { approval: { proposal_hash: 'ab'.repeat(32), whole: { calls, visible_context: {} } } };
}

describe('a long message in Slack', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  /** The texts of the message that Slack took, and the labels of its buttons. */
  async function sent(request: Partial<NotificationRequest>) {
    await slackTo(slackOver(slack.apiUrl), request);
    return shownIn('chat.postMessage');
  }

  function shownIn(method: string) {
    const [call, ...others] = slack.of(method);
    assert.deepEqual(others, []);
    const blocks = call?.body['blocks'] as readonly Block[];
    const elements = blocks.flatMap((block) => block.elements ?? []).map(({ text }) => text);
    return {
      texts: blocks.flatMap(({ text }) => text?.text ?? []).join('\n'),
      small: elements.filter((text) => typeof text === 'string').join('\n'),
      buttons: elements.flatMap((text) => (text as { text?: string }).text ?? []),
    };
  }

  it('asks its whole question, and cuts context and descriptions to what is left', async () => {
    const question = `${'q'.repeat(1_900)}?`;
    const choices = ['a', 'b'].map((value) => ({
      value,
      label: value,
      description: `${'d'.repeat(7_000)}${value}`,
    }));
    const context = { order: 'o'.repeat(30_000) };
    const { texts, small, buttons } = await sent({ question, context, choices });
    assert.ok(texts.includes(question));
    assert.match(texts.replaceAll('\n', ''), /order: o{3500,}…a: d{3500,}…/);
    assert.match(small, CUT);
    assert.deepEqual(buttons, ['a', 'b', 'Open']);
  });

  it('leaves to descriptions what the context does not need, and says nothing of what fits', async () => {
    const choices = [{ value: 'a', label: 'a', description: `${'d'.repeat(9_000)}end` }];
    const { texts, small } = await sent({ context: { order: 'A-7' }, choices });
    assert.match(texts.replaceAll('\n', ''), /order: A-7.*d{9000}end$/);
    assert.doesNotMatch(small, CUT);
  });

  it('shows the proposal of an approval before everything else, and is decided there', async () => {
    const context = { order: 'o'.repeat(30_000) };
    const { texts, small, buttons } = await sent({ context, ...approving(5_900) });
    assert.match(texts.replaceAll('\n', ''), /o…\*To be approved, in full:\*1\. pay.*x{5900}end/);
    assert.match(small, CUT);
    assert.deepEqual(buttons, ['Approve the refund', 'Deny it', 'Open']);
  });

  it('is decided in the inbox where its proposal does not fit beside the question', async () => {
    const question = `${'q'.repeat(1_990)}?`;
    const { texts, small, buttons } = await sent({ question, ...approving(7_900) });
    assert.ok(texts.includes(question));
    assert.doesNotMatch(texts, /in full|xxx/);
    assert.match(small, /The whole proposal is in the inbox: decide it there\./);
    assert.deepEqual(buttons, ['Decide']);
  });

  it('numbers the buttons that cut a label, and says above them what it is in full', async () => {
    const alike = 'Pay the invoice of November '.repeat(4);
    const choices = ['to Ana', 'Deny', 'to Bo'].map((end) => ({
      value: end,
      label: end === 'Deny' ? end : `${alike}${end}`,
      style: 'danger' as const,
    }));
    const { texts, buttons } = await sent({ choices });
    assert.ok(texts.endsWith(`\n1. ${alike}to Ana\n3. ${alike}to Bo`), texts);
    assert.deepEqual(
      buttons.map((label) => [label.slice(0, 10), label.length]),
      [
        ['1. Pay the', 75],
        ['Deny', 4],
        ['3. Pay the', 75],
        ['Open', 4],
      ],
    );
  });

  it('has no buttons whose labels it cannot say in full', async () => {
    const choices = ['a', 'b'].map((value) => ({ value, label: `${'x'.repeat(1_990)}${value}` }));
    assert.deepEqual((await sent({ choices })).buttons, ['Choose', 'Open']);
  });

  for (const [what, characters, said] of [
    ['all that was decided on', 7_000, /in full:\*\n1\. pay/],
    ['where it is, if it does not fit', 9_900, /^q{1990}\?\n\*Answered\* by bo <!date/],
  ] as const) {
    it(`says in the end ${what}`, async () => {
      const question = `${'q'.repeat(1_990)}?`;
      const outcome: OutgoingOutcome = { ...DECIDED, at: AT, question, ...approving(characters) };
      await channelOver(slackOver(slack.apiUrl)).update(
        {
          delivery_id: `${SUSPENSION_ID}:1`,
          suspension_id: SUSPENSION_ID,
          channel: 'chat',
          reference: 'D1:1.000001',
          person: 'ana',
          shows: 1,
        },
        outcome,
        { idempotencyKey: 'k', signal: new AbortController().signal },
      );
      assert.match(shownIn('chat.update').texts, said);
    });
  }
});
