import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { lookUntil } from '../support/looks.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const of = (group: string) => ({ decision_rule: { eligible: { groups: [group] } } });

/** What greta finds, who is in the groups finance and legal. */
const ASKED = {
  money: { question: 'Pay the invoice of Hartmann?', ...of('finance'), channel_hint: 'desk' },
  contract: { question: 'Sign the contract with Tanaka?', ...of('legal') },
  sales: { question: 'Give Northwind a discount?', ...of('sales') },
  anybody: { question: 'Restart the nightly import?', channel_hint: 'pager' },
  answered: { question: 'Send the reminder to Acme?', channel_hint: 'desk' },
  expired: { question: 'Hold the parcel for a day?', timeout_seconds: 1 },
  withdrawn: { question: 'Is the list of prices final?' },
} as const;
type Name = keyof typeof ASKED;

const CONFIG = {
  directory: { people: { sam: {} }, groups: { sales: ['sam'] } },
  notifications: {
    channels: {
      console: { type: 'console' },
      desk: { type: 'console' },
      pager: { type: 'console' },
    },
  },
};

describe('the views of the inbox', () => {
  let web: WebStack;
  let page: Page;
  const ids = new Map<string, string>();
  useWebStack(CONFIG, async (started) => {
    web = started;
    for (const [name, question] of Object.entries(ASKED)) {
      const { id } = await web.ask({ response_type: 'confirm', ...question });
      ids.set(name, id);
    }
    const at = (name: Name) => `/v1/suspensions/${ids.get(name) ?? ''}`;
    await web.stack.post(`${at('answered')}/respond`, 'operator', { value: 'yes' });
    await web.stack.post(`${at('withdrawn')}/cancel`, 'agent', { reason: 'Found out' });
    await lookUntil(async () => {
      const { body } = await web.stack.get(at('expired'), 'operator');
      return (body as SuspensionView).state === 'settled';
    }, 'nothing expires');
    page = await web.signedIn('grouped');
  });

  /** Waits until the list shows these questions and no others. */
  async function shows(...names: readonly Name[]): Promise<void> {
    const expected = names.map((name) => ASKED[name].question as string).sort();
    let found: string[] = [];
    const look = async () => {
      found = await page.locator('[data-row] a > span:first-child').allTextContents();
      return JSON.stringify(found.sort()) === JSON.stringify(expected);
    };
    await lookUntil(look, 'the list shows others').catch((error: unknown) => {
      throw new Error(`${String(error)}: ${found.join(' | ')}`);
    });
  }
  const open = (view: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
  const narrow = (label: string, option: string) =>
    page.getByRole('combobox', { name: label }).selectOption({ label: option });

  it('hold what each is named for, and count what is open', async () => {
    await shows('money', 'contract', 'anybody');
    await page.getByRole('link', { name: 'For me 3 open' }).waitFor();
    await page.getByRole('link', { name: 'Claimed by me 0 open' }).waitFor();
    await page.getByRole('link', { name: 'My groups 2 open' }).waitFor();
    await page.getByRole('link', { name: 'All 4 open' }).waitFor();
    await open('My groups');
    await shows('money', 'contract');
    await assertAccessible(page);
    await open('All');
    await shows('money', 'contract', 'sales', 'anybody');
    await open('Settled');
    await shows('answered', 'expired', 'withdrawn');
    await page.getByText('Yes', { exact: true }).waitFor();
    await page.getByText('Answered by alice').waitFor();
    const titles = await page.locator('[data-row] a > span:first-child').allTextContents();
    const [answered, withdrawn] = [ASKED.answered, ASKED.withdrawn].map(({ question }) =>
      titles.indexOf(question),
    );
    assert.ok(answered !== undefined && withdrawn !== undefined && withdrawn < answered);
    await page.getByText('Expired without an answer').waitFor();
    await page.getByText('Withdrawn by agent: Found out').waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await assertAccessible(page);
  });

  it('narrow by one of several groups', async () => {
    await open('My groups');
    await narrow('Group', 'legal');
    await shows('contract');
    await page.waitForURL(/\/groups\?group=legal$/);
    await page.reload();
    await shows('contract');
    await narrow('Group', 'finance');
    await shows('money');
    await narrow('Group', 'All my groups');
    await shows('money', 'contract');
  });

  it('narrow by how questions ended', async () => {
    await open('All');
    await narrow('State', 'Expired');
    await shows('expired');
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await narrow('State', 'Open');
    await shows('money', 'contract', 'sales', 'anybody');
    await open('Settled');
    await narrow('State', 'Answered');
    await shows('answered');
    await narrow('State', 'Withdrawn');
    await shows('withdrawn');
    await narrow('State', 'Every outcome');
    await shows('answered', 'expired', 'withdrawn');
  });

  it('are sorted as the address says, and by time left again', async () => {
    const titles = () => page.locator('[data-row] a > span:first-child').allTextContents();
    const inOrder = async (...names: readonly Name[]) => {
      const expected = names.map((name) => ASKED[name].question as string);
      const look = async () => JSON.stringify(await titles()) === JSON.stringify(expected);
      await lookUntil(look, `the order is not ${names.join()}`);
    };
    await open('All');
    await narrow('Order', 'Newest first');
    await page.waitForURL(/\/all\?sort=newest$/);
    await inOrder('anybody', 'sales', 'contract', 'money');
    await page.reload();
    await inOrder('anybody', 'sales', 'contract', 'money');
    await narrow('Order', 'Oldest first');
    await inOrder('money', 'contract', 'sales', 'anybody');
    await narrow('State', 'Withdrawn');
    await narrow('Order', 'Last settled first');
    await inOrder('withdrawn');
    await assertAccessible(page);
  });

  it('hold what somebody has answered, settled and still open', async () => {
    await open('Answered by me');
    await page.getByText('You have answered no question yet.').waitFor();
    const other = await web.signedIn('operator', '/answered');
    await other.getByRole('link', { name: ASKED.answered.question }).waitFor();
    assert.equal(await other.locator('[data-row]').count(), 1);
    await other.getByText('Answered by alice').waitFor();
    await other.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Still open' });
    await other.getByRole('heading', { name: 'No match' }).waitFor();
    await assertAccessible(other);
    await web.leave(other);
  });

  it('narrow by channel and by words at once, also where one leads back to them', async () => {
    await open('All');
    await shows('money', 'contract', 'sales', 'anybody');
    await narrow('Channel', 'desk');
    await shows('money');
    await page.getByRole('searchbox').fill('nobody wrote this');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    await page.getByRole('searchbox').fill('invoice');
    await shows('money');
    await page.waitForURL(/\/all\?text=invoice&channel=desk$/);
    await page.getByRole('link', { name: ASKED.money.question }).click();
    await page.getByRole('heading', { name: ASKED.money.question }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/all\?text=invoice&channel=desk$/);
    await shows('money');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'invoice');
  });

  it('keep a filter that is chosen before the words count', async () => {
    await page.clock.install();
    await page.goto(web.url('/all?text=invoice&channel=desk'));
    await shows('money');
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('searchbox').fill('contract');
    await narrow('Channel', 'Every channel');
    await page.waitForURL(/\/all\?text=invoice$/);
    await page.clock.resume();
    await page.waitForURL(/\/all\?text=contract$/);
    await shows('contract');
    await page.clock.pauseAt(Date.now() + 180_000);
    await page.getByRole('searchbox').fill('sign');
    await open('My groups');
    await page.waitForURL(/\/groups$/);
    await page.clock.resume();
    await shows('money', 'contract');
    assert.equal(await page.getByRole('searchbox').inputValue(), '');
    assert.match(page.url(), /\/groups$/);
  });

  it('say that questions are on their way, and then that none is left', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/v1\/suspensions\?.*view=claimed/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(web.url('/claimed'));
    await page.getByRole('status').getByText('Loading the questions…').waitFor();
    await assertAccessible(page);
    release();
    await page.getByText('You have claimed no open question.').waitFor();
    await page.unrouteAll();
    await page.getByRole('link', { name: '4 questions are open' }).click();
    await shows('money', 'contract', 'sales', 'anybody');
  });

  it('open a question by the beginning of its id, as messages link to it', async () => {
    const id = ids.get('money') ?? '';
    await page.goto(web.url(`/q/${id.slice(0, 8)}`));
    await page.getByRole('heading', { name: ASKED.money.question }).waitFor();
    assert.equal(page.url(), web.url(`/q/${id}`));
    await page.goto(web.url('/q/ffffffff'));
    await page.getByText('No question that you may see has this address.').waitFor();
    await assertAccessible(page);
  });

  it('are saved under names, for one person in every browser', async () => {
    const views = page.getByRole('navigation', { name: 'Views' });
    const save = async (name: string, button: string) => {
      await page.getByRole('dialog').getByLabel('Name').fill(name);
      await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await page.goto(web.url('/all'));
    await shows('money', 'contract', 'sales', 'anybody');
    assert.equal(await page.getByRole('button', { name: /view…/ }).count(), 0);
    await narrow('Channel', 'desk');
    await page.getByRole('button', { name: 'Save view…' }).click();
    await page.getByRole('dialog', { name: 'Save view' }).waitFor();
    await assertAccessible(page);
    await save('At the desk', 'Save');
    const desk = views.getByRole('link', { name: 'At the desk' });
    assert.equal(await desk.getAttribute('aria-current'), 'page');
    await open('Settled');
    await narrow('State', 'Withdrawn');
    await page.getByRole('button', { name: 'Save view…' }).click();
    await save('Given up', 'Save');

    const other = await web.signedIn('grouped', '/');
    await other.getByRole('link', { name: 'At the desk' }).click();
    await other.waitForURL(/\/all\?channel=desk$/);
    await other.getByRole('link', { name: ASKED.money.question }).waitFor();
    await assertAccessible(other);
    await web.leave(other);
    const alice = await web.signedIn('operator', '/');
    await alice.getByRole('link', { name: 'For me' }).waitFor();
    assert.equal(await alice.getByText('At the desk').count(), 0);
    await web.leave(alice);

    await narrow('State', 'Expired');
    await shows('expired');
    await page.getByRole('button', { name: 'Save view…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Given up');
    await page.getByText('It takes the place of your view of this name.').waitFor();
    await save('Given up', 'Replace');
    await page.getByRole('button', { name: 'Edit view…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('At the desk');
    await page.getByText('Another view of yours has this name.').waitFor();
    await save('Too late', 'Save');
    assert.deepEqual((await views.getByRole('link').allTextContents()).slice(-2), [
      'At the desk',
      'Too late',
    ]);
    await desk.click();
    await shows('money');
    await page.getByRole('button', { name: 'Edit view…' }).click();
    await page.getByRole('button', { name: 'Delete view' }).click();
    await desk.waitFor({ state: 'detached' });
    await page.reload();
    await views.getByRole('link', { name: 'Too late' }).waitFor();
    assert.equal(await desk.count(), 0);
  });

  it('lead to matches that they do not show', async () => {
    await page.goto(web.url('/groups?text=reminder'));
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    await assertAccessible(page);
    await page.getByRole('link', { name: 'One settled question matches' }).click();
    await page.waitForURL(/\/settled\?text=reminder$/);
    await shows('answered');
    await page.goto(web.url('/settled?text=northwind&state=expired'));
    await page.getByRole('link', { name: 'One open question matches' }).click();
    await page.waitForURL(/\/all\?text=northwind$/);
    await shows('sales');
  });
});
