import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { Blocked } from '../../contracts/suspension/view.js';
import { readFresh } from '../support/fresh-reads.js';
import { lookUntil } from '../support/looks.js';
import { TEMPORAL_UI, ask, createIntent } from '../support/real-stack.js';
import { APPROVALS, QUESTIONS } from './support/questions.js';
import { PROBLEM, assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

/** The question has the page to itself: beside one, the list leaves out what the question says. */
const DESK = { viewport: { width: 1180, height: 900 } };

describe('what the page of a question shows around it', () => {
  let web: WebStack;
  useWebStack(APPROVALS, (started) => {
    web = started;
  });

  /** A part of the page, by its title. */
  const part = (page: Page, title: string) =>
    page.getByRole('main').locator('details, section').filter({ hasText: title });

  it('makes a form of the fields that the context names', async () => {
    const fields = [
      { name: 'pieces', label: 'Pieces', type: 'integer', required: true },
      { name: 'supplier', label: 'Supplier', required: true, options: ['Borealis', 'Tanaka'] },
      { name: 'until', label: 'Until', type: 'date', description: 'The last day that helps' },
      { name: 'express', label: 'By express', type: 'boolean' },
    ];
    const { id } = await web.ask({
      ...QUESTIONS.form,
      response_schema: undefined,
      context: { fields },
    });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByText('The last day that helps').waitFor();
    assert.equal(await page.getByLabel('Until').getAttribute('type'), 'date');
    await page.getByLabel('Pieces').fill('40');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Required.').waitFor();
    await assertAccessible(page);
    assert.equal((await web.read(id)).state, 'pending');
    await page.getByLabel('Supplier').selectOption({ label: 'Tanaka' });
    await page.getByLabel('Until').fill('2027-03-31');
    await page.getByLabel('By express').check();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Your answer settled it').waitFor();
    const { record } = await web.read(id);
    const answer = { pieces: 40, supplier: 'Tanaka', until: '2027-03-31', express: true };
    assert.deepEqual(record.response, answer);
    await web.leave(page);
  });

  it('lists what waits for the answer, the further on the more indented', async () => {
    const intent = await createIntent(web.stack);
    const depends_on = [intent.replace('/v1/intents/', '')];
    const body = { title: 'Close the case of Keller', status: 'active', depends_on };
    assert.equal((await web.stack.post('/v1/intents', 'agent', body)).status, 201);
    const { id } = await ask(web.stack, intent, {
      question: 'Refund Keller?',
      response_type: 'confirm',
    });
    // The page reads once what waits.
    await lookUntil(async () => {
      const at = `/v1/suspensions/${id}/blocks`;
      const { blocks } = await readFresh<{ blocks: Blocked[] }>(web.stack, at, 'operator');
      return blocks.length === 2;
    }, 'the intent that waits is not stored');
    const page = await web.signedIn('operator', '/?text=Keller', DESK);
    await page.locator(`[data-row="${id}"] a`).click();
    const tree = part(page, 'Waits for this answer');
    const lefts = await Promise.all(
      ['Refund', body.title].map(async (title) => {
        const box = await tree
          .getByRole('listitem')
          .getByText(title, { exact: true })
          .boundingBox();
        return box?.x ?? NaN;
      }),
    );
    assert.ok((lefts[0] ?? NaN) < (lefts[1] ?? NaN), JSON.stringify(lefts));
    await assertAccessible(page);
    await web.leave(page);
  });

  it('leads to the workflow of the question in the pages of Temporal', async () => {
    const { id } = await web.ask(QUESTIONS.confirm);
    const page = await web.signedIn('operator', `/q/${id}`, DESK);
    const link = page.getByRole('link', { name: 'The workflow of this question' });
    const workflow = workflowIdOf('suspension', id);
    const href = `${TEMPORAL_UI}/workflows/${encodeURIComponent(workflow)}`;
    assert.equal(await link.getAttribute('href'), href);
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    const { status } = await web.stack.client.workflow.getHandle(workflow).describe();
    assert.equal(status.name, 'RUNNING');
    await web.leave(page);
  });

  it('tells what was planned, what came of it, and who did what', async () => {
    const { id } = await web.ask({
      ...QUESTIONS.confirm,
      timeout_seconds: undefined,
      retry_policy: {
        max_attempts: 3,
        interval_seconds: 3_600,
        escalation_ladder: [{ attempt: 2, channel_hint: 'console', notify_to: 'root' }],
      },
    });
    const page = await web.signedIn('operator', `/q/${id}`, DESK);
    const reminders = part(page, 'Reminders');
    await reminders.getByText(/^delivered /).waitFor();
    await reminders.getByText('attempt 1 of 3').waitFor();
    const next = reminders
      .getByRole('listitem')
      .filter({ hasText: 'Reminder 1 by console to root' });
    await next.getByText(/^in (1 h|59 min)$/).waitFor();
    await reminders.getByText(/then it ends without an answer/).waitFor();
    await part(page, 'Who decides').getByText('root', { exact: true }).waitFor();
    await web.stack.post(`/v1/suspensions/${id}/claim`, 'admin', {});
    await web.stack.post(`/v1/suspensions/${id}/respond`, 'operator', {
      value: 'yes',
      despite_claim: true,
    });
    await page.getByText('Answered by alice').first().waitFor();
    await next.getByText('not needed').waitFor();
    const trail = part(page, 'Audit trail').getByRole('listitem');
    await trail.filter({ hasText: 'attempt 1' }).first().waitFor({ state: 'attached' });
    assert.equal(await trail.getByText(/\d{4}-\d\d-\d\dT|delivery id/).count(), 0);
    for (const [what, who] of [
      ['Asked', 'agent-1'],
      ['Claimed', 'root'],
      ['Answer accepted', 'alice'],
    ] as const) {
      await trail
        .filter({ hasText: what })
        .getByText(new RegExp(`^${who}\\b`))
        .waitFor();
    }
    await assertAccessible(page);
    await web.leave(page);
  });

  it('says that it is on its way, why it cannot be read, and tries again', async () => {
    const { id } = await web.ask(QUESTIONS.text);
    const page = await web.signedIn('operator');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const body = { code: 'store_unavailable', title: 'Store unavailable', detail: 'Away.' };
    await page.route(`**/v1/suspensions/${id}`, async (route) => {
      await held;
      await route.fulfill({ status: 503, contentType: PROBLEM, body: JSON.stringify(body) });
    });
    await page.locator(`[data-row="${id}"] a`).click();
    await page.getByRole('status').getByText('Loading the question…').waitFor();
    release();
    await page.getByRole('alert').getByText('store_unavailable').waitFor();
    await assertAccessible(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: QUESTIONS.text.question }).waitFor();
    await page.goto(web.url('/q/00000000-0000-4000-8000-000000000000'));
    await page.getByRole('alert').getByText('suspension_not_found').waitFor();
    await page.getByText('There is no such question').waitFor();
    assert.equal(await page.getByText(/suspension has/).count(), 0);
    await assertAccessible(page);
    await web.leave(page);
  });

  it('keeps what is typed while the network of the browser is away', async () => {
    const { id } = await web.ask(QUESTIONS.text);
    const page = await web.signedIn('operator', `/q/${id}`);
    const written = page.getByRole('textbox', { name: 'Your answer' });
    await written.waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('Not connected').first().waitFor();
    await written.fill('On the train');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Holdpoint cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Connected again').waitFor();
    assert.equal((await web.read(id)).state, 'pending');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Your answer settled it').waitFor();
    assert.equal((await web.read(id)).record.response, 'On the train');
    await web.leave(page);
  });
});
