import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { workflowIdOf } from '../../contracts/constants/names.js';
import { expireNowSignal } from '../../workflows/suspension/messages.js';
import { QUESTIONS } from './support/questions.js';
import { KEYS } from '../support/real-stack.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

describe('the page of a question', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  /** Asks, and opens the question as somebody. */
  async function opened(
    body: object,
    as: 'operator' | 'admin' = 'operator',
    options = {},
  ): Promise<{ readonly page: Page; readonly id: string }> {
    const { id } = await web.ask(body);
    const page = await web.signedIn(as, `/q/${id}`, options);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, id };
  }
  const settledBy = async (id: string) => {
    const { record } = await web.read(id);
    return [record.resolution, record.response, record.responded_by];
  };

  it('takes a choice, by a press and a button', async () => {
    const { page, id } = await opened(QUESTIONS.choice);
    await page.getByRole('radio').nth(2).waitFor();
    assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
    await page.getByText('Refund half').click();
    await page.getByRole('button', { name: 'Send: Refund half' }).waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Send: Refund half' }).click();
    await page.getByText('Your answer settled it').waitFor();
    await assertAccessible(page);
    assert.deepEqual(await settledBy(id), ['responded', 'half', 'alice']);
    await web.leave(page);
  });

  it('asks once more before a dangerous choice, by keys alone', async () => {
    const { page, id } = await opened(QUESTIONS.choice);
    await page.keyboard.press('3');
    await page.getByRole('radio', { name: /Refuse and close/, checked: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alertdialog', { name: 'Refuse and close?' }).waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    assert.equal((await web.read(id)).state, 'pending');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    assert.deepEqual(await settledBy(id), ['responded', 'refuse', 'alice']);
    await web.leave(page);
  });

  it('says what is unusual about a question, until it is settled', async () => {
    const ending = { timeout_seconds: 600, fallback_policy: 'complete_with_fallback' };
    const { page, id } = await opened({
      ...QUESTIONS.confirm,
      ...ending,
      fallback_value: 'may\u202ebe',
    });
    const note = page.getByText('Something is unusual about this question');
    await note.waitFor();
    await page
      .getByRole('listitem')
      .getByText('No person could answer with the fallback value "may[U+202E]be".', { exact: true })
      .waitFor();
    await assertAccessible(page);
    await page.keyboard.press('2');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    await note.waitFor({ state: 'detached' });
    assert.deepEqual(await settledBy(id), ['responded', 'no', 'alice']);
    const { page: usual } = await opened(QUESTIONS.confirm);
    await usual.getByText('Your answer').first().waitFor();
    assert.equal(await usual.getByText('unusual').count(), 0);
    await web.leave(page, usual);
  });

  it('settles once where two browsers answer, and keeps the draft of the later one', async () => {
    const { page: slow, id } = await opened(QUESTIONS.choice);
    const fast = await web.signedIn('admin', `/q/${id}`);
    await slow.getByText('Refund half').click();
    await fast.getByText('Refund in full').click();
    await fast.getByRole('button', { name: 'Send: Refund in full' }).click();
    await fast.getByText('Your answer settled it').waitFor();
    await slow.getByText('Answered by root before you').waitFor();
    await slow.getByText('by inbox').waitFor();
    // Its audit trail, which is folded, is another matter.
    assert.equal(await slow.getByText(/Answered by/).count(), 1);
    await assertAccessible(slow);
    await slow.getByRole('button', { name: 'Copy my draft' }).waitFor();
    assert.deepEqual(await settledBy(id), ['responded', 'full', 'root']);
    await web.leave(slow, fast);
  });

  it('says that it expired while somebody typed', async () => {
    const { page, id } = await opened(QUESTIONS.text);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('We are sorry');
    const due = { portfolio_id: 'of the test', deadline: new Date().toISOString() };
    const question = web.stack.client.workflow.getHandle(workflowIdOf('suspension', id));
    await question.signal(expireNowSignal, due);
    await page.getByText('Expired without an answer before you').waitFor();
    await page.getByRole('button', { name: 'Copy my draft' }).waitFor();
    await assertAccessible(page);
    await web.leave(page);
  });

  it('keeps a draft while the API is away, and sends nothing by itself', async () => {
    const { page, id } = await opened(QUESTIONS.text);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Kept');
    web.gate.shut();
    await page.getByText('Not connected').first().waitFor();
    await page.getByRole('button', { name: 'Send answer' }).click();
    // The question, which is read again, cannot be reached either.
    await page
      .getByRole('alert')
      .filter({ hasText: 'It is not known whether it arrived' })
      .getByText('Holdpoint cannot be reached')
      .waitFor();
    await assertAccessible(page);
    web.gate.open();
    await page.getByText('Connected again').waitFor();
    await page.getByText('Your answer may not have arrived').waitFor();
    assert.equal(await page.getByText('It is not known whether it arrived').count(), 0);
    await assertAccessible(page);
    assert.equal((await web.read(id)).state, 'pending');
    await page.reload();
    await page.getByText('Your answer may not have arrived').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Your answer' }).inputValue(), 'Kept');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Your answer settled it').waitFor();
    await web.leave(page);
  });

  it('keeps a draft where the session ended, and goes on after signing in again', async () => {
    const { page, id } = await opened(QUESTIONS.text);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Still here');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    assert.equal(await page.getByText('unauthenticated').count(), 0);
    await assertAccessible(page);
    await page.getByLabel('Key').fill(KEYS.operator.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.getByText('Your answer settled it').waitFor();
    assert.deepEqual(await settledBy(id), ['responded', 'Still here', 'alice']);
    await web.leave(page);
  });

  it('says by which rule somebody may not answer', async () => {
    const { page, id } = await opened({
      ...QUESTIONS.confirm,
      decision_rule: { eligible: { principals: ['root'] } },
    });
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('You may not answer this one').waitFor();
    await page.getByText('not_eligible').waitFor();
    await assertAccessible(page);
    assert.equal((await web.read(id)).state, 'pending');
    await web.leave(page);
  });

  it('says that an answer was handed over, and then that it counts', async () => {
    const { page, id } = await opened(QUESTIONS.confirm);
    await web.stack.delivered(id);
    await web.stack.stopWorker();
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Handed over, not confirmed yet').waitFor();
    await assertAccessible(page);
    await web.stack.startWorker();
    await page.getByText('Your answer settled it').waitFor();
    assert.deepEqual(await settledBy(id), ['responded', 'yes', 'alice']);
    await web.leave(page);
  });
});
