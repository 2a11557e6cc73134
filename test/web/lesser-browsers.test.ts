import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { KEYS } from '../support/real-stack.js';
import { AWAY } from './support/chromium.js';
import { QUESTIONS } from './support/questions.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

/** Makes a storage throw as it does where it is blocked. */
const BLOCKED = `for (const name of ['sessionStorage', 'localStorage']) {
  Object.defineProperty(window, name, { get() { throw new DOMException('Blocked', 'SecurityError'); } });
}`;

describe('the inbox in a browser that gives it less', () => {
  let web: WebStack;
  const start = (started: WebStack) => {
    web = started;
  };
  useWebStack({}, start, 'unused');

  const signIn = async (page: Page) => {
    await page.getByLabel('Key').fill(KEYS.operator.key);
    await page.keyboard.press('Enter');
  };

  it('answers over plain HTTP from elsewhere, and copies a draft', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const { id: other } = await web.ask(QUESTIONS.text);
    const page = await web.visitor();
    const away = (at: string) => web.url(at).replace('127.0.0.1', AWAY);
    await page.goto(away(`/q/${id}`));
    assert.equal(await page.evaluate('isSecureContext || "randomUUID" in crypto'), false);
    await signIn(page);
    await page.getByText('Refund half').click();
    await page.getByRole('button', { name: 'Send: Refund half' }).click();
    await page.getByText('Your answer settled it').waitFor();
    await page.goto(away(`/q/${other}`));
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Not sent');
    await web.stack.post(`/v1/suspensions/${other}/respond`, 'admin', { value: 'Sorry' });
    await page.getByRole('button', { name: 'Copy my draft' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    await page.context().close();
  });

  it('answers with storage blocked, and says what is lost', async () => {
    const { id } = await web.ask(QUESTIONS.text);
    const page = await web.visitor();
    await page.addInitScript(BLOCKED);
    await page.goto(web.url(`/q/${id}`));
    await signIn(page);
    await page.getByText('This browser stores nothing for this page').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await assertAccessible(page);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Sorry');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Your answer settled it').waitFor();
    assert.equal((await web.read(id)).record.response, 'Sorry');
    await page.context().close();
  });

  it('says that cookies are blocked, and that one did not come back', async () => {
    const page = await web.visitor();
    await page.goto(web.url());
    await page.route('**/session', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 401 }) : route.continue(),
    );
    await signIn(page);
    await page.getByText('this browser did not keep the cookie').waitFor();
    await assertAccessible(page);
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false })",
    );
    await page.reload();
    await page.getByText('This browser does not accept cookies from here').waitFor();
    await assertAccessible(page);
    await page.context().close();
  });
});
