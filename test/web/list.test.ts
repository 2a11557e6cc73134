import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { QUESTIONS } from './support/questions.js';
import { lookUntil } from '../support/looks.js';
import { KEYS } from '../support/real-stack.js';
import {
  PHONE,
  PROBLEM,
  assertAccessible,
  useWebStack,
  type WebStack,
} from './support/web-stack.js';

describe('the list of the inbox', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  const rows = (page: Page) => page.locator('[data-row]');
  const titles = (page: Page) => page.locator('[data-row] a > span:first-child').allTextContents();

  /** Three questions that wait for everybody, asked by the first test that needs them. */
  let three: Promise<readonly string[]> | undefined;
  const askThree = () => {
    three ??= Promise.all(
      [QUESTIONS.form, QUESTIONS.choice, QUESTIONS.confirm].map(
        async (question) => (await web.ask(question)).id,
      ),
    );
    return three;
  };

  /** The list with them, as an operator finds it. */
  async function listed(options = {}): Promise<Page> {
    await askThree();
    const page = await web.signedIn('operator', '/', options);
    await rows(page).first().waitFor();
    return page;
  }

  /** Waits until the list has so many rows. */
  const shown = (page: Page, count: number) =>
    lookUntil(async () => (await rows(page).count()) === count, `not ${count} rows`);

  it('offers a sample while nobody has asked anything', async () => {
    const page = await web.signedIn('admin');
    await page.getByRole('heading', { name: 'Nothing yet' }).waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Ask a sample question' }).click();
    await page.getByRole('link', { name: /Is this the inbox that you expected/ }).click();
    await page.getByRole('radio', { name: /Yes, it works/ }).waitFor();
    await page.getByText('Yes, it works').click();
    await page.getByRole('button', { name: 'Send: Yes, it works' }).click();
    await page.getByText('Your answer settled it').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'All done' }).waitFor();
    await assertAccessible(page);
    await web.leave(page);
  });

  it('shows the most urgent first, and new ones by itself', async () => {
    const page = await web.signedIn('operator');
    await page.getByRole('heading', { name: /All done|Nothing yet/ }).waitFor();
    await askThree();
    await shown(page, 3);
    const expected = [QUESTIONS.confirm, QUESTIONS.choice, QUESTIONS.form];
    assert.deepEqual(
      await titles(page),
      expected.map(({ question }) => question),
    );
    await lookUntil(
      async () => (await page.title()).startsWith('(3) For me'),
      'nothing is counted',
    );
    const first = await rows(page).first().textContent();
    assert.match(first ?? '', /\b1[0-4] min.*agent-1 · Yes or no/);
    assert.match((await rows(page).nth(1).textContent()) ?? '', /agent-1 for ursula · Choice/);
    await assertAccessible(page);
    await web.leave(page);
  });

  it('narrows by words, and says when nothing matches', async () => {
    const page = await listed();
    await page.keyboard.press('/');
    await page.keyboard.type('valve');
    await page.waitForURL(/text=valve/);
    await shown(page, 1);
    assert.deepEqual(await titles(page), [QUESTIONS.form.question]);
    await page.getByRole('searchbox').fill('nobody wrote this');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await shown(page, 3);
    await web.leave(page);
  });

  it('is shown once it is known what whoever looks may do, so that every key works from the start', async () => {
    await askThree();
    const page = await web.visitor();
    await page.request.post(`${web.gate.url}/session`, { data: { key: KEYS.operator.key } });
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/v1\/me$/, async (route) => {
      await held;
      await route.continue();
    });
    const read = page.waitForRequest(/\/v1\/me$/);
    await page.goto(web.url());
    await read;
    await page.getByText('Loading…').waitFor();
    assert.equal(await rows(page).count(), 0);
    goOn();
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await web.leave(page);
  });

  it('is walked, opened and left by keys alone', async () => {
    const page = await listed();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    await page.locator(':focus', { hasText: 'Refund order' }).waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: QUESTIONS.choice.question }).waitFor();
    await page.keyboard.press('Escape');
    await rows(page).first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await web.leave(page);
  });

  it('says with which code it could not be read, and tries again', async () => {
    await askThree();
    const page = await web.visitor();
    await page.route(/\/v1\/suspensions\?/, (route) =>
      route.fulfill({
        status: 503,
        contentType: PROBLEM,
        body: JSON.stringify({
          code: 'store_unavailable',
          title: 'Store unavailable',
          detail: 'Away.',
        }),
      }),
    );
    await page.request.post(`${web.gate.url}/session`, { data: { key: KEYS.operator.key } });
    await page.goto(web.url());
    await page.getByText('store_unavailable').waitFor();
    await assertAccessible(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page).first().waitFor();
    await web.leave(page);
  });

  it('is not what a path shows that is no page', async () => {
    const page = await web.signedIn('operator', '/clamed');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await assertAccessible(page);
    await page.getByRole('link', { name: 'Go to the inbox' }).click();
    await page.getByRole('heading', { name: 'For me' }).waitFor({ state: 'attached' });
    await web.leave(page);
  });

  it('reads by itself once more what could not be brought up to date', async () => {
    const page = await listed();
    await page.route('**/v1/suspensions?*', async (route) => {
      const body = { code: 'store_unavailable', detail: 'The store did not answer.', status: 503 };
      await route.fulfill({ status: 503, contentType: PROBLEM, body: JSON.stringify(body) });
    });
    const { id } = await web.ask({ ...QUESTIONS.confirm, question: 'Asked meanwhile?' });
    await page.getByRole('alert').getByText('store_unavailable').waitFor();
    await page.unrouteAll();
    await page.locator(`[data-row="${id}"]`).waitFor();
    await web.leave(page);
  });

  it('shows what was asked after it was read, and before changes are heard of', async () => {
    await askThree();
    const page = await web.visitor();
    let release = (): void => undefined;
    const asked = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/v1/suspensions/subscribe', async (route) => {
      await asked;
      await route.continue();
    });
    await page.request.post(`${web.gate.url}/session`, { data: { key: KEYS.operator.key } });
    await page.goto(web.url());
    await rows(page).first().waitFor();
    const { id } = await web.ask({ ...QUESTIONS.confirm, question: 'Asked in between?' });
    release();
    await page.locator(`[data-row="${id}"]`).waitFor();
    await web.leave(page);
  });

  it('says that it is not connected, and connects again by itself', async () => {
    const page = await listed();
    web.gate.shut();
    await page.getByText('Not connected').first().waitFor();
    await assertAccessible(page);
    const later = await web.ask({
      question: 'Asked while the page was away?',
      response_type: 'confirm',
    });
    web.gate.open();
    await page.getByText('Connected again').waitFor();
    await page.locator(`[data-row="${later.id}"]`).waitFor();
    await web.leave(page);
  });

  it('stays as it is while its session cannot be read anew', async () => {
    await askThree();
    const page = await web.visitor();
    await page.request.post(`${web.gate.url}/session`, { data: { key: KEYS.operator.key } });
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    const failed: string[] = [];
    let reads = 0;
    page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname));
    // It is read once more when changes begin to be heard of, and that is when the API goes.
    await page.route('**/session', async (route) => {
      reads += 1;
      if (reads === 1) return route.continue();
      await lost;
      return route.abort();
    });
    await page.goto(web.url());
    await rows(page).first().waitFor();
    await lookUntil(() => Promise.resolve(reads > 1), 'the session is not read anew');
    web.gate.shut();
    lose();
    const isGivenUp = () => failed.filter((path) => path === '/session').length > 1;
    await lookUntil(() => Promise.resolve(isGivenUp()), 'the session is not given up');
    await page.unrouteAll();
    web.gate.open();
    await page.getByText('Connected again').waitFor();
    await rows(page).first().waitFor();
    await web.leave(page);
  });

  it('tells questions apart that begin with the same line', async () => {
    const asked = (to: string) => ({
      ...QUESTIONS.confirm,
      question: `Mail the offer?\nTo: ${to}`,
    });
    const ids = [await web.ask(asked('every client')), await web.ask(asked('two testers'))];
    const whole =
      '[...document.querySelectorAll("[data-row]")].every((row) => row.scrollHeight <= row.clientHeight)';
    for (const options of [{}, PHONE]) {
      const page = await web.signedIn('operator', '/', options);
      const [every, two] = ids.map(({ id }) => page.locator(`[data-row="${id}"]`));
      await every?.getByText('To: every client').waitFor();
      await two?.getByText('To: two testers').waitFor();
      const named = page.getByRole('checkbox', { name: 'Select: Mail the offer? To: two' });
      assert.equal(await named.count(), options === PHONE ? 0 : 1);
      assert.equal(await page.evaluate(whole), true);
      await assertAccessible(page);
      await web.leave(page);
    }
  });
});
