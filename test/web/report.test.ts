import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { lookUntil } from '../support/looks.js';
import { APPROVALS, MAIL, QUESTIONS } from './support/questions.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

describe('the report for managers', () => {
  let web: WebStack;
  useWebStack(APPROVALS, async (started) => {
    web = started;
    await web.askApproval(MAIL);
    await web.ask(QUESTIONS.form);
    await web.ask(QUESTIONS.confirm, 'agent2');
    // The report is read from the store, which may be a moment behind.
    await lookUntil(async () => {
      const { body } = await web.stack.get('/v1/metrics/engagement', 'operator');
      return (body as { total: { asked: number } }).total.asked === 3;
    }, 'the questions are not counted');
  });

  /** Opens the report, and waits for its figures. */
  async function opened(at = '', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await web.signedIn('operator', `/report${at}`, options);
    await page.getByText('Until answered').first().waitFor();
    return page;
  }

  /** How many questions the row with a name has. */
  const askedIn = (page: Page, name: string | RegExp) =>
    page.getByRole('main').getByRole('row', { name }).getByRole('cell').first().textContent();

  /** How many questions the sums have, once they are as many. */
  async function sums(page: Page, asked: number): Promise<void> {
    await page
      .locator('dl > div', { hasText: /^Asked/ })
      .getByText(String(asked), { exact: true })
      .waitFor();
  }

  const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

  it('has sums and a table, by day and by tool', async () => {
    const page = await opened();
    await sums(page, 3);
    await assertAccessible(page);
    await page.getByLabel('Grouping').selectOption('tool');
    await page.getByRole('row', { name: /mail\.send/ }).waitFor();
    assert.equal(await askedIn(page, /mail\.send/), '1');
    assert.equal(await askedIn(page, /No tool/), '2');
    assert.equal(new URL(page.url()).search, '?by=tool');
    const link = page.getByRole('link', { name: 'Download as CSV' });
    const href = await link.getAttribute('href');
    assert.match(String(href), /^\/v1\/metrics\/engagement\.csv\?group_by=tool&/);
    await web.leave(page);
  });

  it('says how one agent is doing, of those that asked on these days', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Filter…' }).click();
    const agent = page.getByLabel('Agent');
    await agent.getByRole('option', { name: 'agent-1' }).waitFor({ state: 'attached' });
    await agent.selectOption('agent-1');
    await sums(page, 2);
    await page.waitForURL(/\?agent=agent-1$/);
    const link = page.getByRole('link', { name: 'Download as CSV' });
    assert.match(String(await link.getAttribute('href')), /[?&]agent=agent-1(&|$)/);
    await assertAccessible(page);
    const tool = page.getByLabel('Tool');
    await tool.getByRole('option', { name: 'mail.send' }).waitFor({ state: 'attached' });
    await tool.selectOption('mail.send');
    await sums(page, 1);
    await page.reload();
    await sums(page, 1);
    assert.equal(await page.getByLabel('Agent').inputValue(), 'agent-1');
    await page.getByLabel('Agent').selectOption('');
    await page.getByLabel('Tool').selectOption('');
    await sums(page, 3);
    assert.equal(new URL(page.url()).search, '');
    await web.leave(page);
  });

  it('says that nobody of a name asked, and what the service refuses', async () => {
    const page = await web.signedIn('operator', '/report?agent=nobody-here');
    await page.getByText('No such question was asked on these days').waitFor();
    assert.equal(await page.getByLabel('Agent').inputValue(), 'nobody-here');
    await assertAccessible(page);
    await page.setViewportSize({ width: 360, height: 700 });
    await page.goto(web.url(`/report?agent=${'refund-agent-'.repeat(15)}`));
    await page.getByText('No such question was asked on these days').waitFor();
    assert.equal(await widthOf(page), 360);
    await page.goto(web.url(`/report?agent=${'x'.repeat(201)}`));
    await page.getByRole('alert').getByText('invalid_request').waitFor();
    await assertAccessible(page);
    await web.leave(page);
  });

  it('is read and narrowed by the keyboard alone', async () => {
    const page = await opened('?by=agent');
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
    /** Presses Tab until something has the focus. */
    async function tabTo(name: string): Promise<void> {
      const seen: string[] = [];
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        seen.push(await focused());
        if (seen.at(-1) === name) return;
      }
      assert.fail(`${name} is not reached: ${seen.join(' | ')}`);
    }
    await tabTo('Days');
    await tabTo('Grouping');
    await tabTo('Filter…');
    await page.keyboard.press('Enter');
    await page.getByLabel('Channel').waitFor();
    await tabTo('Figures');
    await tabTo('agent-1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?by=day&agent=agent-1$/);
    await sums(page, 2);
    await page.goBack();
    await sums(page, 3);
    await web.leave(page);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`fits a phone, ${colorScheme}`, async () => {
      const page = await opened('?by=tool&agent=agent-1', {
        viewport: { width: 360, height: 700 },
        colorScheme,
      });
      const tone = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const [red = NaN] = (/\d+/.exec(tone) ?? []).map(Number);
      assert.equal(red < 128, colorScheme === 'dark', tone);
      await page.getByRole('row', { name: /mail\.send/ }).waitFor();
      await assertAccessible(page);
      assert.equal(await widthOf(page), 360);
      await page.getByLabel('Grouping').selectOption('day');
      await page.getByRole('figure').waitFor();
      await assertAccessible(page);
      assert.equal(await widthOf(page), 360);
      await web.leave(page);
    });
  }
});
