import assert from 'node:assert/strict';
import type { ProposalToShow } from '../../../../contracts/channel/notification.js';
import { SIGNING_SECRET, startSlack, type FakeSlack } from '../../../support/slack.js';
import { openButton, slackOver, slackTo } from './support.js';

interface Button {
  readonly text: { readonly text: string };
  readonly value?: string;
  readonly confirm?: { readonly title: { readonly text: string } };
}
interface Block {
  readonly type: string;
  readonly text?: { readonly type: string; readonly text: string };
  readonly elements?: readonly Button[];
}

const HASH = 'ab'.repeat(32);
const CALL = { id: 'c1', tool: 'pay', arguments: { amount: 10_000, to: 'Eve' } };

function asking(
  calls: NonNullable<ProposalToShow['whole']>['calls'],
  visible_context = {},
): ProposalToShow {
  return { proposal_hash: HASH, whole: { calls, visible_context } };
}

describe('an approval in Slack', () => {
  let slack: FakeSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  type More = Parameters<typeof slackTo>;
  async function sent(request: More[1], changes = {}, rules: More[4] = {}) {
    const { signal } = new AbortController();
    await slackTo(slackOver(slack.apiUrl, changes), request, {}, signal, rules);
    const blocks = slack.of('chat.postMessage').at(-1)?.body['blocks'] as readonly Block[];
    const actions = blocks.filter(({ type }) => type === 'actions');
    return {
      texts: blocks.flatMap(({ text }) => text ?? []),
      buttons: actions.flatMap(({ elements = [] }) => elements),
    };
  }
  const labelsOf = (buttons: readonly Button[]) => buttons.map(({ text }) => text.text);

  it('is decided by its hash where the message shows all its calls, and asks once more', async () => {
    const calls = [CALL, { ...CALL, id: 'c2', tool: 'mail', arguments: { to: 'Bo' } }];
    const { texts, buttons } = await sent({ approval: asking(calls, { why: 'Due' }) });
    assert.deepEqual(labelsOf(buttons), ['Approve the refund', 'Deny it', 'Open']);
    const [approve] = buttons;
    assert.equal(approve?.confirm?.title.text, 'Approve the refund');
    const content = await openButton(approve.value ?? '');
    assert.deepEqual([content?.proposal_hash, content?.choice], [HASH, 0]);
    const shown = texts.find(({ text }) => text.startsWith('1. pay'));
    assert.equal(shown?.type, 'plain_text');
    assert.match(shown.text, /"amount": 10000/);
    assert.match(shown.text, /"to": "Eve"[^]*2\. mail[^]*"to": "Bo"[^]*Context: [^]*"why": "Due"/);
  });

  const long = { ...CALL, arguments: { note: 'x'.repeat(12_001) } };
  for (const [what, request, rules] of [
    ['may not leave', { approval: asking([CALL]) }, { context_keys: ['order'] }],
    [
      'may leave without what is visible beside it',
      { approval: asking([CALL], { why: 'Due' }) },
      { context_keys: ['tool_call'] },
    ],
    ['is masked', { approval: asking([{ ...CALL, arguments: { to: { IBAN: 'DE1' } } }]) }, {}],
    ['is too long', { approval: asking([long]) }, {}],
    ['is left out', { approval: { proposal_hash: HASH } }, {}],
    [
      'turns the order of its characters',
      { approval: asking([{ ...CALL, arguments: { to: '\u202Eevil' } }]) },
      {},
    ],
    ['has a question that is cut', { approval: asking([CALL]), question: 'x'.repeat(12_001) }, {}],
  ] as const satisfies readonly (readonly [string, More[1], More[4]])[]) {
    it(`leads to the inbox where its proposal ${what}`, async () => {
      const question = 'Pay 10 EUR to Bo?';
      const context = { tool_call: { tool: 'pay', arguments: { amount: 10 } } };
      const { buttons } = await sent({ question, context, ...request }, {}, rules);
      assert.deepEqual(labelsOf(buttons), ['Decide']);
      assert.equal((await openButton(buttons[0]?.value ?? ''))?.choice, undefined);
    });
  }

  it('asks for a sign-in if the settings say so', async () => {
    const answers = { signing_secret: SIGNING_SECRET, approvals: false };
    const { buttons } = await sent({ approval: asking([CALL]) }, { answers });
    assert.deepEqual(labelsOf(buttons), ['Decide']);
  });

  it('is not what a question takes itself for by its context', async () => {
    const { buttons } = await sent({ context: { proposal_hash: HASH } });
    assert.deepEqual(labelsOf(buttons), ['Approve the refund', 'Deny it', 'Open']);
    assert.equal(buttons[0]?.confirm, undefined);
    assert.equal((await openButton(buttons[0]?.value ?? ''))?.proposal_hash, undefined);
  });
});
