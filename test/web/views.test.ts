import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import { lookUntil } from '../support/looks.js';
import { assertAccessible, useWebStack } from './support/web-stack.js';
import type { WebStack } from './support/web-stack.js';

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
  useWebStack(CONFIG, async (started) => {
    web = started;
    const ids = new Map<string, string>();
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
    assert.deepEqual(titles.at(-1), ASKED.answered.question);
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
});
