import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { visible } from '../../contracts/constants/visible-text.js';
import { linkMaker } from '../../runtime/link-tokens.js';
import { anyText } from '../support/any-text.js';
import { LINK_KEYS } from '../support/stack-activities.js';
import {
  INSTANT,
  LONG,
  PICTURE,
  PIXEL,
  TOO_WIDE,
  WIDEST,
  WIDE_PICTURE,
  diffOf,
} from './support/contexts.js';
import { PHONE, assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const CONFIG = {
  directory: { people: { ana: { name: 'Ana Ruiz' } } },
  notifications: { context_keys: ['words'] },
  image_hosts: ['images.example.com'],
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
    await web.leave(page);
    return texts;
  }

  async function linkTo(suspension_id: string): Promise<string> {
    const content = { space: 'default', person: 'ana', suspension_id, question_version: 1 };
    return linkMaker(web.gate.url, LINK_KEYS)(content, undefined);
  }

  const heightOf = async (text: Locator) => (await text.locator('..').boundingBox())?.height ?? 0;

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
          context: {
            words: {
              [name]: value,
              list: [one, other],
              more: { deeper: nested },
              table: [{ cell: one, 2: 7 }, { cell: other }],
              diff: diffOf(nested),
              code: `if:\n    ${value}`,
              long: value.repeat(400),
              at: INSTANT,
              picture: PICTURE,
            },
          },
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
        const formed = [diffOf(nested), `if:\n    ${value}`, value.repeat(400), INSTANT, PICTURE];
        const all = [...shared, ...formed, `1 ${label}`, `2 ${second}`].map(visible);
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

  it('shows lists of like objects as a table, diffs in colour, times of here, and pictures', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `step ${index}`);
    const { id } = await web.ask({
      question: 'Release it?',
      response_type: 'confirm',
      context: {
        words: {
          services: [
            { name: 'api', replicas: 3, public: true },
            { name: 'worker', replicas: 12 },
          ],
          diff: diffOf('new'),
          log: lines.join('\n'),
          window: INSTANT,
          chart: PICTURE,
          broken: 'data:image/png;base64,AAAA',
          many: lines,
        },
      },
    });
    for (const page of [await web.signedIn('operator', `/q/${id}`), await byLink(id)]) {
      await page.getByRole('columnheader', { name: 'replicas' }).waitFor();
      const row = page.getByRole('row', { name: /worker/ });
      assert.match(await row.innerText(), /worker\s+12\s+–/);
      const backgrounds = await page.evaluate<string[]>(
        "['+new', '-gone', ' same'].map((line) => getComputedStyle([...document.querySelectorAll('main span')].find((one) => one.textContent === line && one.children.length === 0)).backgroundColor)",
      );
      assert.equal(new Set(backgrounds).size, 3, String(backgrounds));
      await page.getByText('1 Mar 2025, 22:00 your time').waitFor();
      await page.getByRole('img', { name: 'Picture: chart' }).waitFor();
      assert.equal(await page.locator('main img').count(), 1);
      assert.equal(await page.evaluate("document.querySelector('main img').naturalWidth"), 1);
      const log = page.getByText('step 0 step 1 step 2', { exact: false }).first();
      const folded = await heightOf(log);
      await page.getByRole('button', { name: 'Show all 60 lines of log' }).click();
      assert.ok((await heightOf(log)) > folded * 3);
      assert.equal(await page.getByText('step 59', { exact: true }).count(), 0);
      await page.getByRole('button', { name: 'Show all 60 of many' }).click();
      await page.getByText('step 59', { exact: true }).waitFor();
      await assertAccessible(page);
      await web.leave(page);
    }
  });

  it('loads pictures of named hosts, once somebody wants them', async () => {
    const words = {
      photo: 'https://images.example.com/photo.png',
      gone: 'https://images.example.com/gone.png',
      plain: 'http://images.example.com/photo.png',
      other: 'https://elsewhere.example.com/photo.png',
      signed: 'https://me@images.example.com/photo.png',
    };
    const { id } = await web.ask({
      question: 'Is it?',
      response_type: 'confirm',
      context: { words },
    });
    const page = await web.signedIn('operator', `/q/${id}`);
    const loaded: [path: string, referrer: string | undefined][] = [];
    await page.route(/^https?:.*\.example\.com/, async (route) => {
      const path = new URL(route.request().url()).pathname;
      loaded.push([path, (await route.request().allHeaders())['referer']]);
      if (path === '/gone.png') await route.abort();
      else await route.fulfill({ contentType: 'image/png', body: Buffer.from(PIXEL, 'base64') });
    });
    const offers = page.getByRole('button', { name: 'Show the picture from images.example.com' });
    await offers.first().waitFor();
    assert.deepEqual(await offers.allTextContents(), [
      'Show the picture from images.example.com of photo',
      'Show the picture from images.example.com of gone',
    ]);
    assert.deepEqual(loaded, []);
    await offers.first().click();
    await page.getByText('A picture from images.example.com, not a part').waitFor();
    await page.waitForFunction("document.querySelector('main img')?.naturalWidth === 1");
    await page.getByRole('button', { name: 'Hide the picture of photo' }).waitFor();
    await assertAccessible(page);
    await offers.click();
    await page.getByText('No picture came from images.example.com.').waitFor();
    assert.deepEqual(loaded, [
      ['/photo.png', undefined],
      ['/gone.png', undefined],
    ]);
    await page.getByRole('button', { name: 'Hide the picture of photo' }).click();
    await page.getByRole('img', { name: 'Picture: photo' }).waitFor({ state: 'detached' });
    await web.leave(page);

    const link = await byLink(id);
    await link.getByRole('link', { name: words.photo }).waitFor();
    assert.equal(await link.getByRole('button', { name: 'Show the picture' }).count(), 0);
    await web.leave(link);
  });

  it('copies what was written, to the last blank', async () => {
    const written = 'if a:\n\tb\u200b \n';
    const { id } = await web.ask({
      question: 'Run it?',
      response_type: 'confirm',
      context: { script: written, at: INSTANT },
    });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { globalThis.copied = text; } } })",
    );
    await page.getByRole('button', { name: 'Copy script' }).click();
    await page.getByRole('button', { name: 'Copied script' }).waitFor();
    assert.equal(await page.evaluate('globalThis.copied'), written);
    await page.getByText('your time').waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('main'))");
    const selected = await page.evaluate<string>('getSelection().toString()');
    assert.ok(selected.includes(INSTANT), selected);
    assert.doesNotMatch(selected, /your time|Copied/);
    await web.leave(page);
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
    await web.leave(page);
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
    await web.leave(page);
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
      await web.leave(page);
    }
  });

  it('fits into 360 px, whatever kinds the context has', async () => {
    const narrow = {
      ...PHONE,
      viewport: { width: 360, height: 760 },
      colorScheme: 'dark',
    } as const;
    const { id } = await web.ask({
      question: `Is ${LONG} good?`,
      response_type: 'confirm',
      context: { words: WIDEST },
    });
    const page = await web.signedIn('operator', `/q/${id}`, narrow);
    await page.route('https://images.example.com/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: WIDE_PICTURE }),
    );
    const link = await web.visitor(narrow);
    await link.goto(await linkTo(id));
    for (const one of [page, link]) {
      await one.getByText('images.example.com').first().waitFor();
      for (let folded = 1; folded > 0;) {
        assert.deepEqual(await one.evaluate(TOO_WIDE), []);
        const more = one.getByRole('button', { name: /^Show (?:all|the picture)/ });
        folded = await more.count();
        if (folded > 0) await more.first().tap();
      }
      await assertAccessible(one);
    }
    await web.leave(page, link);
  });
});
