import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { linkMaker } from '../../runtime/link-tokens.js';
import { lookUntil } from '../support/looks.js';
import { LINK_KEYS } from '../support/real-stack.js';
import { smaller } from './support/png.js';
import { APPROVALS, QUESTIONS, TRANSFER } from './support/questions.js';
import { WebStack } from './support/web-stack.js';

/*
 * Takes the pictures of docs/inbox.md: mocha test/web/pictures.suite.ts
 */

const DOCS = path.resolve(import.meta.dirname, '../../docs');
const DESK = { viewport: { width: 1200, height: 760 } };
const PHONE = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true };
const CONFIG = { ...APPROVALS, directory: { people: { ana: { name: 'Ana Ruiz' } } } };

describe('the pictures of the inbox', function () {
  this.timeout(600_000);
  let web: WebStack;
  before(async () => {
    web = await WebStack.start(CONFIG);
    await mkdir(DOCS, { recursive: true });
  });
  after(() => web.close());

  async function take(
    name: string,
    at: string,
    see: (page: Page) => Promise<unknown>,
    options: BrowserContextOptions = DESK,
  ): Promise<void> {
    const page = await web.signedIn('operator', at, options);
    await see(page);
    await keep(name, page);
    await page.context().close();
  }
  async function keep(name: string, page: Page): Promise<void> {
    const picture = await page.screenshot({ animations: 'disabled' });
    await writeFile(path.join(DOCS, `inbox-${name}.png`), smaller(picture));
  }
  const row = (page: Page) => page.locator('[data-row]').nth(4).waitFor();
  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();

  it('are taken of real questions', async () => {
    await take('empty', '/', (page) =>
      page.getByRole('heading', { name: 'Nothing yet' }).waitFor(),
    );
    const { body } = await web.stack.post('/v1/approvals', 'agent', TRANSFER);
    const approval = await lookUntil(async () => {
      const { body: view } = await web.stack.get(`/v1/approvals/${body.request_id}`, 'operator');
      return (view.suspension_id as string | null) ?? undefined;
    }, 'nobody is asked');
    const asked = {
      choice: (await web.ask(QUESTIONS.choice)).id,
      confirm: (await web.ask(QUESTIONS.confirm)).id,
      text: (await web.ask(QUESTIONS.text)).id,
      form: (await web.ask(QUESTIONS.form)).id,
    };
    await take('list', '/', row);
    await take('list-dark', '/', row, { ...DESK, colorScheme: 'dark' });
    await take('phone-list', '/', row, PHONE);
    await take('phone-question', `/q/${asked.choice}`, heading, PHONE);
    await take('choice', `/q/${asked.choice}`, async (page) => {
      await heading(page);
      await page.keyboard.press('2');
    });
    await take('confirm', `/q/${asked.confirm}`, heading, { ...DESK, colorScheme: 'dark' });
    await take('text', `/q/${asked.text}`, (page) =>
      page.getByRole('textbox', { name: 'Your answer' }).fill('We are sorry, and call you today.'),
    );
    await take('form', `/q/${asked.form}`, async (page) => {
      await page.getByLabel('Pieces').fill('4000');
      await page.getByRole('button', { name: 'Send answer' }).click();
      await page.getByText('Required.').waitFor();
    });
    await take('edit', `/q/${approval}`, async (page) => {
      await page.getByRole('heading', { name: 'payments.transfer' }).waitFor();
      await page.keyboard.press('e');
      const editor = page.getByRole('textbox', { name: 'Arguments of payments.transfer' });
      await editor.fill((await editor.inputValue()).replace('18400', '18000'));
    });
    await take('approval', `/q/${approval}`, async (page) => {
      await page.getByRole('heading', { name: 'payments.transfer' }).waitFor();
      await page.keyboard.press('1');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
      await page.getByText('You answered: Approve').scrollIntoViewIfNeeded();
    });
    await take('settled', `/q/${asked.choice}`, async (page) => {
      await page.getByText('Refund half').click();
      const path = `/v1/suspensions/${asked.choice}/respond`;
      await web.stack.post(path, 'admin', { value: 'full', metadata: { via: 'inbox' } });
      await page.getByText('Answered by root before you').waitFor();
    });
    await take('offline', `/q/${asked.text}`, async (page) => {
      await page.getByRole('textbox', { name: 'Your answer' }).fill('We are sorry, and');
      web.gate.shut();
      await page.getByText('Not connected').first().waitFor();
    });
    web.gate.open();
    await bulk();
    const content = {
      space: 'default',
      person: 'ana',
      suspension_id: asked.text,
      question_version: 1,
    };
    const gone = new Date(Date.now() - 60_000).toISOString();
    const page = await web.visitor(DESK);
    await page.goto(await linkMaker(web.gate.url, LINK_KEYS)(content, gone));
    await page.getByRole('alert').waitFor();
    await keep('link', page);
  });

  async function bulk(): Promise<void> {
    const orders = ['4711', '4712', '4713'].map((order) =>
      web.ask({ question: `Release order ${order} to the warehouse?`, response_type: 'confirm' }),
    );
    const [first] = await Promise.all(orders);
    await take('bulk', '/?text=Release', async (page) => {
      await page.locator('[data-row]').nth(2).waitFor();
      for (const box of await page.getByRole('checkbox').all()) await box.check();
      await page.getByRole('button', { name: 'Answer together…' }).click();
      await page.getByText('Yes', { exact: true }).click();
      await web.stack.post(`/v1/suspensions/${first?.id ?? ''}/respond`, 'admin', { value: 'no' });
      await page.getByRole('button', { name: /to all 3/ }).click();
      await page.getByText('2 taken, 1 refused').waitFor();
    });
  }
});
