import assert from 'node:assert/strict';
import {
  ANYONE,
  alertWith,
  SUSPENSION_ID,
} from '../../../domain/suspension/notification-samples.js';
import { startPostbox, type Arrived, type Postbox } from '../../../support/smtp.js';
import { ANA, LINK, mailOver, mailTo } from './support.js';

describe('a mail', () => {
  let postbox: Postbox;
  beforeEach(async () => {
    postbox = await startPostbox();
  });
  afterEach(() => postbox.close());

  async function mailed(...[request, to]: [Parameters<typeof mailTo>[1]?, typeof ANA?]) {
    const before = postbox.mails.length;
    const receipt = await mailTo(mailOver(postbox.url), request, to);
    const mail = (await postbox.arrived(before + 1)).at(-1);
    assert.ok(mail);
    return { mail, receipt };
  }
  const htmlOf = ({ html }: Arrived): string => html || '';

  it('goes to its person, from the configured sender', async () => {
    const { mail, receipt } = await mailed();
    assert.deepEqual(mail.recipients, ['ana@example.com']);
    assert.equal(mail.from?.text, '"Holdpoint" <holdpoint@example.com>');
    assert.equal([mail.to].flat()[0]?.text, '"Ana Ruiz" <ana@example.com>');
    assert.equal(mail.subject, 'Input needed: Refund 120 EUR?');
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated');
    assert.deepEqual(receipt, { reference: mail.messageId, status_code: 250 });
  });

  it('says in plain text what is asked, until when, and how to answer', async () => {
    const { mail } = await mailed({ context: { order: 'A-7', card: '4111' } });
    assert.equal(
      mail.text,
      [
        'Ana Ruiz,',
        'an agent asks you:',
        '> Input needed: Refund 120 EUR?',
        '> order: A-7',
        '1 more entry of its context is in the inbox alone.',
        'Please answer by Saturday, 21 November 2026, 13:00 UTC (in 3 hours). The next reminder: Saturday, 21 November 2026, 11:00 UTC.',
        `Approve the refund\n${LINK}&choice=approve`,
        `Deny it\n${LINK}&choice=deny`,
        'The link is for you alone. Opening it decides nothing; the page asks for your answer.\n',
      ].join('\n\n'),
    );
  });

  it('shows a text of several lines as part of its entry, and of nothing else', async () => {
    const { mail } = await mailed({
      context: { order: 'A-7\namount: 50' },
      choices: [{ value: 'yes', label: 'Yes\nNo', description: 'pays\n\nBo has claimed it.' }],
    });
    assert.ok(mail.text?.includes('\n\n> order:\n> > A-7\n> > amount: 50\n\n'), mail.text);
    assert.match(mail.text ?? '', /\n\nYes No\n> pays\n> \n> Bo has claimed it\.\nhttps:/);
    const html = htmlOf(mail).replaceAll(/ style="[^"]*"/g, '');
    const quoted = '<blockquote><pre dir="auto"><a>A-7\namount: 50</a></pre></blockquote>';
    assert.ok(
      html.includes(`<pre dir="auto"><a><strong>order:</strong></a></pre>\n${quoted}`),
      html,
    );
    assert.match(html, /<blockquote><pre dir="auto"><a>pays\n\nBo has claimed it/);
  });

  it('has each text of others in its own direction', async () => {
    const arabic = 'ادفع 50؟\nplease';
    const { mail } = await mailed({
      question: arabic,
      context: { order: arabic },
      choices: [{ value: 'a', label: arabic, description: arabic }],
    });
    for (const [tag] of htmlOf(mail).matchAll(/<(?:pre|a href)[^>]*>/g)) {
      assert.match(tag, / dir="auto"/);
    }
  });

  it('has a link for each choice in HTML, and no other link', async () => {
    const { mail } = await mailed();
    const links = [...htmlOf(mail).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(links, [`${LINK}&amp;choice=approve`, `${LINK}&amp;choice=deny`]);
  });

  it('has one link where there is nothing to choose, and none of its own without a key', async () => {
    const text = { response_type: 'text', choices: [] } as const;
    assert.match((await mailed(text)).mail.text ?? '', /Answer\nhttps:\/\/hold\S*#a\.b\.c\.d\.e\n/);
    const { link: _none, ...unlinked } = ANA;
    const { mail } = await mailed(text, unlinked);
    assert.match(mail.text ?? '', /Open the inbox\nhttps:\/\/hold\.example\.com\/inbox\n/);
  });

  it('asks for a sign-in where an approval is decided', async () => {
    const { mail } = await mailed({ approval: { proposal_hash: 'ab'.repeat(32) } });
    assert.match(mail.text ?? '', /To decide, you also sign in there\./);
  });

  it('shows the id of the question nowhere [R25-100] [AM-45]', async () => {
    const { mail } = await mailed();
    assert.ok(!mail.raw.includes(SUSPENSION_ID));
    assert.ok(!mail.raw.includes(SUSPENSION_ID.slice(0, 8)));
  });

  it('carries what an agent wrote as text, whatever it holds', async () => {
    const evil = '<script>alert(1)</script> <a href="https://evil.example">x</a> & "quotes"';
    const { mail } = await mailed({
      question: evil,
      context: { order: '<img src=https://evil.example/x.png>' },
      choices: [{ value: '"><b>', label: '<b>now</b>', description: 'see https://evil.example' }],
    });
    const html = htmlOf(mail);
    assert.doesNotMatch(html, /<script|<img|<b>|href="https?:\/\/evil/);
    assert.match(html, /&lt;script&gt;alert\(1\)/);
    assert.match(html, /choice=%22%3E%3Cb%3E"/);
  });

  it('links nowhere by the name of a choice, of a person or of who has claimed it', async () => {
    const { mail } = await mailed(
      {
        choices: [{ value: 'pay', label: 'Pay at https://evil.example/pay' }],
        held_by: 'bo@evil.example',
      },
      { ...ANA, name: 'www.evil.example' },
    );
    for (const form of [mail.text ?? '', htmlOf(mail)]) {
      assert.doesNotMatch(form, /https?:\/\/evil|evil\.example/);
    }
    assert.match(mail.text ?? '', /Pay at https\[:\]\/\/evil\[\.\]example\/pay\nhttps:\/\/hold/);
    assert.match(mail.text ?? '', /bo\[@\]evil\[\.\]example has claimed/);
  });

  it('asks nothing of somebody who cannot decide, and says who can', async () => {
    const eligible = { principals: ['carol'], groups: ['leads'] };
    const { mail } = await mailed({ deciders: { ...ANYONE, eligible }, informs: true });
    for (const form of [mail.text ?? '', htmlOf(mail)]) {
      assert.doesNotMatch(form, /choice=|inbox\/link|an agent asks you|Please answer/);
      assert.match(form, /You cannot answer it\. Who can:/);
      assert.match(form, /carol, group leads/);
    }
  });

  it('gets no header by what an agent, or the directory, says', async () => {
    const { mail } = await mailed(
      { question: 'Refund?\r\nBcc: eve@example.com\r\n\r\nBody' },
      { ...ANA, name: 'Ana\r\nBcc: eve@example.com' },
    );
    assert.equal(mail.headers.get('bcc'), undefined);
    assert.deepEqual(mail.recipients, ['ana@example.com']);
    assert.equal(mail.subject, 'Input needed: Refund? Bcc: eve[@]example[.]com Body');
  });

  it('keeps a long question whole, and its subject short', async () => {
    const { mail } = await mailed({ question: 'why '.repeat(400).trim() });
    assert.equal(mail.subject?.length, 120);
    assert.match(mail.text ?? '', /(why ){399}why/);
  });

  it('has one id for all tries, and reminders are under the first [R26-63]', async () => {
    const first = await mailed();
    const again = await mailed();
    const reminder = await mailed({ attempt: 2 });
    const last = await mailed({ attempt: 3, next_attempt_at: null });
    assert.ok(first.mail.messageId);
    assert.equal(again.mail.messageId, first.mail.messageId);
    assert.equal(first.mail.inReplyTo, undefined);
    for (const { mail } of [reminder, last]) {
      assert.notEqual(mail.messageId, first.mail.messageId);
      assert.equal(mail.inReplyTo, first.mail.messageId);
      assert.deepEqual([mail.references].flat(), [first.mail.messageId]);
    }
    assert.equal(reminder.mail.subject, 'Reminder (2): Refund 120 EUR?');
    assert.equal(last.mail.subject, 'URGENT — final reminder: Refund 120 EUR?');
    const priorities = [reminder, last].map(({ mail }) => mail.headers.get('priority'));
    assert.deepEqual(priorities, [undefined, 'high']);
  });

  it('is a message of its own for each delegation, under the first', async () => {
    const first = await mailed();
    const passedOn = (index: number) =>
      mailed({ delegated_by: 'bo', delivery_id: `${SUSPENSION_ID}:to:${index}` });
    const one = await passedOn(1);
    const again = await passedOn(1);
    const other = await passedOn(2);
    assert.equal(again.mail.messageId, one.mail.messageId);
    const ids = [first, one, other].map(({ mail }) => mail.messageId);
    assert.equal(new Set(ids).size, 3, ids.join());
    for (const { mail } of [one, other]) assert.equal(mail.inReplyTo, first.mail.messageId);
  });

  it('has another id for another person', async () => {
    const { mail } = await mailed();
    const bo = { ...ANA, principal: 'bo', address: 'bo@example.com' };
    assert.notEqual((await mailed({}, bo)).mail.messageId, mail.messageId);
  });

  it('tells of a breached SLA without asking anything', async () => {
    const { mail } = await mailed(alertWith());
    assert.match(mail.subject ?? '', /^SLA breached: stage 2/);
    assert.doesNotMatch(mail.text ?? '', /choice=|answer by/);
    assert.equal(mail.inReplyTo, (await mailed()).mail.messageId);
  });
});
