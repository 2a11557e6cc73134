import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { QUESTIONS } from './support/questions.js';
import { PHONE, assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const TARGET = 44;

/**
 * What can be pressed and is lower than a finger. Links within a text, what is inside a larger label, and the hidden way out of a
 * dialog are no targets.
 */
const TOO_LOW = `[...document.querySelectorAll('button, a, input, select, textarea, summary, label:has(input)')]
  .filter((one) => one.checkVisibility() && !one.matches('label input, dd a, p a, .skip, button:empty'))
  .map((one) => ({ text: one.textContent || one.tagName, height: Math.round(one.getBoundingClientRect().height) }))
  .filter(({ height }) => height > 1 && height < ${TARGET})`;

describe('the inbox on a phone', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  async function assertTargets(page: Page): Promise<void> {
    assert.deepEqual(await page.evaluate(TOO_LOW), []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width);
  }
  async function assertFits(page: Page): Promise<void> {
    await assertTargets(page);
    await assertAccessible(page);
  }

  it('has targets of 44 px, and nothing that is wider than it, on each page', async () => {
    const ids: string[] = [];
    for (const asked of Object.values(QUESTIONS)) ids.push((await web.ask(asked)).id);
    const guest = await web.visitor(PHONE);
    await guest.goto(web.url());
    await guest.getByLabel('Key').waitFor();
    await assertFits(guest);
    const page = await web.signedIn('operator', '/', PHONE);
    await page.locator('[data-row]').nth(3).waitFor();
    await assertFits(page);
    for (const at of ['/settings', ...ids.map((id) => `/q/${id}`)]) {
      await page.goto(web.url(at));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Loading').waitFor({ state: 'detached' });
      await assertFits(page);
    }
    await page.getByRole('button', { name: 'Delegate…' }).tap();
    await page.getByRole('dialog').waitFor();
    await assertTargets(page);
    await web.leave(guest, page);
  });

  it('keeps the choices at the bottom however far one reads', async () => {
    const note = 'A long story. '.repeat(400);
    const { id } = await web.ask({ ...QUESTIONS.choice, context: { note } });
    const page = await web.signedIn('operator', `/q/${id}`, PHONE);
    const answer = page.locator('section', { hasText: 'Your answer' });
    await answer.waitFor();
    await page.locator('aside details').first().waitFor();
    assert.equal(await page.locator('aside details[open]').count(), 0);
    await page.getByRole('button', { name: 'Show all' }).tap();
    for (const share of [0, 0.3]) {
      await page.evaluate(
        `{ const page = document.querySelector('.scroller'); page.scrollTop = page.scrollHeight * ${share}; }`,
      );
      const box = await answer.boundingBox();
      assert.ok(box && Math.round(box.y + box.height) === 844, JSON.stringify(box));
      assert.ok(box.height < 844 * 0.5, 'it covers the question');
      await page.getByText('Refuse and close').tap({ trial: true });
    }
    await page.getByRole('button', { name: 'Read first' }).tap();
    const folded = await answer.boundingBox();
    assert.ok(folded && folded.height < 844 * 0.1, JSON.stringify(folded));
    await assertTargets(page);
    await page.getByRole('button', { name: 'Answer', exact: true }).tap();
    await page.getByText('Refuse and close').tap();
    await page.getByRole('button', { name: /^Send: Refuse/ }).tap({ trial: true });
    await web.leave(page);
  });

  it('keeps Send within reach under a long heading and long choices', async () => {
    const label = 'Pay all of it at once, and tell each of them why. '.repeat(3);
    const choices = ['a', 'b', 'c', 'd'].map((value) => ({ value, label: `${value} ${label}` }));
    const { id } = await web.ask({
      question: 'What is to be done about the invoices of last year? '.repeat(3).trim(),
      response_type: 'choice',
      choices,
      context: { note: 'A long story. '.repeat(80) },
    });
    const page = await web.signedIn('operator', `/q/${id}`, PHONE);
    const send = page.getByRole('button', { name: /^Send/ });
    await send.waitFor();
    const isWithin = async () => {
      const box = await send.boundingBox();
      assert.ok(box && box.y + box.height <= 844, JSON.stringify(box));
    };
    await isWithin();
    const lowest = page.getByText('d Pay all of it');
    await lowest.scrollIntoViewIfNeeded();
    await isWithin();
    await lowest.tap();
    await send.and(page.getByRole('button', { name: /^Send: d Pay/ })).waitFor();
    await isWithin();
    await assertFits(page);
    await send.tap();
    await page.getByText('Your answer settled it').waitFor();
    await web.leave(page);
  });

  it('shows all of a context on the narrowest phone, above the answer', async () => {
    const { id } = await web.ask({
      ...QUESTIONS.choice,
      context: {
        diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+' + 'b'.repeat(200),
        items: [
          { name: 'a_long_name_without_blanks_that_goes_on', count: 1 },
          { name: 'b', count: 2 },
        ],
        at: '2025-03-01T22:00:00Z',
        script: `if a:\n    ${'x'.repeat(300)}`,
        last: 'the end of it',
      },
    });
    const page = await web.signedIn('operator', `/q/${id}`, PHONE);
    await page.setViewportSize({ width: 360, height: 640 });
    const last = page.getByText('the end of it');
    await last.waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    assert.equal(
      await page.evaluate("document.querySelector('.scroller').scrollWidth <= 360"),
      true,
    );
    assert.equal(await page.getByRole('table').count(), 0);
    await page.getByText('Refuse and close').tap({ trial: true });
    await page.evaluate(
      "[...document.querySelectorAll('main dd div')].find((one) => one.textContent === 'the end of it').scrollIntoView({ block: 'start' })",
    );
    const [end, sheet] = await Promise.all([
      last.boundingBox(),
      page.locator('section', { hasText: 'Your answer' }).boundingBox(),
    ]);
    assert.ok(end && sheet && end.y + end.height <= sheet.y, JSON.stringify([end, sheet]));
    assert.ok(sheet.height <= 640 / 2, 'less than half of the screen is left to read');
    await assertAccessible(page);
    await web.leave(page);
  });

  it('answers one at a time', async () => {
    const page = await web.signedIn('operator', '/', PHONE);
    await page.locator('[data-row]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    assert.equal(await page.getByRole('checkbox').count(), 0);
    assert.equal(await page.getByText('selected').count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Answer together…' }).count(), 0);
    await web.leave(page);
  });
});
