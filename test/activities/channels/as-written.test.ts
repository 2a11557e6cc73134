import fc from 'fast-check';
import assert from 'node:assert/strict';
import LinkifyIt from 'linkify-it';
import { createRequire } from 'node:module';
import { contentOf, outcomeMail } from '../../../activities/channels/email/content.js';
import { neutralised } from '../../../activities/channels/email/words.js';
import { htmlForm, plainForm } from '../../../activities/channels/email/channel.js';
import { questionBlocks } from '../../../activities/channels/slack/blocks.js';
import { answerBlocks, outcomeBlocks } from '../../../activities/channels/slack/content.js';
import { isPlain } from '../../../activities/channels/slack/text.js';
import type { OutgoingMessage } from '../../../activities/channels/channel.js';
import { formView, privateReply } from '../../../api/slack/views.js';
import { visible, visibleLine } from '../../../contracts/constants/visible-text.js';
import type { OutgoingOutcome } from '../../../contracts/channel/follow-up.js';
import { redact } from '../../../domain/suspension/telling/redaction.js';
import { requestWith } from '../../domain/suspension/notification-samples.js';

const LINK = 'https://hold.example.com/inbox/link#a.b.c.d.e';
const TO = { principal: 'ana', name: 'Ana', address: 'ana@example.com', link: LINK };
const CONTEXT = { now: new Date('2026-11-21T10:00:00.000Z'), inbox: LINK };
const OWN = { context_keys: ['note'], personal_data_keys: [], e2e_encrypted: false };

/** What programs may make a link of, and what they leave alone. */
const ADDRESSES = [
  'https://evil.example/login?x=a.b&y#z',
  'HTTP://EVIL.COM',
  'www.evil.com',
  'evil.co.uk/path',
  'boss@evil.com',
  'main.py',
  'setup.sh && README.md',
  'ftp://10.0.0.1/x',
  '10.0.0.1:8080',
  'mailto:a@b.com',
  'tel:+4912345678',
  'root@localhost',
  'हिन्दी.com',
  'paypale\u0301.com',
  'i❤.ws',
  'x😀.com',
  'пример.рф',
  'xn--e1afmkfd.xn--p1ai',
  '//evil.com',
  'see:evil.dev,now',
  '(evil.io)',
  '\\\\server\\share',
  'facetime:bob',
  'FaceTime-audio:+4912345678',
  'x-apple.systempreferences:com',
  'zoommtg:join?confno=1',
  'ms-word:ofe|u|x',
  'sms:+4912345678',
  'web+evil:x',
  '[2001:db8::1]:80',
  '2001:db8::1',
  '2001:db8:0:1:1:1:1:1',
  '::ffff:10.0.0.1',
  'fe80::1',
];
const NO_ADDRESSES = [
  'prod.yaml',
  'v1.2.3',
  'kubectl apply -f a_b/prod.yaml',
  '1.50 EUR',
  'e.g. 10:30',
  '2026-11-20T10:05:00Z',
  'std::string x',
  'C:\\temp',
  '00:1a:2b:3c:4d:5e',
  'note: fine',
  '1:2::3x',
];

const piece = fc.oneof(
  fc.constantFrom(...ADDRESSES, ...NO_ADDRESSES),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '\n',
    '  ',
    '\t',
    '\r\n',
    '\n\n  - ',
    '*b* _i_ `c` ~s~',
    '<@U1> <!here>',
    '&#49;00 &lt;',
    '🚀\ufe0f',
    '\u202e',
    '\u2060',
  ),
);
const texts = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => `x${parts.join(' ')}`);

/** The strictest finder of addresses that mail programs have something like: with every ending that a host can have. */
const finder = new LinkifyIt({ fuzzyIP: true, fuzzyLink: true, fuzzyEmail: true })
  .tlds([...(createRequire(import.meta.url)('tlds') as string[]), 'example', 'localhost'])
  .add('tel:', { validate: (text, at) => /^\+?\d+/.exec(text.slice(at))?.[0].length ?? 0 });

function assertNoLinks(text: string): void {
  const found = finder.match(text)?.map(({ text: link }) => link) ?? [];
  assert.deepEqual(found, [], JSON.stringify(text));
  // What names a program, whichever it is, and an address of the newer internet.
  const named = /\b[a-z][a-z\d+.-]+:[^\s:]|(?<![\w:])[\da-f]{1,4}(?::[\da-f]{1,4})*::(?![\w:])/i;
  assert.doesNotMatch(text, named);
}

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  amp: '&',
};
/** What a browser shows, and copies, of a part of our HTML. */
function textOf(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(/&([^&;]+);/g, (whole, name: string) => NAMED[name] ?? whole);
}

