import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const STEERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** All that somebody sees of a page: its title, its text, and what stands in its fields. */
const SEEN =
  "document.title + document.body.innerText + [...document.querySelectorAll('input:not([type=radio]), textarea')].map(({ value }) => value).join()";

/** Names that a question may use are those of somebody known. */
const CONFIG = {
  directory: {
    people: { alice: {}, 'bo\u202eb': {}, 'ca\u202erol': {} },
    groups: { 'ops\u200f': ['bo\u202eb'] },
  },
};

describe('what agents write, as the inbox shows it', () => {
  let web: WebStack;
  useWebStack(CONFIG, (started) => {
    web = started;
  });

  /** Asks, and opens the question. */
  async function opened(body: object): Promise<{ readonly page: Page; readonly id: string }> {
    const { id } = await web.ask(body);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, id };
  }

  it('shows characters that turn a text by their codes, and sends what was meant', async () => {
    const { page, id } = await opened({
      question: 'Pay \u202eelif\u202c now?\n\nReally\u202e or \u200fnot?',
      response_type: 'choice',
      choices: [
        { value: 'pay', label: 'Pay \u2066all\u2069', description: 'At \u200eonce' },
        { value: '\u202eno', label: 'Keep' },
      ],
      context: { 'na\u202eme': 'to \u061cbob\u200b', site: 'https://shop.example/\u202egnp' },
      response_schema: {
        type: 'object',
        properties: { why: { type: 'string', title: 'Wh\u202ey', description: 'In \u200fshort' } },
      },
    });
    for (const shown of [
      'Pay [U+202E]elif[U+202C] now?',
      'Really[U+202E] or [U+200F]not?',
      'Pay [U+2066]all[U+2069]',
      'At [U+200E]once',
      'na[U+202E]me',
      'to [U+061C]bob[U+200B]',
      'https://shop.example/[U+202E]gnp',
      'Wh[U+202E]y',
      'In [U+200F]short',
    ]) {
      await page.getByText(shown).first().waitFor();
    }
    assert.doesNotMatch(await page.evaluate<string>(SEEN), STEERING);
    await assertAccessible(page);
    await page.getByText('Keep', { exact: true }).click();
    await page.getByRole('button', { name: 'Send: Keep' }).click();
    await page.getByText('Your answer settled it').waitFor();
    assert.equal((await web.read(id)).record.response, '\u202eno');
    await web.leave(page);
  });

  it('says where a link leads unless its text does', async () => {
    const { page } = await opened({
      question: [
        'Which?',
        '[https://bank.example@evil.example/](https://bank.example@evil.example/)',
        '[https://b\u0430nk.example/](https://b\u0430nk.example/)',
        '[https://shop.example](https://shop.example.evil2.example/)',
        '<https://docs.example/a> **now** <b>bold</b> ![secret](https://spy.example/x.png)',
      ].join('\n\n'),
      text_format: 'markdown',
      response_type: 'confirm',
      context: { login: 'https://bank.example@evil3.example/' },
    });
    const main = page.getByRole('main');
    for (const host of [
      'evil.example',
      'xn--bnk-6cd.example',
      'shop.example.evil2.example',
      'evil3.example',
    ]) {
      await main.locator(`[data-host="${host}"]`).waitFor();
    }
    assert.equal(await main.locator('[data-host="docs.example"]').count(), 0);
    const rel = await main.getByRole('link', { name: 'docs.example' }).getAttribute('rel');
    assert.equal(rel, 'noopener noreferrer nofollow');
    await main.getByText('<b>bold</b>').waitFor();
    assert.equal(await main.locator('img, b').count(), 0);
    const [words, mark] = await page.evaluate<string[]>(
      "['main strong', 'main strong [data-mark]'].map((at) => getComputedStyle(document.querySelector(at)).color)",
    );
    assert.notEqual(words, mark);
    await assertAccessible(page);
    await web.leave(page);
  });

  it('shows the defaults of a form by codes, and sends what they are', async () => {
    const { page, id } = await opened({
      question: 'Whom to pay?',
      response_type: 'form',
      response_schema: {
        type: 'object',
        properties: {
          payee: { type: 'string', title: 'Payee', default: 'a\u202emoc.live@b' },
          note: { type: 'string', title: 'Note', default: '\u2066one', examples: ['\u200ftwo'] },
          more: {
            type: 'object',
            title: 'More',
            additionalProperties: { type: 'string' },
            default: { 'na\u200eme': '\u061cvalue' },
          },
        },
      },
    });
    const payee = page.getByRole('textbox', { name: 'Payee' });
    await payee.waitFor();
    assert.equal(await payee.inputValue(), 'a[U+202E]moc.live@b');
    await page.getByRole('textbox', { name: 'na[U+200E]me Key' }).focus();
    assert.doesNotMatch(await page.evaluate<string>(SEEN), STEERING);
    assert.equal(await page.locator('datalist').count(), 0);
    await assertAccessible(page);
    await page.getByRole('textbox', { name: 'Note' }).press('End');
    await page.keyboard.type('!');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Your answer settled it').waitFor();
    assert.deepEqual((await web.read(id)).record.response, {
      payee: 'a\u202emoc.live@b',
      note: '\u2066one!',
      more: { 'na\u200eme': '\u061cvalue' },
    });
    await web.leave(page);
  });

  it('shows the names of people by codes', async () => {
    const { page, id } = await opened({
      question: 'Who is who?',
      response_type: 'confirm',
      decision_rule: {
        eligible: { principals: ['alice', 'bo\u202eb'], groups: ['ops\u200f'] },
        excluded: ['mal\u2066lory'],
      },
    });
    await page.getByText('alice, bo[U+202E]b, group ops[U+200F]').waitFor();
    await page.getByText('mal[U+2066]lory').first().waitFor();
    const body = { to: 'ca\u202erol', reason: 'Knows \u202ait' };
    const passed = await web.stack.post(`/v1/suspensions/${id}/delegate`, 'operator', body);
    assert.equal(passed.status, 200, JSON.stringify(passed.body));
    await page.getByText('by alice to ca[U+202E]rol: Knows [U+202A]it').waitFor();
    await page.getByText('ca[U+202E]rol has it until').waitFor();
    assert.doesNotMatch(await page.evaluate<string>(SEEN), STEERING);
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alertdialog', { name: 'ca[U+202E]rol has this question' }).waitFor();
    assert.doesNotMatch(await page.evaluate<string>(SEEN), STEERING);
    const list = await web.signedIn('operator', '/all');
    await list.locator(`[data-row="${id}"]`).getByText('ca[U+202E]rol').waitFor();
    assert.doesNotMatch(await list.evaluate<string>(SEEN), STEERING);
    await web.leave(page, list);
  });
});
