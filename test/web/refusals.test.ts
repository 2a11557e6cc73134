import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { linkMaker } from '../../runtime/link-tokens.js';
import { LINK_KEYS } from '../support/stack-activities.js';
import { QUESTIONS } from './support/questions.js';
import {
  PHONE,
  PROBLEM,
  assertAccessible,
  useWebStack,
  type WebStack,
} from './support/web-stack.js';

const CONFIG = { directory: { people: { ana: { name: 'Ana Ruiz' } } } };
/** Longer than any screen, so that what is said at either end of the page is not seen at the other. */
const LONG = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [`fact_${index}`, `Line ${index} of what is known`]),
);

describe('a refusal', () => {
  let web: WebStack;
  useWebStack(CONFIG, (started) => {
    web = started;
  });

  /** Lets the API refuse what is sent to a path. */
  const refusing = (page: Page, path: string) =>
    page.route(path, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      const body = { status: 409, code: 'not_today', title: 'Not today', detail: 'Ask tomorrow.' };
      return route.fulfill({ status: 409, contentType: PROBLEM, body: JSON.stringify(body) });
    });
  /** Waits until it is said, and asserts that it is in view, has the focus and is announced. */
  async function assertSeen(page: Page, text = 'Ask tomorrow.') {
    const alert = page.getByRole('alert').filter({ hasText: text }).last();
    await alert.waitFor();
    const box = await alert.boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    assert.ok(box && box.y >= 0 && box.y < height, JSON.stringify(box));
    const focused =
      "document.activeElement.getAttribute('role') + document.activeElement.textContent";
    const said = await page.evaluate<string>(focused);
    assert.ok(said.startsWith('alert') && said.includes(text), said);
  }

  it('of an answer is brought to whoever has sent it', async () => {
    const { id } = await web.ask({ ...QUESTIONS.confirm, context: LONG });
    const page = await web.signedIn('operator', `/q/${id}`, PHONE);
    await refusing(page, '**/respond');
    await page.getByText('Yes', { exact: true }).click();
    await page.getByRole('button', { name: 'Send: Yes' }).click();
    await assertSeen(page);
    await assertAccessible(page);
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Send: Yes' }).click();
    await assertSeen(page);
    await web.leave(page);
  });

  it('of a claim, a comment and a delegation, too', async () => {
    const { id } = await web.ask({ ...QUESTIONS.choice, context: LONG });
    const page = await web.signedIn('operator', `/q/${id}`);
    await refusing(page, '**/comments');
    await refusing(page, '**/delegate');
    const comment = page.getByRole('textbox', { name: 'A comment' });
    await comment.fill('Why?');
    await comment.press('Control+Enter');
    await assertSeen(page);
    assert.equal(await comment.inputValue(), 'Why?');
    await page.getByRole('button', { name: 'Delegate…' }).click();
    await page.getByLabel('To whom').fill('root');
    await page.getByLabel('Why').fill('Root knows');
    await page.getByLabel('Why').press('Control+Enter');
    await assertSeen(page);
    await web.leave(page);
  });

  it('of an answer by a link', async () => {
    const { id } = await web.ask({ ...QUESTIONS.confirm, context: LONG });
    const content = { space: 'default', person: 'ana', suspension_id: id, question_version: 1 };
    const page = await web.visitor(PHONE);
    await refusing(page, '**/v1/links/answer');
    await page.goto(await linkMaker(web.gate.url, LINK_KEYS)(content, undefined));
    await page.getByText('Yes', { exact: true }).click();
    await page.getByRole('button', { name: 'Send: Yes' }).click();
    await assertSeen(page);
    await web.leave(page);
  });

  it('of answers to many questions at once', async () => {
    const asked = Array.from({ length: 12 }, (_, index) =>
      web.ask({ ...QUESTIONS.confirm, question: `Many: number ${index}?` }),
    );
    const ids = (await Promise.all(asked)).map(({ id }) => id);
    const page = await web.signedIn('operator', '/?text=Many');
    for (const id of ids) await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Answer together…' }).click();
    await refusing(page, '**/v1/suspensions/respond');
    await page.getByText('Yes', { exact: true }).click();
    await page.getByRole('button', { name: /to all 12/ }).click();
    await assertSeen(page);
    await web.leave(page);
  });
});
