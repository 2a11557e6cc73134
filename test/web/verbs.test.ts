import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { QUESTIONS } from './support/questions.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const OTHER_TIME = 'Until another time…';

/** What the dialog of a snooze offers, without the instants. */
async function optionsOf(page: Page): Promise<readonly (string | undefined)[]> {
  const options = page.getByRole('combobox', { name: 'How long' }).locator('option');
  return (await options.allTextContents()).map((text) => text.split(':')[0]);
}

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
    await web.leave(alice, root, list);
  });

  it('is snoozed by keys, out of the lists of one person only, until that person ends it', async () => {
    const { id } = await web.ask({ ...QUESTIONS.choice, question: 'Call the carrier again?' });
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('button', { name: 'Snooze…' }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: 'Snooze' }).waitFor();
    await page.getByRole('combobox', { name: 'How long' }).selectOption({ label: OTHER_TIME });
    await page.getByLabel('Until', { exact: true }).waitFor();
    assert.deepEqual(await optionsOf(page), ['For an hour', OTHER_TIME]);
    await assertAccessible(page);
    await page.getByRole('combobox', { name: 'How long' }).selectOption({ index: 0 });
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'Snoozed 1 open' }).waitFor();
    await page.locator(`[data-row="${id}"]`).waitFor({ state: 'detached' });
    const other = await web.signedIn('admin');
    await other.locator(`[data-row="${id}"]`).waitFor();
    assert.equal(await other.getByText('Snoozed until').count(), 0);
    await page.getByRole('link', { name: 'Snoozed 1 open' }).click();
    await page.locator(`[data-row="${id}"]`).getByText('Snoozed until').waitFor();
    await assertAccessible(page);
    await page.locator(`[data-row="${id}"] a`).click();
    await page.getByRole('button', { name: /^End snooze, until/ }).waitFor();
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Snooze…' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('You have put off no question.').waitFor();
    await page.getByRole('link', { name: /^For me/ }).click();
    await page.locator(`[data-row="${id}"]`).waitFor();
    await web.leave(page, other);
  });

  it('is read again when a snooze ends', async () => {
    const page = await web.signedIn('operator', '/settings');
    await page.clock.install();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await web.ask({ ...QUESTIONS.choice, question: 'Order more labels?' });
    const snooze = { suspension_id: id, until, until_reminder: false, snoozed_at: until };
    await page.route('**/v1/snoozes', (route) => route.fulfill({ json: { snoozes: [snooze] } }));
    await page.goto(web.url());
    await page.getByRole('link', { name: 'Snoozed 1 open' }).waitFor();
    await page.locator(`[data-row="${id}"]`).getByText('Snoozed until').waitFor();
    await page.unrouteAll();
    const read = page.waitForRequest(/\/v1\/suspensions\?/);
    await page.clock.fastForward(3_602_000);
    await read;
    await page.getByText('Snoozed until').waitFor({ state: 'detached' });
    await page.close();
  });

  it('is delegated to somebody of those whom the page suggests, by keys alone', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('button', { name: 'Delegate…' }).waitFor();
    await page.keyboard.press('d');
    const field = page.getByRole('combobox', { name: 'To whom' });
    await field.waitFor();
    await page.keyboard.type('RO');
    const root = page.getByRole('option', { name: 'root' });
    await root.waitFor();
    assert.equal(await field.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('ArrowDown');
    assert.equal(await root.getAttribute('aria-selected'), 'true');
    assert.equal(await field.getAttribute('aria-activedescendant'), await root.getAttribute('id'));
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await root.waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), 'RO');
    await page.keyboard.press('ArrowDown');
    await root.waitFor();
    await page.keyboard.press('Enter');
    await root.waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), 'root');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Root knows this customer');
    await page.keyboard.press('Control+Enter');
    await page.getByText('root has it until').waitFor();
    await web.leave(page);
  });

  it('is delegated to a group that the page suggests, by keys alone, and its members see it', async () => {
    const rule = { decision_rule: { eligible: { principals: ['alice'] } } };
    const { id } = await web.ask({ ...QUESTIONS.choice, ...rule, question: 'Credit the fee?' });
    const greta = await web.signedIn('grouped');
    await greta.getByRole('heading', { name: 'For me' }).waitFor();
    assert.equal(await greta.locator(`[data-row="${id}"]`).count(), 0);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('button', { name: 'Delegate…' }).waitFor();
    await page.keyboard.press('d');
    const field = page.getByRole('combobox', { name: 'To whom' });
    await field.waitFor();
    await page.keyboard.type('fin');
    const finance = page.getByRole('option', { name: 'finance group of 1 person' });
    await finance.getByText('may not answer yet').waitFor();
    await page.getByRole('option', { name: 'greta finance, legal' }).waitFor();
    await page.keyboard.press('ArrowDown');
    assert.equal(await finance.getAttribute('aria-selected'), 'true');
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    await finance.waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), 'finance');
    await page.getByText('A group: everybody in it may answer.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('The fee is theirs');
    await assertAccessible(page);
    const sent = page.waitForRequest(/\/delegate$/);
    await page.keyboard.press('Control+Enter');
    assert.deepEqual((await sent).postDataJSON(), {
      to_group: 'finance',
      reason: 'The fee is theirs',
    });
    await page.getByText('by alice to group finance: The fee is theirs').waitFor();
    await page.getByRole('button', { name: 'Take back' }).waitFor();
    await greta.locator(`[data-row="${id}"] a`).click();
    await greta.getByRole('button', { name: 'Claim' }).waitFor();
    await greta.keyboard.press('c');
    await greta.getByText('Claimed by you until').waitFor();
    await page.getByText('greta has it until').waitFor();
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Claim' }).waitFor();
    await page.getByText('greta has it until').waitFor({ state: 'detached' });
    await web.leave(page, greta);
  });

  it('means a group whose whole name is typed, and a person in place of it again', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('button', { name: 'Delegate…' }).click();
    const note = page.getByText('A group: everybody in it may answer.');
    await page.getByRole('combobox', { name: 'To whom' }).fill('legal');
    await page.getByRole('option', { name: 'legal group of 1 person' }).waitFor();
    await page.keyboard.press('Tab');
    await note.waitFor();
    await page.getByRole('combobox', { name: 'To whom' }).fill('root');
    await note.waitFor({ state: 'detached' });
    await page.getByLabel('Why').fill('Root knows');
    const sent = page.waitForRequest(/\/delegate$/);
    await page.getByRole('button', { name: 'Delegate', exact: true }).click();
    assert.deepEqual((await sent).postDataJSON(), { to: 'root', reason: 'Root knows' });
    await page.getByText('root has it until').waitFor();
    await web.leave(page);
  });

  it('suggests people to a pointer too, and nobody whose key never answers', async () => {
    const { id } = await web.ask(QUESTIONS.choice);
    const page = await web.signedIn('operator', `/q/${id}`);
    await page.getByRole('button', { name: 'Delegate…' }).click();
    const field = page.getByRole('combobox', { name: 'To whom' });
    const asked = page.waitForResponse(/candidates\?text=refund/);
    await field.fill('refund');
    assert.equal((await asked).status(), 200);
    assert.equal(await page.getByRole('option').count(), 0);
    await field.fill('ro');
    await page.getByRole('option', { name: 'root' }).click();
    assert.equal(await field.inputValue(), 'root');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await web.leave(page);
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
    await page.getByText('I have asked the *warehouse*.', { exact: true }).waitFor();
    await assertAccessible(page);
    await web.leave(page);
  });

  it('is withdrawn by an admin alone', async () => {
    const { id } = await web.ask(QUESTIONS.confirm);
    const alice = await web.signedIn('operator', `/q/${id}`);
    await alice.getByRole('button', { name: 'Claim' }).waitFor();
    assert.equal(await alice.getByRole('button', { name: 'Withdraw…' }).count(), 0);
    const root = await web.signedIn('admin', `/q/${id}`);
    await root.getByRole('button', { name: 'Withdraw…' }).click();
    await root.getByLabel('Why (optional)').fill('The list was wrong');
    await assertAccessible(root);
    await root.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await root.getByText('Withdrawn by admin: The list was wrong').first().waitFor();
    await alice.getByText('Withdrawn by admin: The list was wrong').first().waitFor();
    await web.leave(alice, root);
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
    await web.leave(page);
  });
});
