import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { linkMaker } from '../../runtime/link-tokens.js';
import { LINK_KEYS } from '../support/stack-activities.js';
import { PHONE, assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const HEBREW = 'לשלוח את ההזמנה?';

const FORM = {
  type: 'object',
  properties: {
    sum: { type: 'string', title: 'Sum\n  in EUR', description: 'Say:\n\n  1. how much\n  2. why' },
    way: {
      title: 'Way',
      oneOf: [
        { const: 'a', title: '-- keep\nDROP all' },
        { const: 'b', title: HEBREW, description: 'Slow\nand sure' },
      ],
    },
    plain: { title: HEBREW, enum: ['one', 'two'] },
    tags: {
      type: 'array',
      uniqueItems: true,
      title: 'Tags',
      items: { oneOf: [{ const: 1, title: 'x\n y' }] },
    },
    pair: {
      type: 'array',
      title: 'Pair',
      prefixItems: [
        { type: 'string', title: 'From', default: 'here' },
        { type: 'string', title: 'To' },
      ],
    },
    zero: { type: 'string', title: 'Zero', default: 'a\u200bb' },
  },
  required: ['rest'],
};

describe('what callers write, in what is filled in and confirmed', () => {
  let web: WebStack;
  useWebStack({ directory: { people: { ana: { name: 'Ana' }, alice: {} } } }, (started) => {
    web = started;
  });

  const shows = (page: Page) => page.evaluate<string>("document.querySelector('main').innerText");

  for (const [width, options] of [
    ['desk', {}],
    ['phone', PHONE],
  ] as const) {
    it(`keeps every line and blank of a form on a ${width}`, async () => {
      const { id } = await web.ask({
        question: 'How?',
        response_type: 'form',
        response_schema: FORM,
      });
      const page = await web.signedIn('operator', `/q/${id}`, options);
      await page.getByLabel('Zero').waitFor();
      const text = await shows(page);
      for (const part of [
        'Sum\n  in EUR',
        'Say:\n\n  1. how much\n  2. why',
        '-- keep\nDROP all',
        'x\n y',
      ]) {
        assert.ok(text.includes(part), JSON.stringify([part, text]));
      }
      assert.equal(await page.evaluate("document.querySelector('#root').offsetTop"), 0);
      const bare = await page.evaluate<string[]>(
        "[...document.querySelectorAll('main textarea, main input:not([type=checkbox], [type=radio]), main select')].filter((one) => one.dir !== 'auto').map((one) => one.outerHTML)",
      );
      assert.deepEqual(bare, []);
      await assertAccessible(page);
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
        true,
      );
      await page.getByRole('button', { name: 'Add Pair' }).click();
      await page.getByLabel('To').fill('there');
      await page.getByLabel('rest').fill('[1]');
      const zero = page.getByLabel('Zero');
      assert.equal(await zero.inputValue(), 'a[U+200B]b');
      await zero.press('End');
      await page.keyboard.type('[U+200B]');
      assert.equal(await zero.inputValue(), 'a[U+200B]b[U+200B]');
      await page.getByRole('button', { name: 'Send answer' }).click();
      await page.getByText('Your answer settled it').waitFor();
      assert.deepEqual((await web.read(id)).record.response, {
        pair: ['here', 'there'],
        zero: 'a\u200bb[U+200B]',
        rest: [1],
      });
      await web.leave(page);
    });
  }

  const DANGER = {
    response_type: 'choice',
    choices: [
      { value: 'drop', label: 'Drop\nall', style: 'danger' },
      { value: 'keep', label: 'Keep' },
    ],
    response_schema: { type: 'object', properties: { why: { type: 'string', title: 'Why' } } },
  };

  it('takes a note of several lines, and says before the second yes what goes out', async () => {
    const { id } = await web.ask({ question: 'Drop it?', ...DANGER });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByText('Drop\nall').first().click();
    const note = page.getByRole('textbox', { name: 'A note' });
    await note.fill('first');
    await note.press('Enter');
    await note.pressSequentially('  second');
    await page.getByLabel('Why').fill('so\n it is');
    await page.getByRole('button', { name: 'Send: Drop' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    const text = await dialog.innerText();
    for (const part of ['Drop\nall', 'first\n  second', 'so\n it is']) {
      assert.ok(text.includes(part), JSON.stringify([part, text]));
    }
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    assert.equal((await web.read(id)).record.comment, 'first\n  second');
    const outcome = await page.getByRole('status').first().innerText();
    assert.ok(outcome.includes('first\n  second'), outcome);
    await page.getByText('comment first').waitFor({ state: 'attached' });
    await web.leave(page);
  });

  it('says by a link before the second yes what goes out', async () => {
    const { id } = await web.ask({ question: 'Drop it by a link?', ...DANGER });
    const page = await web.visitor(PHONE);
    const content = { space: 'default', person: 'ana', suspension_id: id, question_version: 1 };
    await page.goto(await linkMaker(web.gate.url, LINK_KEYS)(content, undefined));
    await page.getByText('Drop\nall').first().click();
    await page.getByLabel('Why').fill('so\n it is');
    await page.getByRole('button', { name: 'Send: Drop' }).click();
    const text = await page.getByRole('alertdialog').innerText();
    for (const part of ['Drop\nall', 'why', 'so\n it is']) {
      assert.ok(text.includes(part), JSON.stringify([part, text]));
    }
    await assertAccessible(page);
    await web.leave(page);
  });

  it('keeps the lines of what somebody voted, and of why it was passed on', async () => {
    const { id } = await web.ask({
      question: 'Two of them?',
      response_type: 'choice',
      choices: DANGER.choices,
      decision_rule: { eligible: { principals: ['alice', 'ana'] }, quorum: 2 },
    });
    const vote = { value: 'drop', comment: 'as\n said' };
    const voted = await web.stack.post(`/v1/suspensions/${id}/respond`, 'operator', vote);
    assert.equal(voted.status, 200, JSON.stringify(voted.body));
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByText('Who decides').waitFor();
    const text = await shows(page);
    for (const part of ['You answered: Drop\nall', 'as\n said']) {
      assert.ok(text.includes(part), JSON.stringify([part, text]));
    }
    await web.leave(page);
  });
});
