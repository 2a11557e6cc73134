import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { lookUntil } from '../support/looks.js';
import { QUESTIONS } from './support/questions.js';
import {
  assertAccessible,
  chooseByKey,
  useWebStack,
  writesOf,
  type WebStack,
} from './support/web-stack.js';

const WIDE = { viewport: { width: 1_280, height: 720 } };

describe('a question beside the list', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  /** Asks questions that a word finds, the most urgent first. */
  const asked = (word: string, ...bodies: readonly object[]) =>
    Promise.all(
      bodies.map(async (body, index) => {
        const timeout_seconds = 3_600 * (index + 1);
        const question = `${word}, number ${index + 1}?`;
        return (await web.ask({ ...body, question, timeout_seconds })).id;
      }),
    );

  /** The list of such questions on a wide screen, where none is open so far. */
  async function listed(word: string): Promise<Page> {
    const page = await web.signedIn('operator', `/?text=${word}`, WIDE);
    await page.locator('[data-row]').first().waitFor();
    await page.getByRole('heading', { name: 'No question is open' }).waitFor();
    return page;
  }
  const link = (page: Page, id: string | undefined) =>
    page.locator(`[data-row="${id}"]`).getByRole('link');
  /** Waits until a question is open beside the list, marked there, with the focus on its heading. */
  async function reads(page: Page, word: string, number: number): Promise<void> {
    const name = `${word}, number ${number}?`;
    await page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor();
    await page.locator('[data-row] [aria-current=true]', { hasText: name }).waitFor();
    assert.equal(await page.locator('[aria-current=true]').count(), 1);
  }
  const addressOf = (page: Page) => page.url().slice(web.url('').length);
  const scrolled = (page: Page) =>
    page.evaluate<readonly number[]>(
      "[document.documentElement, document.querySelector('[data-compact] ul').parentElement, document.querySelector('.scroller')].map((one) => Math.round(one.scrollTop))",
    );

  it('opens at its address and leaves the list as it is', async () => {
    const note = 'A long story. '.repeat(800);
    const bodies = Array.from({ length: 20 }, () => ({ ...QUESTIONS.choice, context: { note } }));
    const ids = await asked('Beside', ...bodies);
    const page = await listed('Beside');
    await assertAccessible(page);
    const list = page.locator('[data-compact] ul');
    await list.hover();
    await page.mouse.wheel(0, 900);
    await link(page, ids[11]).click();
    await reads(page, 'Beside', 12);
    const before = await scrolled(page);
    assert.ok((before[1] ?? 0) > 500, String(before));
    assert.equal(addressOf(page), `/q/${ids[11]}`);
    assert.match(await page.title(), /^Beside, number 12/);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('heading', { level: 1 }).hover();
    await page.mouse.wheel(0, 700);
    await lookUntil(async () => ((await scrolled(page))[2] ?? 0) > 500, 'it does not scroll');
    assert.deepEqual((await scrolled(page)).slice(0, 2), before.slice(0, 2));
    await assertAccessible(page);
    // A question that comes into view begins at its start, and a reload keeps the list.
    await link(page, ids[12]).click();
    await reads(page, 'Beside', 13);
    assert.deepEqual(await scrolled(page), [...before.slice(0, 2), 0]);
    await page.reload();
    await page.locator(`[data-row="${ids[12]}"] [aria-current=true]`).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), 'Beside');
    assert.ok(((await scrolled(page))[1] ?? 0) > 0, 'the row is out of view');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Beside, number 12?' }).waitFor();
    await web.leave(page);
  });

  it('is gone through and answered by keys, as the list is', async () => {
    const ids = await asked('Keys', QUESTIONS.confirm, QUESTIONS.choice, QUESTIONS.confirm);
    const page = await listed('Keys');
    const writes = writesOf(page);
    await page.keyboard.press('j');
    await link(page, ids[0]).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await reads(page, 'Keys', 1);
    await page.keyboard.press('j');
    await reads(page, 'Keys', 2);
    await page.keyboard.press('k');
    await reads(page, 'Keys', 1);
    // Whoever closes it goes on from its row.
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'No question is open' }).waitFor();
    await link(page, ids[0]).and(page.locator(':focus')).waitFor();
    assert.equal(addressOf(page), '/?text=Keys');
    await page.keyboard.press('j');
    await link(page, ids[1]).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await reads(page, 'Keys', 2);
    await chooseByKey(page, '2');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    await page.locator(`[data-row="${ids[1]}"]`).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await reads(page, 'Keys', 3);
    await chooseByKey(page, '1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('heading', { name: 'No question is open' }).waitFor();
    await link(page, ids[0]).waitFor();
    assert.deepEqual(
      writes,
      [ids[1], ids[2]].map((id) => `POST /v1/suspensions/${id}/respond`),
    );
    await web.leave(page);
  });

  it('stays while the list is filtered, ordered and selected from', async () => {
    const ids = await asked('Filter', QUESTIONS.text, QUESTIONS.confirm, QUESTIONS.confirm);
    const newest = (await Promise.all(ids.map((id) => web.read(id))))
      .map(({ record }) => record)
      .sort((one, other) => other.suspended_at.localeCompare(one.suspended_at))
      .map(({ question }) => question);
    const page = await listed('Filter');
    const titles = () => page.locator('[data-row] a > span:first-child').allTextContents();
    await link(page, ids[0]).click();
    await reads(page, 'Filter', 1);
    const answer = page.getByRole('textbox', { name: 'Your answer' });
    await answer.fill('Half of it');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Filter Newsletter');
    await lookUntil(async () => (await titles()).length === 2, 'it is not filtered');
    assert.equal(await link(page, ids[0]).count(), 0);
    await page.getByRole('searchbox').fill('Filter');
    await lookUntil(async () => (await titles()).length === 3, 'it is filtered still');
    await page.getByRole('combobox', { name: 'Order' }).selectOption('newest');
    await lookUntil(
      async () => (await titles()).join() === newest.join(),
      'it is not ordered anew',
    );
    assert.equal(addressOf(page), `/q/${ids[0]}`);
    assert.equal(await answer.inputValue(), 'Half of it');
    // Its row is the active one.
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('x');
    await page.locator(`[data-row="${ids[0]}"]`).getByRole('checkbox', { checked: true }).waitFor();
    await page.keyboard.press('x');
    await page.locator(`[data-row="${ids[1]}"]`).getByRole('checkbox').check();
    await page.locator(`[data-row="${ids[2]}"]`).getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    await assertAccessible(page);
    assert.equal(addressOf(page), `/q/${ids[0]}`);
    await page.getByRole('button', { name: 'Answer together…' }).click();
    await page.getByRole('heading', { name: 'Answer 2 questions together' }).waitFor();
    await page.getByRole('link', { name: '← Inbox' }).click();
    await page.getByRole('heading', { name: 'No question is open' }).waitFor();
    assert.equal(addressOf(page), '/?text=Filter&sort=newest');
    await link(page, ids[0]).click();
    await reads(page, 'Filter', 1);
    assert.equal(await answer.inputValue(), 'Half of it');
    await page.getByRole('link', { name: /^Settled/ }).click();
    await page.getByRole('heading', { name: 'No question is open' }).waitFor();
    assert.equal(addressOf(page), '/settled');
    await web.leave(page);
  });

  it('stays as it is where the window becomes narrow, with an answer that is not sent yet', async () => {
    const ids = await asked('Narrow', QUESTIONS.choice);
    const page = await web.signedIn('operator', '/settings', WIDE);
    await page.evaluate("localStorage['holdpoint-settings'] = '{}'");
    await page.clock.install();
    await page.goto(web.url('/?text=Narrow'));
    await link(page, ids[0]).click();
    await reads(page, 'Narrow', 1);
    await page.clock.pauseAt(Date.now() + 60_000);
    const writes = writesOf(page);
    await page.keyboard.press('2');
    await page.keyboard.press('Control+Enter');
    const unsent = page.getByText('Not sent yet');
    await lookUntil(async () => {
      await page.clock.runFor(1);
      return (await unsent.count()) > 0;
    }, 'it is sent at once');
    for (const [width, rows] of [
      [1_199, 0],
      [1_200, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 720 });
      await lookUntil(async () => {
        await page.clock.runFor(1);
        return (await page.locator('[data-row]').count()) === rows;
      }, `not ${rows} rows at ${width} px`);
      await unsent.waitFor();
    }
    await page.keyboard.press('z');
    await page.getByText('Your answer is still here').waitFor();
    assert.deepEqual(writes, []);
    await page.context().close();
  });
});
