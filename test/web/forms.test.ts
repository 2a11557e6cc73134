import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { PHONE, assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const SCOPES = [
  { const: 'approve_all', title: 'Approve all of them' },
  { const: 'reject_all', title: 'Reject all of them' },
];
const card = object({ kind: { const: 'card' }, number: { type: 'string', title: 'Card number' } }, [
  'kind',
  'number',
]);
const bank = object({ kind: { const: 'bank' }, iban: { type: 'string', title: 'IBAN' } }, ['kind']);

describe('the form of a question', () => {
  let web: WebStack;
  useWebStack({}, (started) => {
    web = started;
  });

  async function opened(response_schema: object, more: object = {}, options = {}) {
    const { id } = await web.ask({
      question: 'What of the batch?',
      response_type: 'form',
      response_schema,
      ...more,
    });
    const page = await web.signedIn('operator', `/q/${id}`, options);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, id };
  }
  const send = (page: Page) => page.getByRole('button', { name: 'Send answer' });
  async function answered(page: Page, id: string) {
    await send(page).click();
    await page.getByText('Your answer settled it').waitFor();
    await web.leave(page);
    return (await web.read(id)).record.response;
  }

  it('chooses nothing by itself, and takes what a person chooses', async () => {
    const { page, id } = await opened(
      object(
        {
          scope: { title: 'Scope', oneOf: SCOPES },
          prio: {
            title: 'Priority',
            anyOf: [
              { const: 1, title: 'High' },
              { const: 2, title: 'Low' },
            ],
          },
          ship: {
            title: 'Shipment',
            type: 'boolean',
            oneOf: [
              { const: true, title: 'Ship it' },
              { const: false, title: 'Hold it back' },
            ],
          },
          pay: { title: 'Payment', oneOf: [card, bank] },
          note: { type: 'string', title: 'Note' },
        },
        ['scope', 'ship'],
      ),
      {},
      PHONE,
    );
    await page.getByText('Hold it back').waitFor();
    assert.equal(await send(page).isDisabled(), true);
    await page.getByLabel('Note').fill('half');
    await send(page).click();
    await page.getByText('Required.').first().waitFor();
    assert.equal(await page.getByText('Required.').count(), 2);
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'SELECT');
    await assertAccessible(page);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= 390'), true);
    assert.equal((await web.read(id)).state, 'pending');
    await page.getByLabel('Scope').selectOption({ label: 'Reject all of them' });
    await page.getByText('Hold it back').click();
    await page.getByLabel('Payment').selectOption({ label: 'kind: bank' });
    await page.getByLabel('IBAN').fill('DE89');
    assert.deepEqual(await answered(page, id), {
      scope: 'reject_all',
      ship: false,
      pay: { kind: 'bank', iban: 'DE89' },
      note: 'half',
    });
  });

  it('is a boolean, a list or a moment where that is all', async () => {
    const yes = await opened({ type: 'boolean' });
    await yes.page.getByLabel('No', { exact: true }).waitFor();
    assert.equal(await send(yes.page).isDisabled(), true);
    await yes.page.getByLabel('No', { exact: true }).check();
    assert.equal(await answered(yes.page, yes.id), false);
    const list = await opened({
      type: 'array',
      prefixItems: [{ type: 'number' }, { enum: ['a', 'b'] }],
    });
    await list.page.getByLabel('Your answer 1').fill('1.5');
    await list.page.getByLabel('Your answer 2').selectOption('b');
    assert.deepEqual(await answered(list.page, list.id), [1.5, 'b']);
    const time = await opened(
      object({ at: { type: 'string', format: 'time', title: 'At' } }, ['at']),
    );
    await time.page.getByLabel('At*').fill('14:30');
    await time.page.getByText('sent as 14:30:00Z').waitFor();
    assert.deepEqual(await answered(time.page, time.id), { at: '14:30:00Z' });
  });

  it('keeps what is entered over a reload', async () => {
    const { page } = await opened(
      object({ list: { type: 'array', items: { type: 'string' }, title: 'List' } }, ['list']),
    );
    await page.getByRole('button', { name: 'Add to List' }).click();
    await page.getByRole('textbox', { name: 'List 1*' }).fill('one');
    await page.reload();
    await page.getByRole('textbox', { name: 'List 1*' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'List 1*' }).inputValue(), 'one');
    await assertAccessible(page);
    await web.leave(page);
  });
});
