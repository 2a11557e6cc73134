import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { after, before, describe, it } from 'mocha';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { linkMaker } from '../../runtime/link-tokens.js';
import type { Store } from '../../store/schema.js';
import { lookUntil } from '../support/looks.js';
import { LINK_KEYS } from '../support/stack-activities.js';
import { smaller } from './support/png.js';
import { ALLOWED } from './support/site.js';
import { APPROVALS, QUESTIONS, TRANSFER, TRANSFER_SCHEMA } from './support/questions.js';
import { WebStack } from './support/web-stack.js';

/*
 * Takes the pictures of docs/inbox.md: mocha test/web/pictures.suite.ts
 */

const DOCS = path.resolve(import.meta.dirname, '../../docs');
/** A question has no room beside the list there. */
const DESK = { viewport: { width: 1180, height: 760 } };
const WIDE = { viewport: { width: 1440, height: 810 } };
const PHONE = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true };
const CONFIG = { ...APPROVALS, directory: { people: { ana: { name: 'Ana Ruiz' } } } };

/** Keeps what managers count of some weeks: fewer questions at weekends, and more tools than one. */
async function askedForWeeks(db: Store): Promise<void> {
  await sql`
    insert into question_facts (suspension_id, asked_at, asked_by, tools, resolution, settled_at, denied, edited,
      as_expected, claimed_at, viewed_at)
    select gen_random_uuid()::text, at, 'agent-' || n % 3,
      case n % 5 when 0 then '{}' when 1 then '{mail.send}' when 2 then '{orders.cancel}' else '{payments.transfer}' end::text[],
      case n % 11 when 0 then 'expired' when 1 then 'cancelled' else 'responded' end,
      at + n * 7919 % 5400 * interval '1 second', n % 11 > 8, n % 11 = 5, n % 11 in (2, 3, 4, 6),
      case when n % 2 = 0 then at + n * 7907 % 2000 * interval '1 second' end, at + n * 7901 % 900 * interval '1 second'
    from (
      select row_number() over () as n, day + (8 + nth % 10) * interval '1 hour' as at
      from generate_series(date_trunc('day', now()) - interval '28 days', now() - interval '1 day', interval '1 day') day,
        lateral generate_series(1, case when extract(isodow from day) > 5 then 6 else 25 + extract(day from day)::integer % 9 end) nth
    ) each`.execute(db);
}

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
    const { id: release } = await web.ask(QUESTIONS.release);
    await take('context', `/q/${release}`, heading, { viewport: { width: 1180, height: 880 } });
    await take(
      'split',
      '/',
      async (page) => {
        await page.locator(`[data-row="${release}"]`).getByRole('link').click();
        await page.getByRole('button', { name: 'Claim' }).waitFor();
      },
      WIDE,
    );
    await take(
      'undo',
      `/q/${asked.confirm}`,
      async (page) => {
        await page.evaluate(`localStorage['holdpoint-settings'] = '{"undoSeconds":30}'`);
        await page.reload();
        await page.getByRole('button', { name: 'Claim' }).waitFor();
        await page.keyboard.press('1');
        await page.keyboard.press('Control+Enter');
        await page.getByText('Not sent yet').waitFor();
        await page.getByText('Your answer', { exact: true }).scrollIntoViewIfNeeded();
      },
      { viewport: { width: 1180, height: 560 } },
    );
    const refund = await web.askApproval({
      ...TRANSFER,
      run_id: 'run-form',
      calls: [{ ...TRANSFER.calls[0], input_schema: TRANSFER_SCHEMA }],
    });
    await take(
      'edit-form',
      `/q/${refund.id}`,
      async (page) => {
        await page.getByRole('heading', { name: 'payments.transfer' }).waitFor();
        await page.keyboard.press('e');
        await page.getByLabel('Amount').fill('18000');
        await page.getByText('+   "amount": 18000').waitFor();
      },
      { viewport: { width: 1180, height: 1040 } },
    );
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

  it('are taken of what people put off, pass on and save', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    for (const question of [QUESTIONS.confirm, QUESTIONS.text, QUESTIONS.form]) {
      await web.ask(question);
    }
    for (const [name, filter] of [
      ['Refunds, riskiest first', { view: 'all', text: 'refund', sort: 'risk' }],
      ['Oldest of all', { view: 'all', sort: 'oldest' }],
    ] as const) {
      await web.stack.put(`/v1/me/views/${randomUUID()}`, 'operator', { name, filter });
    }
    await take('views', '/all?sort=oldest', async (page) => {
      await page.locator('[data-row]').nth(3).waitFor();
      await page.getByRole('button', { name: 'Edit view…' }).waitFor();
    });
    await take('snooze', `/q/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Snooze…' }).click();
      await page.getByRole('dialog', { name: 'Snooze' }).waitFor();
    });
    await take('delegate', `/q/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Delegate…' }).click();
      await page.getByRole('combobox', { name: 'To whom' }).fill('An');
      await page.getByRole('option').first().waitFor();
    });
  });

  it('are taken of what people are told by, and of what managers see', async () => {
    await take(
      'notifications',
      '/',
      async (page) => {
        await page.addInitScript(ALLOWED);
        await page.goto(web.url('/settings'));
        await page.getByText('Show a notification when a question comes for me').click();
        await page.getByText('Quiet hours, in every browser of mine').click();
        await page.getByLabel('From').waitFor();
        await page.getByRole('heading', { name: 'Notifications' }).scrollIntoViewIfNeeded();
      },
      { viewport: { width: 1180, height: 620 } },
    );
    await askedForWeeks(web.stack.store.db);
    await take(
      'report',
      '/report?by=tool&agent=agent-1',
      async (page) => {
        await page.getByRole('row', { name: /payments/ }).waitFor();
      },
      { viewport: { width: 1180, height: 940 } },
    );
  });

  async function bulk(): Promise<void> {
    const orders = ['4711', '4712', '4713'].map((order) =>
      web.ask({ question: `Release order ${order} to the warehouse?`, response_type: 'confirm' }),
    );
    const [first] = await Promise.all(orders);
    await take('bulk', '/?text=Release+order', async (page) => {
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