function messageWith(text: string): OutgoingMessage {
  const choices = [{ value: 'a', label: text, description: text }];
  return {
    ...redact(requestWith({ choices, context: { note: text } }), OWN),
    text,
    held_by: 'bo@evil.com',
  };
}

const ENDED = { kind: 'settled', outcome: 'answered', at: '2026-01-04T09:05:59.000Z' } as const;
const endedWith = (text: string): OutgoingOutcome => ({
  ...ENDED,
  question: text,
  by: text,
  choice_label: text,
});

describe('a mail as its program shows it', () => {
  const mailsWith = (text: string) => [
    contentOf(messageWith(text), TO, CONTEXT),
    outcomeMail(endedWith(text), TO),
  ];

  it('is copied as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [mail, outcome] = mailsWith(text).map(htmlForm) as [string, string];
        const shown = (html: string) =>
          [...html.matchAll(/<pre [^>]*>([^]*?)<\/pre>/g)].map(([, inner = '']) => textOf(inner));
        const own = visible(text);
        const note = own.includes('\n') ? ['note:', own] : [`note: ${own}`];
        assert.deepEqual(shown(mail), [own, ...note, own]);
        assert.deepEqual(shown(outcome), [visible(text)]);
        const [, label = ''] = /<a href[^>]*>([^]*?)<\/a>/.exec(mail) ?? [];
        assert.equal(textOf(label), visibleLine(text));
      }),
    );
  });

  it('has no address of a caller in a piece of text outside of an anchor, nor in its subject and plain form', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const mail of mailsWith(text)) {
          const outside = htmlForm(mail).replace(/<style[^]*?<\/style>/g, '');
          for (const node of outside.replace(/<a [^]*?<\/a>/g, '\n').split(/<[^<>]*>/))
            assertNoLinks(textOf(node));
          for (const [, inner = ''] of outside.matchAll(/<a style[^>]*>([^]*?)<\/a>/g)) {
            for (const node of inner.split(/<[^<>]*>/))
              assertNoLinks(textOf(node).replace(/\n/g, ' '));
          }
          assertNoLinks(mail.subject);
          assertNoLinks(plainForm(mail).replaceAll(/^https:\/\/hold\.example\.com\/.*$/gm, ''));
        }
      }),
    );
  });

  it('adds nothing that is not seen', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const mail of mailsWith(text)) {
          for (const form of [mail.subject, plainForm(mail), htmlForm(mail)]) {
            assert.doesNotMatch(form, /[\u200b\u2060\u00ad\ufeff]/);
          }
        }
      }),
    );
  });

  for (const text of NO_ADDRESSES) {
    it(`has ${text} as it is in every form, and says nothing of brackets`, () => {
      const mail = contentOf({ ...messageWith(text), held_by: 'bo' }, TO, CONTEXT);
      assert.equal(mail.subject, text);
      assert.ok(plainForm(mail).includes(`> ${text}\n`));
      assert.doesNotMatch(plainForm(mail), /brackets/);
    });
  }

  for (const text of ADDRESSES) {
    it(`puts what makes an address of ${text} into brackets in its plain form, and says so`, () => {
      const mail = contentOf(messageWith(text), TO, CONTEXT);
      assert.notEqual(neutralised(text), text);
      assert.ok(plainForm(mail).includes(`> ${neutralised(text)}\n`));
      assert.match(plainForm(mail), /brackets stand around dots/);
      assert.equal(neutralised(text).replace(/\[([.:@]|\\\\)\]/g, '$1'), text);
    });
  }
});

interface Text {
  readonly type: string;
  readonly text: string;
  readonly verbatim?: boolean;
}

/** Every text of blocks, in their order. */
function textsIn(blocks: unknown): readonly Text[] {
  if (Array.isArray(blocks)) return blocks.flatMap(textsIn);
  if (typeof blocks !== 'object' || blocks === null) return [];
  const { type, text } = blocks as Partial<Text>;
  const own = typeof text === 'string' && /^(?:plain_text|mrkdwn)$/.test(type ?? '');
  return own ? [blocks as Text] : Object.values(blocks).flatMap(textsIn);
}

/** A text under its name: quoted where it has several lines. */
function noted(name: string, text: string): string {
  const own = visible(text);
  return own.includes('\n') ? `${name}:\n${own.replace(/^/gm, '> ')}` : `${name}: ${own}`;
}

