import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { htmlForm, plainForm } from '../../../activities/channels/email/channel.js';
import { outcomeMail } from '../../../activities/channels/email/content.js';
import { briefOutcome, outcomeBlocks } from '../../../activities/channels/slack/content.js';
import type { OutgoingOutcome } from '../../../contracts/channel/follow-up.js';

const ANA = { principal: 'ana', name: 'Ana', address: 'ana@example.com' };
const call = (id: string, amount: number) => ({ id, tool: 'wire', arguments: { amount } });
const ENDED: OutgoingOutcome = {
  kind: 'settled',
  outcome: 'answered',
  question: 'Wire 5000?',
  at: '2026-01-04T09:05:59.000Z',
  by: 'bo',
  choice_label: 'Approve',
};
const EDITED: OutgoingOutcome = {
  ...ENDED,
  approval: {
    proposal_hash: 'ab'.repeat(32),
    whole: { calls: [call('c1', 50)], visible_context: {} },
  },
  edited: { version: 2, calls: [{ tool: 'wire', before: { amount: 5_000 } }] },
};

/** An outcome in each form in which people read it. */
function formsOf(outcome: OutgoingOutcome): readonly string[] {
  const mail = outcomeMail(outcome, ANA);
  const inHtml = htmlForm(mail)
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&quot;', '"');
  const texts: string[] = [];
  JSON.stringify(outcomeBlocks(outcome).blocks, (key, value: unknown) => {
    if (key === 'text' && typeof value === 'string') texts.push(value);
    return value;
  });
  return [plainForm(mail).replaceAll(/^> /gm, ''), inHtml, texts.join('\n')];
}

describe('the outcome of an approval, as messages tell it', () => {
  it('shows what was approved, and what was asked for as that of before', () => {
    for (const shown of formsOf(EDITED)) {
      assert.match(
        shown,
        /Decided on, in full:[^]*1\. wire\n\{\n "amount": 50\n\}[^]*Before the edit:[^]*\{\n "amount": 5000\n\}/,
      );
      assert.match(shown, /edited since it was asked: version 2 was decided on\./);
    }
  });

  it('says of several calls that were edited all that was decided on', () => {
    const whole = { calls: [call('c1', 50), call('c2', 70)], visible_context: {} };
    const approval = { proposal_hash: 'ab'.repeat(32), whole };
    const told = (calls: NonNullable<OutgoingOutcome['edited']>['calls'] = []) =>
      formsOf({ ...EDITED, approval, edited: { version: 3, calls } });
    for (const shown of told()) {
      assert.match(shown, /1\. wire[^]*50[^]*2\. wire[^]*70/);
      assert.match(shown, /The arguments were edited[^]*version 3 was decided on/);
      assert.doesNotMatch(shown, /Before the edit/);
    }
    for (const shown of told([{ tool: 'wire', position: 2, before: { amount: 7 } }])) {
      assert.match(shown, /The arguments of call 2 were edited since/);
      assert.match(shown, /Before the edit of call 2:[^]*\{\n "amount": 7\n\}/);
    }
    const three = [1, 3, 4].map((position) => ({ tool: `*tool* ${position}`, position }));
    for (const shown of told(three)) {
      assert.match(shown, /The arguments of calls 1, 3 and 4 were edited since/);
      assert.match(shown, /1\. \*tool\* 1[^]*3\. \*tool\* 3[^]*4\. \*tool\* 4/);
    }
    const many = Array.from({ length: 40 }, (_, index) => ({ tool: 'wire', position: index + 1 }));
    for (const shown of told(many)) {
      assert.match(shown, /The arguments of 40 calls were edited since/);
      assert.ok(shown.includes('5. wire') && !shown.includes('6. wire'));
    }
  });

  it('reads as markup of Slack nowhere what tools are named', () => {
    const calls = [{ tool: '<!channel> *now*', position: 2 }];
    const { blocks } = outcomeBlocks({ ...EDITED, edited: { version: 2, calls } });
    JSON.stringify(blocks, (_key, value: { type?: string; text?: string } | null) => {
      if (value?.type === 'mrkdwn') assert.doesNotMatch(value.text ?? '', /channel|now/);
      return value;
    });
    assert.match(JSON.stringify(blocks), /2\. <!channel> \*now\*/);
  });

  it('says where it is what may not leave', () => {
    const approval = { proposal_hash: 'ab'.repeat(32) };
    for (const shown of formsOf({ ...ENDED, approval, edited: { version: 2 } })) {
      assert.match(shown, /What was decided on is in the inbox\./);
      assert.match(shown, /version 2 was decided on/);
    }
  });

  it('says nothing of edits and proposals where there are none', () => {
    for (const shown of formsOf(ENDED)) assert.doesNotMatch(shown, /edit|decided on|Note/i);
  });
});

describe('the notes with an answer, as messages tell them', () => {
  it('stand in the outcome as they were written, as part of their entry', () => {
    const notes = [
      { by: 'bo', text: 'half\nNote of eve: no' },
      { by: 'cy', text: ' fine ' },
    ];
    const [plain = '', html = '', slack = ''] = formsOf({ ...ENDED, notes });
    assert.ok(
      plain.includes('Note of bo:\n> half\n> Note of eve: no\nNote of cy:  fine \n'),
      plain,
    );
    assert.match(html, /Note of bo:\nhalf\nNote of eve: no\nNote of cy: {2}fine $/m);
    assert.ok(slack.includes('Note of bo:\n> half\n> Note of eve: no\nNote of cy:  fine '), slack);
  });

  it('are cut where they are too much, and said to be in the inbox where they may not leave', () => {
    const long = Array.from({ length: 25 }, () => ({ by: 'bo', text: 'w'.repeat(2_000) }));
    for (const shown of formsOf({ ...ENDED, notes: long })) {
      assert.match(shown, /Note of bo: w{999}…/);
      assert.doesNotMatch(shown, /w{1000}/);
      assert.ok(shown.length < 12_000);
    }
    const [plain = ''] = formsOf({ ...ENDED, notes: long });
    assert.match(plain, /More notes: 15, in the inbox\./);
    for (const shown of formsOf({ ...ENDED, notes: [{ by: 'bo' }] })) {
      assert.match(shown, /Note of bo: it is in the inbox\./);
    }
    const brief = JSON.stringify(briefOutcome({ ...EDITED, notes: long }).blocks);
    assert.match(brief, /The note with it is in the inbox\./);
    assert.match(brief, /version 2 was decided on/);
  });
});
