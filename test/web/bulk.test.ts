import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { QUESTIONS } from './support/questions.js';
import { WebStack, assertAccessible } from './support/web-stack.js';

describe('answering many questions at once in the inbox', function () {
  this.timeout(120_000);
  let web: WebStack;
  before(async () => {
    web = await WebStack.start();
  });
  after(() => web.close());
  afterEach(() => {
    assert.deepEqual(web.takeFaults(), []);
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
  async function selected(ids: readonly string[]): Promise<Page> {
    const page = await web.signedIn('operator', '/?text=release');
    for (const id of ids) await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
    await page.getByText(`${ids.length} selected`).waitFor();
    await page.getByRole('button', { name: 'Answer together…' }).click();
    await page.getByRole('heading', { name: `Answer ${ids.length} questions together` }).waitFor();
    return page;
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
    await page.context().close();
  });

  it('leaves alone what others have claimed, until it has named them', async () => {
    const ids = await asked('Held', 3, { response_type: 'confirm' });
    await web.stack.post(`/v1/suspensions/${ids[0]}/claim`, 'admin', {});
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
    await page.context().close();
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
    await page.context().close();
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
    await page.context().close();
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
    await page.context().close();
  });

  it('cannot be answered together with one of another shape', async () => {
    const { id } = await web.ask({ question: 'Mixed: yes or no?', response_type: 'confirm' });
    await web.ask({ ...QUESTIONS.text, question: 'Mixed: what?' });
    const page = await web.signedIn('operator', '/?text=Mixed');
    await page.locator('[data-row]').nth(1).waitFor();
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await page.getByRole('button', { name: 'Answer together…' }).click();
    const yes = page.getByText('Yes', { exact: true });
    const text = page.getByRole('textbox', { name: 'Your answer' });
    await yes.or(text).first().waitFor();
    if (await yes.isVisible()) await yes.click();
    else await text.fill('yes');
    await page.getByRole('button', { name: /to all 2/ }).click();
    await page.getByText('mixed_shapes').waitFor();
    assert.equal((await web.read(id)).state, 'pending');
    await page.context().close();
  });
});
