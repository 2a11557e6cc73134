import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { ApprovalView } from '../../contracts/approval/approval.js';
import { lookUntil } from '../support/looks.js';
import { APPROVALS, MAIL, TRANSFER } from './support/questions.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

describe('approvals in the inbox', () => {
  let web: WebStack;
  useWebStack(APPROVALS, (started) => {
    web = started;
  });

  const decided = (id: string): Promise<ApprovalView> =>
    lookUntil(async () => {
      const view = await web.readApproval(id);
      return view.status === 'approved' && view;
    }, 'nothing is approved');
  const inOutcome = (page: Page, text: string) => page.getByRole('status').getByText(text).first();
  const focused = (page: Page) =>
    page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
    );
  /** A proxy says that it got no reply, after the API has heard the answer, or without that. */
  const loseReplies = (page: Page, id: string, hears: () => Promise<boolean>) =>
    page.route(`**/${id}/respond`, async (route) => {
      if (await hears()) await route.fetch();
      await route.fulfill({ status: 504 });
    });
  const approve = async (page: Page) => {
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Approve?' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
  };

  it('counts 1 of 2, and settles with 2 of 2 [A54-06]', async () => {
    const { id, approval: approvalId } = await web.askApproval(TRANSFER);
    const alice = await web.signedIn('operator', `/q/${id}`);
    await alice.getByText('high risk').waitFor();
    await alice.getByText('0 of 2 agree').first().waitFor();
    await alice.getByText('then it is denied').waitFor({ state: 'attached' });
    const { record } = await web.read(id);
    await alice.getByText(record.approval?.proposal_hash ?? 'none').waitFor();
    await alice.getByRole('heading', { name: 'Waits for this answer' }).waitFor();
    await alice.getByRole('button', { name: 'Claim' }).waitFor();
    assert.equal(await alice.getByRole('button', { name: 'Delegate…' }).count(), 0);
    await approve(alice);
    await alice.getByText('You answered: Approve').waitFor();
    await alice.getByText('One more has to agree.').waitFor();
    await assertAccessible(alice);
    await alice.reload();
    await alice.getByText('You answered: Approve').waitFor();
    await alice.getByRole('button', { name: 'Comment' }).first().waitFor();
    assert.equal(await alice.getByRole('button', { name: /Claim|Send/ }).count(), 0);
    assert.equal(await alice.getByRole('radio').count(), 0);
    const root = await web.signedIn('admin');
    await root.locator(`[data-row="${id}"]`).getByText('1 of 2').waitFor();
    await root.locator(`[data-row="${id}"] a`).click();
    await root.getByText('1 of 2 agree').first().waitFor();
    await approve(root);
    await root.getByText('Your answer settled it').waitFor();
    await alice.getByText('Answered by root').first().waitFor();
    await decided(approvalId);
    await web.leave(alice, root);
  });

  it('shows the call in the list, with the arguments that its asker chose or the first three', async () => {
    const chosen = await web.askApproval({
      ...TRANSFER,
      run_id: 'run-chosen',
      calls: [{ ...TRANSFER.calls[0], summary: ['amount', 'currency'] }],
    });
    const first = await web.askApproval({ ...TRANSFER, run_id: 'run-first' });
    const page = await web.signedIn('operator');
    const textOf = (id: string) => page.locator(`[data-row="${id}"]`).innerText();
    await page.locator(`[data-row="${first.id}"]`).waitFor();
    assert.match(await textOf(chosen.id), /payments\.transfer\s+amount 18400\s+currency EUR\n/);
    // The store has its own order of names.
    assert.match(await textOf(first.id), /payments\.transfer\s+to DE89[\d ]+amount 18400\s+\w/);
    assert.match(await textOf(first.id), /agent-1 · Approval · asked \d+ (s|min) ago/);
    assert.match(await textOf(first.id), /high risk/);
    await assertAccessible(page);
    await page.setViewportSize({ width: 360, height: 700 });
    await page.locator(`[data-row="${first.id}"]`).getByText('asked').waitFor();
    await page.reload();
    await page.locator(`[data-row="${first.id}"]`).getByText('18400').waitFor();
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    await web.leave(page);
  });

  it('approves edited arguments, whose difference it shows', async () => {
    const { id, approval: approvalId } = await web.askApproval(MAIL);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('heading', { name: 'mail.send' }).waitFor();
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: 'Arguments of mail.send' });
    const text = await editor.inputValue();
    await editor.fill(text.replace('all-customers@', 'test-customers@').replace('}', ''));
    await page.getByRole('alert').getByText('This is not JSON yet').waitFor();
    await editor.fill(text.replace('all-customers@', 'test-customers@'));
    await page.getByText('+   "to": "test-customers@example.com"').waitFor();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Approve as edited…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('the arguments of one call').waitFor();
    await dialog.getByText('+   "to": "test-customers@example.com"').waitFor();
    await dialog.getByText('Edited from').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Your answer settled it').waitFor();
    const { proposal } = await decided(approvalId);
    assert.equal(proposal.calls[0]?.arguments['to'], 'test-customers@example.com');
    await page.getByText('edited: version 2').waitFor();
    await web.leave(page);
  });

  it('edits arguments in a form of their schema, with the limits and the first fault', async () => {
    const input_schema = {
      type: 'object',
      properties: {
        to: { type: 'string', maxLength: 40 },
        amount: { type: 'integer', minimum: 1, maximum: 20_000, title: 'Amount' },
        currency: { enum: ['EUR', 'USD'] },
        purpose: { type: 'string' },
        urgent: { type: 'boolean', default: true },
      },
      required: ['to', 'amount'],
    };
    const { id, approval: approvalId } = await web.askApproval({
      ...TRANSFER,
      run_id: 'run-form',
      calls: [{ ...TRANSFER.calls[0], tool: 'payments.refund', input_schema }],
    });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('heading', { name: 'payments.refund' }).waitFor();
    await page.keyboard.press('e');
    const form = page.getByRole('group', { name: 'Arguments of payments.refund' });
    const amount = form.getByLabel('Amount');
    await amount.waitFor();
    await form.getByText('A whole number, 1 to 20000.').waitFor();
    await form.getByText('At most 40 characters.').waitFor();
    await form.getByText('Nothing is changed yet.').waitFor();
    await page.locator('[role=group] :focus').waitFor();
    await amount.fill('50000');
    await page.getByRole('button', { name: 'Approve as edited…' }).click();
    await page.locator('[aria-invalid=true]:focus').waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), await amount.getAttribute('id'));
    assert.equal(await page.getByRole('alertdialog').count(), 0);
    await assertAccessible(page);
    await amount.fill('18000');
    await form.getByText('+   "amount": 18000').waitFor();
    await form.getByRole('button', { name: 'Edit as JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Arguments of payments.refund' });
    await editor.fill((await editor.inputValue()).replace('2291', '2292'));
    await page.getByRole('button', { name: 'Edit in a form' }).click();
    await form.getByLabel('currency').waitFor();
    assert.equal(await form.getByLabel('purpose').inputValue(), 'Invoice 2292');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('+   "amount": 18000').waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Your answer settled it').waitFor();
    const { proposal } = await decided(approvalId);
    assert.deepEqual(proposal.calls[0]?.arguments, {
      ...TRANSFER.calls[0].arguments,
      amount: 18_000,
      purpose: 'Invoice 2292',
    });
    await page.getByText('Changes to payments.refund since it was asked').waitFor();
    const trail = page.locator('details', { hasText: 'Audit trail' });
    await trail.getByText('+   "amount": 18000').waitFor();
    await assertAccessible(page);
    await web.leave(page);
  });

  it('shows of several calls which were edited, each before and after', async () => {
    const send = (id: string, to: string) => ({ id, tool: 'mail.send', arguments: { to } });
    const calls = [send('c1', 'ana'), send('c2', 'bo'), send('c3', 'cy')];
    const { id } = await web.askApproval({ ...MAIL, run_id: 'run-three', calls });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('heading', { name: 'mail.send (call 3)' }).waitFor();
    await page.keyboard.press('e');
    for (const [position, name] of [
      [1, 'ana'],
      [3, 'cy'],
    ] as const) {
      const editor = page.getByRole('textbox', {
        name: `Arguments of mail.send (call ${position})`,
      });
      await editor.fill((await editor.inputValue()).replace(name, `${name}.new`));
    }
    await page.getByRole('button', { name: 'Approve as edited…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('mail.send (call 3) will run with these arguments:').waitFor();
    await dialog.getByText('the arguments of 2 calls').waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Your answer settled it').waitFor();
    const changes = (title: RegExp) => page.locator('main figure').filter({ hasText: title });
    await changes(/^Changes to mail.send \(call 1\) since/)
      .getByText('+   "to": "ana.new"')
      .waitFor();
    await changes(/^Changes to mail.send \(call 3\) since/)
      .getByText('−   "to": "cy"')
      .waitFor();
    await changes(/^Changed in mail.send \(call 3\)/)
      .getByText('+   "to": "cy.new"')
      .waitFor();
    assert.equal(await changes(/call 2/).count(), 0);
    await assertAccessible(page);
    await web.leave(page);
  });

  it('edits arguments that turn their text without changing the rest of them', async () => {
    const to = 'a\u202emoc.live@\u0085b';
    const { id, approval: approvalId } = await web.askApproval({
      ...MAIL,
      run_id: 'run-turned',
      calls: [{ ...MAIL.calls[0], arguments: { to, subject: 'Prices' } }],
    });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByText('"to": "a\\u202emoc.live@\\u0085b"').waitFor();
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: 'Arguments of mail.send' });
    const text = await editor.inputValue();
    assert.match(text, /a\\u202emoc\.live@\\u0085b/);
    await editor.fill(text.replace('Prices', 'New prices'));
    await page.getByText('+   "subject": "New prices"').waitFor();
    assert.equal(await page.getByText('+   "to"').count(), 0);
    await page.getByRole('button', { name: 'Approve as edited…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Your answer settled it').waitFor();
    const { proposal } = await decided(approvalId);
    assert.deepEqual(proposal.calls[0]?.arguments, { to, subject: 'New prices' });
    await web.leave(page);
  });

  it('refuses an approval of what was edited meanwhile, and lets whoever has voted edit it again', async () => {
    const { id } = await web.askApproval({ ...TRANSFER, run_id: 'run-edited' });
    const alice = await web.signedIn('operator', `/q/${id}`);
    await alice.getByRole('heading', { name: 'payments.transfer' }).waitFor();
    await alice.keyboard.press('1');
    const root = await web.signedIn('admin', `/q/${id}`);
    await root.getByRole('heading', { name: 'payments.transfer' }).waitFor();
    await root.keyboard.press('e');
    const editor = root.getByRole('textbox', { name: 'Arguments of payments.transfer' });
    await editor.fill((await editor.inputValue()).replace('18400', '18000'));
    await root.getByRole('button', { name: 'Approve as edited…' }).click();
    await root.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
    await root.getByText('You answered: Approve').waitFor();
    await alice.getByText('The question was changed while you answered').waitFor();
    await assertAccessible(alice);
    assert.equal((await web.read(id)).approvals, 1);
    await root.getByText('You answered: Approve').waitFor();
    await root.keyboard.press('e');
    const send = root.getByRole('button', { name: 'Approve as edited…' });
    await root.getByText('everybody else has to agree anew').waitFor();
    assert.equal(await focused(root), 'Arguments of payments.transfer');
    assert.ok(await send.isDisabled());
    await assertAccessible(root);
    await editor.fill('{}');
    await root.getByRole('button', { name: 'Discard the edit' }).click();
    assert.equal(await focused(root), 'Edit arguments');
    await root.keyboard.press('e');
    await editor.fill((await editor.inputValue()).replace('18000', '17500'));
    await root.keyboard.press('Control+Enter');
    await root.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
    await root.getByText('edited: version 3').waitFor();
    await root.getByText('You answered: Approve').waitFor();
    const { question_version, approvals, record } = await web.read(id);
    assert.deepEqual([question_version, approvals], [3, 1]);
    assert.equal(record.approval?.proposal.calls[0]?.arguments['amount'], 17_500);
    await web.leave(alice, root);
  });

  it('takes a vote for no draft that counts without a reply, also where somebody else settles', async () => {
    const { id } = await web.askApproval({ ...TRANSFER, run_id: 'run-lost-vote' });
    const alice = await web.signedIn('operator', `/q/${id}`);
    await alice.getByRole('heading', { name: 'payments.transfer' }).waitFor();
    await loseReplies(alice, id, () => Promise.resolve(true));
    await approve(alice);
    await alice.getByText('You answered: Approve').waitFor();
    const root = await web.signedIn('admin', `/q/${id}`);
    await root.getByText('1 of 2 agree').first().waitFor();
    await approve(root);
    await alice.getByText('Answered by root', { exact: true }).first().waitFor();
    assert.equal(await alice.getByText(/before you|draft|may not have arrived/).count(), 0);
    await web.leave(alice, root);
  });

  it('doubts a lost edit until it is a new version, also after a reload and without its text', async () => {
    const { id } = await web.askApproval({ ...TRANSFER, run_id: 'run-lost-edit' });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('heading', { name: 'payments.transfer' }).waitFor();
    await approve(page);
    await page.getByText('You answered: Approve').waitFor();
    const discard = page.getByRole('button', { name: 'Discard the edit' });
    const doubt = page.getByText('Your answer may not have arrived');
    const answers: ((isHeard: boolean) => void)[] = [];
    await loseReplies(page, id, () => new Promise((resolve) => answers.push(resolve)));
    const reply = async (turn: number, isHeard: boolean) => {
      const say = await lookUntil(() => Promise.resolve(answers[turn]), 'no answer was sent');
      say(isHeard);
    };
    const sendEdit = async () => {
      await page.keyboard.press('e');
      const editor = page.getByRole('textbox', { name: 'Arguments of payments.transfer' });
      await editor.fill((await editor.inputValue()).replace('18400', '18000'));
      await page.keyboard.press('Control+Enter');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Sending…').waitFor();
      assert.ok(await discard.isDisabled());
    };
    await sendEdit();
    await reply(0, false);
    await page.getByText('Send it again unchanged').waitFor();
    await page.reload();
    await page.getByText('Send it again unchanged').waitFor();
    await discard.click();
    await page.getByText('It may still count').waitFor();
    await assertAccessible(page);
    await sendEdit();
    await reply(1, true);
    await page.getByText('edited: version 2').waitFor();
    await page.getByText('You answered: Approve').waitFor();
    await doubt.waitFor({ state: 'detached' });
    assert.equal(await page.getByText('The question was changed').count(), 0);
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
