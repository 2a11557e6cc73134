import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { QUESTIONS } from './support/questions.js';
import { assertAccessible, useWebStack } from './support/web-stack.js';
import type { WebStack } from './support/web-stack.js';

describe('what can be done to a question in the inbox', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  it('is claimed and released, and whoever else answers is asked once more', async () => {
    const { id } = await web.ask(QUESTIONS.text);
    const alice = await web.signedIn('operator', `/q/${id}`);
    await alice.getByRole('button', { name: 'Claim' }).waitFor();
    await alice.keyboard.press('c');
    await alice.getByText('Claimed by you until').waitFor();
    await assertAccessible(alice);
    const list = await web.signedIn('operator', '/claimed');
    await list.locator(`[data-row="${id}"]`).getByText('Yours').waitFor();
    const root = await web.signedIn('admin', `/q/${id}`);
    await root.getByText('alice has it until').waitFor();
    await root.getByRole('button', { name: 'Release' }).waitFor();
    assert.equal(await root.getByRole('button', { name: 'Delegate…' }).count(), 0);
    await root.getByRole('textbox', { name: 'Your answer' }).fill('Yes, of course');
    await root.keyboard.press('Control+Enter');
    await root.getByRole('alertdialog', { name: 'alice has this question' }).waitFor();
    await assertAccessible(root);
    await root.getByRole('button', { name: 'Back' }).click();
    const released = alice.waitForRequest(/\/release$/);
    await alice.getByRole('button', { name: 'Release' }).click();
    assert.deepEqual((await released).postDataJSON(), { what: 'claim' });
    await alice.getByRole('button', { name: 'Claim' }).waitFor();
    await root.getByText('alice has it until').waitFor({ state: 'detached' });
    await list.getByText('You have claimed no open question.').waitFor();
    await root.getByRole('button', { name: 'Claim' }).click();
    await root.getByText('Claimed by you until').waitFor();
    await alice.getByRole('textbox', { name: 'Your answer' }).fill('No');
    await alice.getByRole('button', { name: 'Send answer' }).click();
    await alice.getByRole('button', { name: 'Answer all the same' }).click();
    await alice.getByText('Your answer settled it').waitFor();
    await Promise.all([alice, root, list].map((page) => page.context().close()));
  });

  it('is delegated with a reason, taken back, and commented on', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('button', { name: 'Delegate…' }).waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('To whom').fill('root');
    await page.getByLabel('Why').fill('Root knows this customer');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Delegate', exact: true }).click();
    await page.getByText('by alice to root: Root knows this customer').waitFor();
    await page.getByText('root has it until').waitFor();
    await page.getByRole('button', { name: 'Take back' }).waitFor();
    await page.getByRole('button', { name: 'Delegate…' }).waitFor();
    const takenBack = page.waitForRequest(/\/release$/);
    await page.keyboard.press('c');
    assert.deepEqual((await takenBack).postDataJSON(), { what: 'delegation' });
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    await page.getByText('root has it until').waitFor({ state: 'detached' });
    await page.keyboard.press('m');
    await page.keyboard.type('I have asked the *warehouse*.');
    await page.getByRole('button', { name: 'Comment' }).last().click();
    await page.getByText('I have asked the *warehouse*.').waitFor();
    await assertAccessible(page);
    await page.context().close();
  });

  it('is withdrawn by an admin alone', async () => {
    const { id } = await web.ask(QUESTIONS.confirm);
    const alice = await web.signedIn('operator', `/q/${id}`);
    await alice.getByRole('button', { name: 'Claim' }).waitFor();
    assert.equal(await alice.getByRole('button', { name: 'Withdraw…' }).count(), 0);
    const root = await web.signedIn('admin', `/q/${id}`);
    await root.getByRole('button', { name: 'Withdraw…' }).click();
    await root.getByLabel('Why (may stay empty)').fill('The list was wrong');
    await assertAccessible(root);
    await root.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await root.getByText('Withdrawn by admin: The list was wrong').first().waitFor();
    await alice.getByText('Withdrawn by admin: The list was wrong').first().waitFor();
    await Promise.all([alice, root].map((page) => page.context().close()));
  });

  it('is amended by its asker while somebody types', async () => {
    const { id } = await web.ask(QUESTIONS.text);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('For the old question');
    const body = {
      question: 'What should the reply to Southwind say?',
      context: { complaint: 'One delivery was late.' },
      reason: 'It was another customer',
      question_version: 1,
    };
    const amended = await web.stack.patch(`/v1/suspensions/${id}`, 'agent', body);
    assert.equal(amended.status, 200, JSON.stringify(amended.body));
    await page.getByText('The question was changed while you answered').waitFor();
    await page.getByRole('heading', { name: body.question }).waitFor();
    await page.getByText('Version 2 of this question').waitFor();
    await page
      .getByText(/Its wording and context were changed by agent-1 .* ago: It was/)
      .waitFor();
    await page.getByText(`Before: ${QUESTIONS.text.question}`).waitFor();
    await page.getByText(`Now: ${body.question}`).waitFor();
    await assertAccessible(page);
    const third = { question: 'What should the reply to Eastwind say?', question_version: 2 };
    assert.equal((await web.stack.patch(`/v1/suspensions/${id}`, 'agent', third)).status, 200);
    await page.getByText('Version 3 of this question').waitFor();
    await page.reload();
    await page.getByText(`Before: ${body.question}`).waitFor();
    await page.context().close();
  });
});
