import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { visible } from '../../contracts/constants/visible-text.js';
import { QUESTIONS } from './support/questions.js';
import { PHONE, assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

describe('questions that look the same in a list, answered together', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  /** Selects these questions, and goes on to the page that answers them. */
  async function selected(ids: readonly string[], text: string): Promise<Page> {
    const page = await web.signedIn('operator', `/?text=${text}`);
    for (const id of ids) await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Answer together…' }).click();
    await page.getByRole('heading', { name: `Answer ${ids.length} questions together` }).waitFor();
    return page;
  }

  const HEAD = 'Twins: run the release script?';
  const SCRIPTS = [`${HEAD}\n\n-- keep fax\nALTER  users;`, `${HEAD}\n\n-- keep fax\nDROP  users;`];
  const CONTEXTS = [
    { amount: '€ 5', same: 'as ever', order: { note: 'first\nsecond \u202e', count: 2 } },
    {
      amount: '€ 7',
      same: 'as ever',
      order: { note: 'first\nthird \u202e', count: 2 },
      only: [],
    },
  ];

  async function twins(style?: 'danger'): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const [index, question] of SCRIPTS.entries()) {
      const choices = [
        { value: 'go', label: 'Go', ...(style && { style }) },
        { value: 'wait', label: 'Wait' },
      ];
      const context = CONTEXTS[index];
      ids.push((await web.ask({ question, context, response_type: 'choice', choices })).id);
    }
    return ids;
  }
  const rowOf = (page: Page, id: string) =>
    page.getByRole('listitem').filter({ has: page.locator(`a[href$="/q/${id}"]`) });

  it('tells them apart, shows all of each, and marks what differs', async () => {
    const ids = await twins();
    const page = await selected(ids, 'Twins');
    for (const [index, id] of ids.entries()) {
      const row = rowOf(page, id);
      assert.match(await row.innerText(), index === 0 ? /question: ALTER/ : /question: DROP/);
      assert.match(await row.innerText(), /context › [^]*and 1 more/);
      await row.getByText('Question and context', { exact: true }).focus();
      await page.keyboard.press('Enter');
      await row.getByText('as ever').waitFor();
      const texts = await row.locator('[dir=auto]').allInnerTexts();
      const { amount, order } = CONTEXTS[index] ?? assert.fail();
      for (const text of [SCRIPTS[index], amount, order.note, 'as ever', 'same']) {
        assert.ok(texts.includes(visible(text ?? '')), JSON.stringify([text, texts]));
      }
      const marks = await row.locator('details mark').allInnerTexts();
      const expected = index === 0 ? ['5', 'ALTER', 'second'] : ['7', 'DROP', 'third'];
      assert.deepEqual(marks.toSorted(), expected);
      const named = row.locator('dt', { hasText: 'differs' });
      assert.deepEqual(
        (await named.allInnerTexts()).map((text) => text.split(/\s/)[0]).toSorted(),
        ['amount', 'note', 'only'],
      );
      assert.equal(await row.getByText('Not given here.').count(), index === 0 ? 1 : 0);
    }
    await assertAccessible(page);
    await page.setViewportSize(PHONE.viewport);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width);
    await assertAccessible(page);
    await web.leave(page);
  });

  it('tells them apart in the confirmation too', async () => {
    const ids = await twins('danger');
    const page = await selected(ids, 'Twins');
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Go?' });
    await dialog.getByText('DROP', { exact: true }).waitFor();
    const rows = await dialog.getByRole('listitem').allInnerTexts();
    assert.equal(new Set(rows).size, 2, rows.join());
    for (const row of rows) assert.match(row, /differs\s+question:/);
    await page.setViewportSize(PHONE.viewport);
    await assertAccessible(page);
    await web.leave(page);
  });

  it('says so where they are the same', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const body = { ...QUESTIONS.confirm, question: 'Same: release?' };
        return (await web.ask(body)).id;
      }),
    );
    const page = await selected(ids, 'Same');
    await page.getByText('Question and context are the same in all of them.').waitFor();
    assert.equal(await page.getByText('differs').count(), 0);
    await web.leave(page);
  });
});
