import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { visible } from '../../contracts/constants/visible-text.js';
import { linkMaker } from '../../runtime/link-tokens.js';
import { anyText } from '../support/any-text.js';
import { LINK_KEYS } from '../support/real-stack.js';
import { PHONE, assertAccessible, useWebStack } from './support/web-stack.js';
import type { WebStack } from './support/web-stack.js';

const CONFIG = {
  directory: { people: { ana: { name: 'Ana Ruiz' } } },
  notifications: { context_keys: ['words'] },
};

/** Each text of the page that was written by somebody else, as it is drawn, with what its lines are made of. */
const WRITTEN = `[...document.querySelectorAll('main [dir=auto]')]
  .filter((one) => one.checkVisibility())
  .map((one) => one.innerText)`;

/** Some texts, each another one, so that one page shows many. */
const someTexts = fc.uniqueArray(anyText, { minLength: 12, maxLength: 12 });

describe('what agents write, as pages show it', () => {
  let web: WebStack;
  useWebStack(CONFIG, (started) => {
    web = started;
  });

  /** Reads the texts of a page, and closes it. */
  async function textsOn(page: Page): Promise<readonly string[]> {
    await page.getByText('Your answer').first().waitFor();
    const texts = await page.evaluate<string[]>(WRITTEN);
    await page.context().close();
    return texts;
  }

  async function linkTo(suspension_id: string): Promise<string> {
    const content = { space: 'default', person: 'ana', suspension_id, question_version: 1 };
    return linkMaker(web.gate.url, LINK_KEYS)(content, undefined);
  }

  async function byLink(id: string): Promise<Page> {
    const page = await web.visitor();
    await page.goto(await linkTo(id));
    return page;
  }

  it('shows every character of random texts, or its code', async () => {
    const property = fc.asyncProperty(
      someTexts,
      fc.constantFrom('plain', 'markdown'),
      async (texts, text_format) => {
        const [question = '', name = '', value = '', one = '', other = '', nested = ''] = texts;
        const [label = '', description = '', second = '', comment = '', ...rest] = texts.slice(6);
        const { id } = await web.ask({
          question,
          text_format,
          response_type: 'choice',
          context: { words: { [name]: value, list: [one, other], more: { deeper: nested } } },
          choices: [
            { value: 'a', label: `1 ${label}`, description },
            { value: 'b', label: `2 ${second}` },
          ],
        });
        const said = await web.stack.post(`/v1/suspensions/${id}/comments`, 'operator', {
          text: comment,
        });
        assert.equal(said.status, 200, JSON.stringify(said.body));
        assert.equal(rest.length, 2);
        const shared = [question, name, value, one, other, nested, description];
        const all = [...shared, `1 ${label}`, `2 ${second}`].map(visible);
        const inbox = await textsOn(await web.signedIn('operator', `/q/${id}`));
        const link = await textsOn(await byLink(id));
        for (const text of all) {
          assert.ok(inbox.includes(text), `inbox lacks ${JSON.stringify([text, inbox])}`);
          assert.ok(link.includes(text), `link lacks ${JSON.stringify([text, link])}`);
        }
        assert.ok(inbox.includes(visible(comment)), JSON.stringify([comment, inbox]));
      },
    );
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  });

  it('hides no part of the context, whatever it is named', async () => {
    const { id } = await web.ask({
      question: 'Send it?',
      response_type: 'form',
      context: {
        _note: 'The customer said no.',
        order_id: 'A_1',
        fields: [{ name: 'zip', label: 'Postcode', hint: 'of the sender' }],
        nothing: '',
        none: [],
      },
    });
    const page = await web.signedIn('operator', `/q/${id}`);
    for (const text of ['_note', 'The customer said no.', 'order_id', 'A_1', '[]']) {
      await page.getByText(text, { exact: true }).waitFor();
    }
    await page.getByText('Shown on this page already: fields').click();
    await page.getByText('of the sender').waitFor();
    await assertAccessible(page);
    await page.context().close();
  });

  it('has each text in its own direction, and says the year of another one', async () => {
    const { id } = await web.ask({
      question: 'هل نرسل الطلب 12؟',
      response_type: 'choice',
      choices: [
        { value: 'a', label: 'نعم, now' },
        { value: 'b', label: 'Not now', description: 'لا' },
      ],
      context: { note: 'مرحبا\nhello', other: 'hello' },
      timeout_seconds: 400 * 86_400,
    });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const directions = Object.fromEntries(
      await page.evaluate<[string, string][]>(
        "[...document.querySelectorAll('main [dir=auto]')].map((one) => [one.innerText, getComputedStyle(one).direction])",
      ),
    );
    for (const text of ['هل نرسل الطلب 12؟', 'نعم, now', 'لا', 'مرحبا\nhello']) {
      assert.equal(directions[text], 'rtl', text);
    }
    for (const text of ['Not now', 'hello']) assert.equal(directions[text], 'ltr', text);
    const year = new Date(Date.now() + 400 * 86_400_000).getUTCFullYear();
    await page.getByText(`, until`).getByText(String(year)).first().waitFor();
    await assertAccessible(page);
    await page.context().close();
  });

  it('fits on a phone, however deep the context is', async () => {
    const deep = (depth: number): object | string =>
      depth === 0
        ? 'at the end of it all, a long_text_without_any_blank_that_could_be_broken_into_lines'
        : {
            [`level_${depth}_with_a_name`]: depth % 2 ? deep(depth - 1) : [deep(depth - 1), 'and'],
          };
    const { id } = await web.ask({
      question: 'Deep?',
      response_type: 'confirm',
      context: { words: deep(14) },
    });
    for (const page of [
      await web.signedIn('operator', `/q/${id}`, PHONE),
      await web.visitor(PHONE).then(async (visitor) => {
        await visitor.goto(await linkTo(id));
        return visitor;
      }),
    ]) {
      const last = page.getByText('at the end of it all');
      await last.waitFor();
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth'),
        PHONE.viewport.width,
      );
      const box = await last.boundingBox();
      assert.ok(
        box && box.x + box.width <= PHONE.viewport.width && box.width > 150,
        String(box?.width),
      );
      await page.context().close();
    }
  });
});
