import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { linkFor } from '../api/sessions/support.js';
import { lookUntil } from '../support/looks.js';
import { KEYS } from '../support/real-stack.js';
import { QUESTIONS } from './support/questions.js';
import { assertAccessible, useWebStack, writesOf, type WebStack } from './support/web-stack.js';

describe('signing in to the inbox', () => {
  let web: WebStack;
  const start = (started: WebStack) => {
    web = started;
  };
  useWebStack({}, start, 'unused');

  it('refuses a wrong key with its code, and takes a right one', async () => {
    const page = await web.visitor();
    await page.goto(web.url());
    await page.getByRole('heading', { name: 'Sign in to the inbox' }).waitFor();
    await assertAccessible(page);
    await page.getByLabel('Key').fill('nobody has this key');
    await page.keyboard.press('Enter');
    await page.getByText('This key is not known here.').waitFor();
    await page.getByText('unauthenticated').waitFor();
    assert.equal(await page.getByText('X-API-Key').count(), 0);
    await assertAccessible(page);
    await page.getByLabel('Key').fill(KEYS.operator.key);
    await page.keyboard.press('Enter');
    await page.getByText('alice').waitFor();
    await page.reload();
    await page.getByText('alice').waitFor();
    await page.context().close();
  });

  it('ends with signing out, and leaves nothing of what was typed', async () => {
    const { id } = await web.ask({ question: 'What to say?', response_type: 'text' });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('mine');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the inbox' }).waitFor();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to the inbox' }).waitFor();
    await page.context().close();
  });

  it('leaves nothing that was marked or typed to whoever signs in next', async () => {
    const { id } = await web.ask({ question: 'Whose words?', response_type: 'text' });
    const page = await web.signedIn('operator');
    await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
    await page.getByText('1 selected').waitFor();
    await page.locator(`[data-row="${id}"] a`).click();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('words of alice');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Send answer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Key').fill(KEYS.admin.key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('root', { exact: true }).first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('textbox', { name: 'Your answer' }).inputValue(), '');
    await page.getByRole('link', { name: '← Inbox' }).click();
    await page.locator(`[data-row="${id}"]`).getByRole('checkbox', { checked: false }).waitFor();
    assert.equal(await page.getByText('1 selected').count(), 0);
    await page.context().close();
  });

  it('leaves nothing after a reload to the same name in another space', async () => {
    const { id } = await web.ask({ question: 'Which of them?', response_type: 'text' });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('words of alice');
    const drafts = "Object.keys(sessionStorage).filter((name) => name.includes('draft')).length";
    await page.reload();
    await page.getByRole('textbox', { name: 'Your answer' }).waitFor();
    assert.equal(await page.evaluate(drafts), 1);
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Key').fill(KEYS.peopleB.key);
    await page.keyboard.press('Enter');
    await page.getByText('alice', { exact: true }).waitFor();
    assert.equal(await page.evaluate(drafts), 0);
    await page.context().close();
  });

  it('marks nothing after signing out and in again', async () => {
    const { id } = await web.ask({ question: 'Marked?', response_type: 'confirm' });
    const page = await web.signedIn('operator');
    await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key').fill(KEYS.operator.key);
    await page.keyboard.press('Enter');
    await page.locator(`[data-row="${id}"]`).getByRole('checkbox', { checked: false }).waitFor();
    assert.equal(await page.getByText('1 selected').count(), 0);
    await page.context().close();
  });

  /** Signs in where the page says that the session has ended, and waits until it is live again. */
  async function signInAgain(page: Page): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Key').fill(KEYS.operator.key);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Live', { exact: true }).waitFor();
  }

  it('asks to sign in again where the stream finds the session over', async () => {
    const page = await web.signedIn('operator');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().clearCookies();
    web.gate.shut();
    web.gate.open();
    await signInAgain(page);
    await page.context().close();
  });

  it('asks to sign in again where the page finds the session over as it reads it anew', async () => {
    const page = await web.visitor();
    await page.request.post(`${web.gate.url}/session`, { data: { key: KEYS.operator.key } });
    let reads = 0;
    // It is read once more when changes begin to be heard of.
    await page.route('**/session', async (route) => {
      reads += 1;
      if (reads === 2) await page.context().clearCookies();
      const { cookie: _none, ...headers } = await route.request().allHeaders();
      await route.continue(reads === 2 ? { headers } : {});
    });
    await page.goto(web.url());
    await signInAgain(page);
    await page.context().close();
  });

  it('has an answer again that was held back as the session ended, and sends it then', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', '/settings');
    await page.evaluate("localStorage['holdpoint-settings'] = '{}'");
    await page.clock.install();
    await page.goto(web.url(`/q/${id}`));
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    const writes = writesOf(page);
    const shows = (what: Locator) =>
      lookUntil(
        async () => {
          await page.clock.runFor(1);
          return (await what.count()) > 0;
        },
        `it does not show ${String(what)}`,
      );
    await page.clock.pauseAt(Date.now() + 30_000);
    await page.keyboard.press('2');
    await page.keyboard.press('Control+Enter');
    await shows(page.getByText('Not sent yet'));
    await page.context().clearCookies();
    // Whoever goes on sends it at once, and comes back to it.
    await page.keyboard.press('Enter');
    await shows(page.getByRole('dialog', { name: 'Your session has ended' }));
    await page.clock.resume();
    await signInAgain(page);
    await page.getByRole('heading', { level: 1, name: QUESTIONS.choice.question }).waitFor();
    await page.getByRole('radio', { name: /Refund half/, checked: true }).waitFor();
    assert.equal((await web.read(id)).state, 'pending');
    await assertAccessible(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Not sent yet').waitFor();
    await page.getByText('Your answer settled it').waitFor();
    assert.equal((await web.read(id)).record.response, 'half');
    const sent = `POST /v1/suspensions/${id}/respond`;
    assert.deepEqual(writes, [sent, 'POST /session', sent]);
    await page.context().close();
  });

  it('says why changes may not be followed, and asks no more', async () => {
    const page = await web.visitor();
    let asked = 0;
    await page.route('**/v1/suspensions/subscribe', (route) => {
      asked += 1;
      return route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'forbidden', title: 'Forbidden', detail: 'Not you.' }),
      });
    });
    await page.clock.install();
    await page.request.post(`${web.gate.url}/session`, { data: { key: KEYS.operator.key } });
    await page.goto(web.url());
    await page.getByText('Changes do not appear automatically').waitFor();
    await page.getByText('Not you.').waitFor();
    await assertAccessible(page);
    const before = asked;
    await page.clock.fastForward(60_000);
    // A request of the page that comes after any that it would have made by then.
    assert.equal(
      await page.evaluate("fetch('/session/methods').then(({ status }) => status)"),
      200,
    );
    assert.equal(asked, before);
    await page.context().close();
  });

  it('keeps a one-time link while the API is away, and tries it again', async () => {
    const link = await linkFor(web.stack.store, { ...KEYS.admin, roles: ['admin'] }, Date.now());
    const page = await web.visitor();
    await page.route('**/session', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            body: JSON.stringify({ code: 'store_unavailable', title: 'Away', detail: 'Away.' }),
          })
        : route.continue(),
    );
    await page.goto(web.url(`#link=${link}`));
    await page.getByText('store_unavailable').waitFor();
    await assertAccessible(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('root', { exact: true }).waitFor();
    await page.context().close();
  });

  it('says that a one-time link was used, before anybody goes on as somebody else', async () => {
    const link = await linkFor(web.stack.store, { ...KEYS.admin, roles: ['admin'] }, Date.now());
    const first = await web.visitor();
    await first.goto(web.url(`#link=${link}`));
    await first.getByText('root', { exact: true }).waitFor();
    const page = await web.signedIn('operator', `?again#link=${link}`);
    await page.getByText('sign_in_link_used').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Continue as alice' }).click();
    await page.getByText('alice', { exact: true }).waitFor();
    await Promise.all([first, page].map((one) => one.context().close()));
  });

  it('says that a one-time link has expired, and offers the other ways', async () => {
    const longAgo = Date.now() - 3_600_000;
    const link = await linkFor(web.stack.store, { ...KEYS.admin, roles: ['admin'] }, longAgo);
    const page = await web.visitor();
    await page.goto(web.url(`#link=${link}`));
    await page.getByText('sign_in_link_expired').waitFor();
    assert.equal(await page.evaluate('location.hash'), '');
    await assertAccessible(page);
    await page.getByLabel('Key').fill(KEYS.operator.key);
    await page.keyboard.press('Enter');
    await page.getByText('alice', { exact: true }).waitFor();
    await page.context().close();
  });

  it('says that a link is none of its own', async () => {
    const page = await web.visitor();
    await page.goto(web.url('#link=nobody-made-this'));
    await page.getByText('This link is not from Holdpoint.').waitFor();
    assert.equal(await page.getByText('X-API-Key').count(), 0);
    await page.context().close();
  });

  it('keeps the cookie from scripts', async () => {
    const page = await web.signedIn('operator');
    await page.getByText('alice').waitFor();
    assert.equal(await page.evaluate('document.cookie'), '');
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict']);
    await page.context().close();
  });
});
