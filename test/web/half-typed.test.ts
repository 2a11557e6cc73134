import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { lookUntil } from '../support/looks.js';
import { QUESTIONS } from './support/questions.js';
import { assertAccessible, useWebStack, writesOf, type WebStack } from './support/web-stack.js';

describe('what somebody has half typed', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  it('is posted as a comment by Ctrl Enter in its field, and sends no answer', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', `/q/${id}`);
    const writes = writesOf(page);
    await page.getByText('Refund half').click();
    const comment = page.getByRole('textbox', { name: 'A comment' });
    await comment.fill('Who has the photos?');
    await comment.press('Control+Enter');
    await page.getByRole('listitem').getByText('Who has the photos?').first().waitFor();
    const { state, comments } = await web.read(id);
    assert.deepEqual(
      [state, comments.map(({ text }) => text)],
      ['pending', ['Who has the photos?']],
    );
    await lookUntil(async () => (await comment.inputValue()) === '', 'the comment stays');
    await comment.press('Control+Enter');
    assert.equal(await page.getByRole('alert').count(), 0);
    assert.deepEqual(writes, [`POST /v1/suspensions/${id}/comments`]);
    await web.leave(page);
  });

  it('is still there as a comment after a reload, and to copy once the question is over', async () => {
    const { id } = await web.ask(QUESTIONS.confirm);
    const page = await web.signedIn('operator', `/q/${id}`);
    const comment = page.getByRole('textbox', { name: 'A comment' });
    await comment.fill('Wait for');
    await page.reload();
    await lookUntil(async () => (await comment.inputValue()) === 'Wait for', 'the comment is lost');
    await page.getByText('Yes', { exact: true }).click();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your answer settled it').waitFor();
    await page.getByText('Your comment was not posted').waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Your comment was not posted').waitFor({ state: 'detached' });
    await web.leave(page);
  });

  it('is kept of a dialog that was closed', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('button', { name: 'Delegate…' }).click();
    await page.getByLabel('Why').fill('Root knows');
    await page.mouse.click(5, 5);
    await page.getByLabel('Why').press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delegate…' }).click();
    assert.equal(await page.getByLabel('Why').inputValue(), 'Root knows');
    await web.leave(page);
  });

  it('is not sent by a key that is held down while the page asks once more', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', `/q/${id}`);
    const writes = writesOf(page);
    await page.getByText('Refuse and close').click();
    await page.keyboard.down('Control');
    await page.keyboard.down('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.up('Control');
    await page.getByRole('alertdialog').waitFor();
    assert.deepEqual(writes, []);
    await web.leave(page);
  });

  it('keeps the space after a word of a search', async () => {
    await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator');
    const search = page.getByRole('searchbox');
    await search.pressSequentially('Refund ');
    await page.waitForURL(/text=Refund$/);
    await search.pressSequentially('order');
    await page.waitForURL(/text=Refund\+order$/);
    await web.leave(page);
  });
});
