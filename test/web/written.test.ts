import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { visible } from '../../contracts/constants/visible-text.js';
import { linkMaker } from '../../runtime/link-tokens.js';
import { anyText } from '../support/any-text.js';
import { LINK_KEYS } from '../support/real-stack.js';
import { useWebStack } from './support/web-stack.js';
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
});
