import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { APPROVALS, MAIL, QUESTIONS } from './support/questions.js';
import {
  assertAccessible,
  loadHelp,
  useWebStack,
  writesOf,
  type WebStack,
} from './support/web-stack.js';

const SINGLE = [...Array.from('abcdefghilmnopqrstuvwxyz1234567890/?'), 'Enter', 'Space', 'Delete'];

describe('the keys of the inbox', () => {
  let web: WebStack;
  useWebStack(APPROVALS, (started) => {
    web = started;
  });

  const heading = (page: Page) => page.getByRole('heading', { level: 1 });

  it('decide nothing where one is pressed alone', async () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      [(await web.ask(QUESTIONS.choice)).id, ['d', 's', '?']],
      [(await web.askApproval(MAIL)).id, ['s', '?']],
    ];
    for (const [id, opens] of cases) {
      const page = await web.signedIn('operator', `/q/${id}`);
      await page.getByRole('button', { name: 'Claim' }).waitFor();
      const writes = writesOf(page);
      for (const key of SINGLE) {
        await page.keyboard.press(key);
        if (opens.includes(key)) {
          const dialog = page.getByRole('dialog');
          await dialog.waitFor();
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
        }
        await page.evaluate('document.activeElement.blur()');
      }
      await page.getByRole('radio', { checked: true }).waitFor();
      assert.deepEqual(
        writes.filter((one) => !one.endsWith('/claim')),
        [],
      );
      await web.leave(page);
    }
  });

  it('choose the first nine of ten answers, and send with ⌘ as with Ctrl', async () => {
    const choices = Array.from({ length: 10 }, (_, at) => ({
      value: `v${at + 1}`,
      label: `No. ${at + 1}`,
    }));
    const { id } = await web.ask({ question: 'Which of ten?', response_type: 'choice', choices });
    const page = await web.signedIn('operator', `/q/${id}`);
    await heading(page).waitFor();
    for (let digit = 1; digit <= 9; digit += 1) {
      await page.keyboard.press(String(digit));
      await page.getByRole('radio', { name: `No. ${digit}`, exact: true, checked: true }).waitFor();
    }
    await page.keyboard.press('Meta+Enter');
    await page.getByText('Your answer settled it').waitFor();
    assert.equal((await web.read(id)).record.response, 'v9');
    await web.leave(page);
  });

  it('are letters where they are switched off, but for Ctrl Enter and Esc', async () => {
    const { id } = await web.ask(QUESTIONS.confirm);
    const page = await web.signedIn('operator', '/settings');
    await loadHelp(page);
    await page.getByText('Single keys are commands').click();
    await page.getByText('Dark', { exact: true }).click();
    await page.locator('html[data-theme=dark]').waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    const row = page.locator(`[data-row="${id}"]`);
    await row.waitFor();
    for (const key of ['j', 'k', 'x', '/', '?']) await page.keyboard.press(key);
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await page.evaluate("document.activeElement.matches('a, input')"), false);
    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    const writes = writesOf(page);
    for (const key of ['1', 'c', 'd', 'e', 'm', '?']) await page.keyboard.press(key);
    assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(writes, []);
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByText('Single keys are switched off').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Yes', { exact: true }).click();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').waitFor();
    await web.leave(page);
  });
});