describe('an entry of a context', () => {
  const all = { context_keys: [], personal_data_keys: [], e2e_encrypted: true };
  const context = {
    note: 'fine\namount: 50',
    '  amount': 60,
    '> amount': 70,
    'amount\n': 80,
    sum: { of: 'a\nb' },
    amount: 5_000,
  };
  const message = { ...redact(requestWith({ context }), all), text: 'Pay?' };
  const own = [
    'note:',
    '> fine',
    '> amount: 50',
    '"  amount": 60',
    '"> amount": 70',
    '"amount\\n": 80',
    'sum: {"of":"a\\nb"}',
    'amount: 5000',
  ];

  it('cannot be forged by a line or a name in a mail', () => {
    const mail = contentOf(message, TO, CONTEXT);
    assert.ok(plainForm(mail).includes(`\n\n${own.map((line) => `> ${line}`).join('\n')}\n\n`));
    const html = htmlForm(mail);
    const bold = [...html.matchAll(/<strong>([^]*?):<\/strong>/g)].map(([, name = '']) =>
      textOf(name),
    );
    assert.deepEqual(
      bold,
      Object.keys(context).map((name) => (/^\w+$/.test(name) ? name : JSON.stringify(name))),
    );
    const inner = /<blockquote[^>]*><pre[^>]*>((?:(?!<pre)[^])*)<\/pre><\/blockquote>/g;
    const quotes = [...html.matchAll(inner)].map(([, text = '']) => textOf(text));
    assert.deepEqual(quotes, ['Pay?', context.note]);
  });

  it('cannot be forged by a line or a name in Slack', () => {
    const extras = { mentions: [], proposal: undefined, answers: [] };
    const shown = JSON.stringify(questionBlocks(message, extras).blocks);
    assert.ok(shown.includes(JSON.stringify(own.join('\n'))), shown);
  });

  it('cannot be forged by what a choice is said to be', () => {
    const choices = [{ value: 'a', label: 'Keep', description: 'is kept\nDrop: is kept too' }];
    const extras = { mentions: [], proposal: undefined, answers: [] };
    const shown = JSON.stringify(questionBlocks({ ...message, choices }, extras).blocks);
    assert.ok(shown.includes(JSON.stringify('Keep:\n> is kept\n> Drop: is kept too')), shown);
  });
});

describe('a message in Slack as it is shown', () => {
  const extras = { mentions: ['U1'], proposal: undefined };
  const making = { token: () => Promise.resolve('token'), page: LINK, decides: false };

  it('is copied as it was written, and only plain texts hold what a caller wrote', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const message = messageWith(text);
        const answers = await answerBlocks(message, making);
        const { blocks, text: summary } = questionBlocks(message, { ...extras, answers });
        const all = textsIn(blocks);
        const sections = (blocks as { type: string; text?: Text }[]).filter(
          ({ type }) => type === 'section',
        );
        const shown = sections.map((block) => block.text?.text ?? '').join('\n');
        for (const part of [visible(text), noted('note', text), noted(visibleLine(text), text)])
          assert.ok(shown.includes(part), part);
        const outcome = outcomeBlocks(endedWith(text));
        for (const one of [...all, ...textsIn(outcome.blocks)]) {
          if (one.type === 'plain_text') continue;
          assert.equal(one.verbatim, true);
          const own = isPlain(text)
            ? one.text.replace(` by ${text}`, '').replace(`: *${text}*`, '')
            : one.text;
          assert.match(
            own,
            /^(?:<@U1>|answer by <!date[^>]*> · attempt 1 of 3 · next reminder <!date[^>]*>|\*Answered\* <!date[^>]*>)$/,
          );
        }
        assert.doesNotMatch(JSON.stringify([blocks, outcome]), /[\u200b\u2060\u00ad\ufeff]/);
        for (const title of [summary, outcome.text])
          assertNoLinks(title.replaceAll(/<[^<>]*>/g, ''));
      }),
    );
  });

  it('is shown in plain text alone where a form asks, or a reply tells', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const form = textsIn(formView({ token: 't', question: text, fields: [], choice: text }));
        assert.deepEqual(new Set(form.map(({ type }) => type)), new Set(['plain_text']));
        assert.ok(form.some((one) => one.text === visible(text)));
        const reply = privateReply({ text }, {});
        assert.deepEqual(
          textsIn(reply['blocks']).map((one) => one.text),
          [visible(text)],
        );
        assertNoLinks(reply['text'] as string);
      }),
    );
  });
});
