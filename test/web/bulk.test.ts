import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { InboxEntry } from '../../contracts/suspension/view.js';
import { readFresh } from '../support/fresh-reads.js';
import { lookUntil } from '../support/looks.js';
import { APPROVALS, MAIL, QUESTIONS } from './support/questions.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

describe('answering many questions at once in the inbox', () => {
  let web: WebStack;
  useWebStack(APPROVALS, (started) => {
    web = started;
  });

  /** Asks so many questions that begin with a word. */
  async function asked(word: string, count: number, body: object): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      const { id } = await web.ask({ ...body, question: `${word}: release order ${number}?` });
      ids.push(id);
    }
    return ids;
  }

  /** Selects these questions, and goes on to the page that answers them. */
  async function selected(ids: readonly string[], text = 'release'): Promise<Page> {
    const page = await web.signedIn('operator', `/?text=${text}`);
    for (const id of ids) await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
    await page.getByText(`${ids.length} selected`).waitFor();
    await page.getByRole('button', { name: 'Answer together…' }).click();
    await page.getByRole('heading', { name: `Answer ${ids.length} questions together` }).waitFor();
    return page;
  }

  /** Waits until lists show something of a question. */
  function listed(id: string | undefined, shows: (entry: InboxEntry) => boolean): Promise<unknown> {
    return lookUntil(async () => {
      const { suspensions } = await readFresh<{ suspensions: InboxEntry[] }>(
        web.stack,
        '/v1/suspensions?limit=200',
        'operator',
      );
      return suspensions.some((entry) => entry.id === id && shows(entry));
    }, 'the list does not show it');
  }

  const responses = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await web.read(id)).record.response));

  it('says what became of each', async () => {
    const ids = await asked('Bulk', 3, { response_type: 'confirm' });
    const page = await selected(ids);
    await web.stack.post(`/v1/suspensions/${ids[0]}/respond`, 'admin', { value: 'no' });
    await page.getByText('Yes', { exact: true }).click();
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Send “Yes” to all 3' }).click();
    await page.getByText('2 taken, 1 refused').waitFor();
    await page.getByText('suspension_settled').waitFor();
    await assertAccessible(page);
    assert.deepEqual(await responses(ids), ['no', 'yes', 'yes']);
    assert.equal((await web.read(ids[1] ?? '')).record.metadata?.['via'], 'inbox');
    await web.leave(page);
  });

  it('leaves alone what others have claimed, until it has named them', async () => {
    const ids = await asked('Held', 3, { response_type: 'confirm' });
    await web.stack.post(`/v1/suspensions/${ids[0]}/claim`, 'admin', {});
    await listed(ids[0], ({ claim }) => claim !== null);
    const page = await selected(ids);
    // Claimed after the list was read: the page cannot know it.
    await web.stack.post(`/v1/suspensions/${ids[1]}/claim`, 'admin', {});
    await page.getByText('Others have claimed').waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 taken, 2 refused').waitFor();
    await page.getByText('2 of them are claimed by root').waitFor();
    await page.getByText('root has it until').first().waitFor();
    await assertAccessible(page);
    assert.deepEqual(await responses(ids), [undefined, undefined, 'yes']);
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/suspensions/respond'),
      page.getByRole('button', { name: 'Answer these 2 all the same' }).click(),
    ]);
    const { answers, despite_claim } = request.postDataJSON();
    assert.deepEqual([answers.length, despite_claim], [2, true]);
    await page.getByText('All 3 taken').waitFor();
    assert.deepEqual(await responses(ids), ['yes', 'yes', 'yes']);
    await web.leave(page);
  });

  it('counts nothing twice where the reply was lost and it is sent again', async () => {
    const ids = await asked('Lost', 2, { response_type: 'confirm' });
    const page = await selected(ids);
    const keys: (string | undefined)[] = [];
    await page.route('**/v1/suspensions/respond', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      const response = await route.fetch();
      await (keys.length === 1 ? route.abort() : route.fulfill({ response }));
    });
    await page.keyboard.press('2');
    await page.getByRole('button', { name: 'Send “No” to all 2' }).click();
    await page.getByText('It is not known whether it arrived').waitFor();
    await page.getByRole('button', { name: 'Send “No” to all 2' }).click();
    await page.getByText('All 2 taken').waitFor();
    assert.ok(keys[0] !== undefined && keys[0] === keys[1], keys.join());
    assert.deepEqual(await responses(ids), ['no', 'no']);
    await web.leave(page);
  });

  it('counts apart what is handed over and not confirmed', async () => {
    const ids = await asked('Apart', 2, { response_type: 'confirm' });
    const page = await selected(ids);
    const results = [
      { suspension_id: ids[0], outcome: 'settled' },
      { suspension_id: ids[1], outcome: 'handed_over' },
    ];
    await page.route('**/v1/suspensions/respond', (route) => route.fulfill({ json: { results } }));
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 taken, 1 not confirmed yet').waitFor();
    await page.getByText('There is no need to send it again.').waitFor();
    await assertAccessible(page);
    await web.leave(page);
  });

  it('asks once more before an answer that is marked as dangerous', async () => {
    const body = QUESTIONS.choice;
    const ids = await asked('Danger', 2, body);
    const page = await selected(ids);
    await page.getByText('Refuse and close').click();
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Refuse and close?' });
    await dialog.getByText('Danger: release order 2?').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.deepEqual(await responses(ids), [undefined, undefined]);
    await page.getByRole('button', { name: 'Send “Refuse and close” to all 2' }).click();
    await dialog.getByRole('button', { name: 'Refuse and close, 2 times' }).click();
    await page.getByText('All 2 taken').waitFor();
    assert.deepEqual(await responses(ids), ['refuse', 'refuse']);
    await web.leave(page);
  });

  it('says of a choice only what all questions say', async () => {
    const [first, ...rest] = QUESTIONS.choice.choices;
    const other = { ...QUESTIONS.choice, choices: [{ ...first, description: '€ 7 000' }, ...rest] };
    const ids = [
      ...(await asked('Said', 1, QUESTIONS.choice)),
      ...(await asked('Said too', 1, other)),
    ];
    const page = await selected(ids);
    await page.getByText('The customer is told').waitFor();
    assert.equal(await page.getByText(/^€ (129\.50|7 000)/).count(), 0);
    await web.leave(page);
  });

  it('shows what would run of each approval, and asks once more', async () => {
    const [{ id: one }, { id: two }] = await Promise.all([
      web.askApproval({ ...MAIL, run_id: 'run-bulk-1' }),
      web.askApproval({ ...MAIL, run_id: 'run-bulk-2' }),
    ]);
    const page = await selected([one, two], '');
    for (const id of [one, two]) {
      const { record } = await web.read(id);
      await page.getByText(record.approval?.proposal_hash ?? 'none').waitFor();
    }
    await assertAccessible(page);
    await page.keyboard.press('1');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alertdialog').getByText('all 2 questions').waitFor();
    assert.deepEqual(await responses([one, two]), [undefined, undefined]);
    await page.keyboard.press('Control+Enter');
    await page.getByText('All 2 taken').waitFor();
    await web.leave(page);
  });

  it('takes the one form that all of them have', async () => {
    const ids = await asked('Forms', 2, {
      response_type: 'form',
      response_schema: QUESTIONS.form.response_schema,
    });
    const page = await selected(ids);
    await page.getByRole('combobox').selectOption({ label: 'Tanaka' });
    await page.getByRole('button', { name: 'Send this answer to all 2' }).click();
    await page.getByText('Required.').waitFor();
    await page.getByLabel('Pieces').fill('40');
    await page.getByRole('button', { name: 'Send this answer to all 2' }).click();
    await page.getByText('All 2 taken').waitFor();
    const one = { supplier: 'Tanaka', pieces: 40, express: false };
    assert.deepEqual(await responses(ids), [one, one]);
    await web.leave(page);
  });

  it('says which take another answer before anything is sent, and leaves them out', async () => {
    const [one = '', two = ''] = await asked('Mixed', 2, { response_type: 'confirm' });
    const { id: other } = await web.ask({ ...QUESTIONS.text, question: 'Mixed: what of release?' });
    const page = await selected([other, one, two], 'Mixed');
    await page.getByText('One takes a different answer').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'Mixed: what' });
    await row.getByText('Text: does not fit').waitFor();
    assert.equal(await page.getByText('does not fit').count(), 1);
    assert.equal(await page.getByRole('button', { name: /to all/ }).count(), 0);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await page.getByText('Yes', { exact: true }).click();
    await page.getByRole('button', { name: 'Send “Yes” to all 2' }).click();
    await page.getByText('All 2 taken').waitFor();
    assert.deepEqual(await responses([one, two, other]), ['yes', 'yes', undefined]);
    await web.leave(page);
  });

  it('marks the one that the API finds to be of another shape', async () => {
    const ids = await asked('Amended', 2, QUESTIONS.choice);
    const page = await selected(ids, 'Amended');
    const choices = [{ value: 'full', label: 'Refund nothing' }];
    const body = { choices, question_version: 1 };
    assert.equal((await web.stack.patch(`/v1/suspensions/${ids[1]}`, 'agent', body)).status, 200);
    // Shapes are compared as they are stored.
    await listed(ids[1], ({ question_version }) => question_version === 2);
    await page.keyboard.press('1');
    await page.getByRole('button', { name: /to all 2/ }).click();
    await page.getByText('mixed_shapes').waitFor();
    assert.equal(await page.getByText('does not fit').count(), 1);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await page.getByText('mixed_shapes').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Answer one question' }).waitFor();
    assert.deepEqual(await responses(ids), [undefined, undefined]);
    await web.leave(page);
  });
});
