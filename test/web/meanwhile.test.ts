import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { lookUntil } from '../support/looks.js';
import { QUESTIONS } from './support/questions.js';
import { useWebStack, type WebStack } from './support/web-stack.js';

describe('what happens while the inbox waits for a reply', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  /** Holds the next reply to such a request back, which says what was so at its time. */
  async function holdNext(page: Page, of: RegExp) {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const hold: Parameters<Page['route']>[1] = async (route) => {
      const response = await route.fetch();
      arrive();
      await released;
      await route.fulfill({ response });
    };
    await page.route(of, hold, { times: 1 });
    return { arrived, release: () => release() };
  }

  /** The inbox, live, with a stream of our own that is told of changes after that of the page. */
  async function live(): Promise<Page> {
    const page = await web.signedIn('operator');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(`new Promise((resolve) => {
      const source = new EventSource('/v1/suspensions/subscribe');
      source.addEventListener('open', resolve);
      globalThis.told = new Promise((tell) => source.addEventListener('suspension', tell));
    })`);
    return page;
  }
  const told = (page: Page) => page.evaluate('globalThis.told.then(() => true)');

  it('is shown of a question that was being read for the first time', async () => {
    const { id } = await web.ask(QUESTIONS.text);
    const page = await live();
    const reply = await holdNext(page, new RegExp(`/v1/suspensions/${id}$`));
    await page.locator(`[data-row="${id}"]`).getByRole('link').click();
    await reply.arrived;
    await web.stack.post(`/v1/suspensions/${id}/claim`, 'admin', {});
    await told(page);
    reply.release();
    await page.getByText('root has it until').waitFor();
    await web.leave(page);
  });

  it('is shown in a list that was being read for the first time', async () => {
    await web.ask(QUESTIONS.form);
    const page = await live();
    const reply = await holdNext(page, /\/v1\/suspensions\?/);
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: 'All' })
      .click();
    await reply.arrived;
    // Lists are read again a moment after a change, and with them what is counted.
    const counted = page.waitForRequest(/\/counts/);
    const { id } = await web.ask(QUESTIONS.confirm);
    await counted;
    reply.release();
    await page.locator(`[data-row="${id}"]`).waitFor();
    await web.leave(page);
  });

  it('keeps what is typed while a comment is on its way', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', `/q/${id}`);
    const comment = page.getByRole('textbox', { name: 'A comment' });
    await comment.fill('Who has the photos?');
    const reply = await holdNext(page, /\/comments$/);
    await comment.press('Control+Enter');
    await reply.arrived;
    await comment.press('End');
    await page.keyboard.type(' And the bill?');
    reply.release();
    await lookUntil(async () => {
      await comment.press('Control+Enter');
      const { comments } = await web.read(id);
      return comments.some(({ text }) => text === 'Who has the photos? And the bill?');
    }, 'what was typed meanwhile cannot be sent');
    await web.leave(page);
  });
});
