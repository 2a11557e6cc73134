import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { APPROVALS, TRANSFER } from './support/questions.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const NOTE = 'Only this once,\nand not again.';

describe('what comes with an answer in the inbox', () => {
  let web: WebStack;
  useWebStack(APPROVALS, (started) => {
    web = started;
  });

  const inOutcome = (page: Page, text: string) => page.getByRole('status').getByText(text).first();

  it('shows a note before it is sent, in the outcome and in the audit trail', async () => {
    const { id } = await web.ask({
      question: 'Go on?',
      response_type: 'choice',
      choices: [
        { value: 'go', label: 'Go on', style: 'danger' },
        { value: 'stop', label: 'Stop' },
      ],
    });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByText('Go on', { exact: true }).click();
    await page.getByRole('textbox', { name: 'A note' }).fill('Only this once.');
    await page.getByRole('button', { name: 'Send: Go on' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Only this once.').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('Your answer settled it').waitFor();
    await inOutcome(page, 'Only this once.').waitFor();
    await page.getByText('comment Only this once.').waitFor({ state: 'attached' });
    await assertAccessible(page);
    await web.leave(page);
  });

  it('keeps the lines of a note that came by another door', async () => {
    const { id } = await web.ask({ question: 'Ship it?', response_type: 'confirm' });
    const answer = { value: 'yes', comment: NOTE };
    const sent = await web.stack.post(`/v1/suspensions/${id}/respond`, 'operator', answer);
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    const page = await web.signedIn('admin', `/q/${id}`);
    await inOutcome(page, 'The note of alice:').waitFor();
    assert.ok((await page.getByRole('status').first().innerText()).includes(NOTE));
    await web.leave(page);
  });

  it('speaks of what is approved, not of what was asked, once somebody has edited it', async () => {
    const { id } = await web.askApproval({ ...TRANSFER, run_id: 'run-noted' });
    const alice = await web.signedIn('operator', `/q/${id}`);
    await alice.getByRole('heading', { name: 'payments.transfer' }).waitFor();
    await alice.keyboard.press('e');
    const editor = alice.getByRole('textbox', { name: 'Arguments of payments.transfer' });
    await editor.fill((await editor.inputValue()).replace('18400', '180'));
    await alice.getByRole('textbox', { name: 'A note' }).fill('Half of it is disputed.');
    await alice.getByRole('button', { name: 'Approve as edited…' }).click();
    const mine = alice.getByRole('alertdialog');
    await mine.getByText('payments.transfer will run with these arguments:').waitFor();
    await mine.getByText('"amount": 180,').first().waitFor();
    await mine.getByText('First asked').waitFor();
    await assertAccessible(alice);
    await mine.getByRole('button', { name: 'Approve' }).click();
    await alice.getByText('You answered: Approve').waitFor();

    const root = await web.signedIn('admin', `/q/${id}`);
    await root.getByText('Changes to payments.transfer since it was asked').waitFor();
    await root.getByText('Half of it is disputed.').first().waitFor();
    await root.keyboard.press('1');
    await root.keyboard.press('Control+Enter');
    const other = root.getByRole('alertdialog');
    await other.getByText('+   "amount": 180,').waitFor();
    await other.getByText('First asked').waitFor();
    await other.getByRole('button', { name: 'Approve' }).click();
    await root.getByText('Your answer settled it').waitFor();
    for (const line of ['−   "amount": 18400,', '+   "amount": 180,', 'Half of it is disputed.']) {
      await inOutcome(root, line).waitFor();
    }
    await assertAccessible(root);
    await web.leave(alice, root);
  });
});
