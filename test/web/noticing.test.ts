import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import type { Page, Worker } from 'playwright-core';
import type { Notice } from '../../contracts/channel/notification.js';
import { browserKeys } from '../activities/push/browser.js';
import { startPushService } from '../activities/push/service.js';
import { sendPushes } from '../support/follow-ups.js';
import { lookUntil } from '../support/looks.js';
import { QUESTIONS } from './support/questions.js';
import { ALLOWED } from './support/site.js';
import { assertAccessible, useWebStack, type WebStack } from './support/web-stack.js';

const WITH_WORKER = { serviceWorkers: 'allow' } as const;

/** The icon of the tab, as text. */
const iconOf = (page: Page) =>
  page
    .locator('link[rel=icon]')
    .evaluate((link: { href: string }) => decodeURIComponent(link.href));

/** A page that its service worker looks after. */
async function installed(page: Page): Promise<Worker> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const worker = page.context().serviceWorkers()[0];
  assert.ok(worker);
  return worker;
}

/** The addresses of all that a service worker keeps. */
const keptBy = (worker: Worker) =>
  worker.evaluate<readonly string[]>(`caches.keys().then(async (names) => {
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return kept.flat().map(({ url }) => url);
  })`);

/** These note what the shell of Chromium would show, and press that. */
const SHOWN = `globalThis.shown = [];
  registration.showNotification = async (title, { body, tag, data: path }) => {
    shown.push({ title, body, tag, path });
  };
  const { matchAll } = clients;
  clients.matchAll = async (options) =>
    (await matchAll.call(clients, options)).map((tab) => ({
      url: tab.url,
      focused: false,
      postMessage: (message) => tab.postMessage(message),
      focus: async () => undefined,
    }));`;
const pressed = (path: string) => `{
  const event = new Event('notificationclick');
  event.notification = { close: () => undefined, data: ${JSON.stringify(path)} };
  event.waitUntil = () => undefined;
  dispatchEvent(event);
}`;

const pushed = (text: string) => `{
  const event = new Event('push');
  event.data = { text: () => ${JSON.stringify(text)} };
  event.waitUntil = () => undefined;
  dispatchEvent(event);
}`;

/** A subscription as the browser would have it, at a push service of the test. */
const subscribedAt = (endpoint: string, { p256dh, auth }: { p256dh: string; auth: string }) =>
  `PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    globalThis.subscribedWith = applicationServerKey;
    return { toJSON: () => (${JSON.stringify({ endpoint, keys: { p256dh, auth } })}) };
  };`;

describe('what makes people notice questions', () => {
  let web: WebStack;
  const service = startPushService();
  useWebStack(
    service.then(({ host }) => ({ push: { hosts: [host], allow_private_network: true } })),
    (started) => {
      web = started;
    },
  );
  after(async () => (await service).close());

  it('shows in the icon of the tab how many questions wait', async () => {
    const { id } = await web.ask({ question: 'Ship it?', response_type: 'confirm' });
    const page = await web.signedIn('operator');
    await page.getByRole('link', { name: 'Ship it?' }).waitFor();
    await lookUntil(async () => />1<\/text>/.test(await iconOf(page)), 'the icon has no count');
    await web.stack.post(`/v1/suspensions/${id}/respond`, 'operator', { value: 'yes' });
    await lookUntil(async () => /icon\.svg$/.test(await iconOf(page)), 'the icon still counts');
    await page.context().close();
  });

  it('keeps the built files alone, and opens without a network', async () => {
    const page = await web.signedIn('operator', '/', WITH_WORKER);
    const worker = await installed(page);
    // The second page is the first one that the worker looks after.
    await page.goto(web.url('/settings'));
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    await page.goto(web.url('/link'));
    const kept = await keptBy(worker);
    assert.ok(kept.length > 10);
    for (const url of kept)
      assert.match(
        new URL(url).pathname,
        /^\/inbox\/assets\/[\w.-]+-[\w-]{8}\.(?:js|css|svg|html)$/,
      );
    await page.context().setOffline(true);
    await page.goto(web.url());
    await page.getByText('Holdpoint cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.context().setOffline(true);
    await assert.rejects(page.goto(web.url('/link')), /ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    await page.context().close();
  });

  it('shows a notification of what comes for this person, which leads to it', async () => {
    const page = await web.visitor(WITH_WORKER);
    await page.addInitScript(ALLOWED);
    await web.signIn(page, 'operator', '/settings');
    const worker = await installed(page);
    await worker.evaluate(SHOWN);
    const shown = () => worker.evaluate<readonly Notice[]>('shown');
    await page.getByText('Show a notification when a question comes for me').click();
    await page.getByText('Say in it what is asked').waitFor();
    await assertAccessible(page);
    await page.goto(web.url());
    await page.getByText('Live', { exact: true }).waitFor();
    const eligible = { principals: ['greta'] };
    await web.ask({ ...QUESTIONS.confirm, decision_rule: { eligible } });
    const { id } = await web.ask({ question: 'Refund order A-7?', response_type: 'confirm' });
    await lookUntil(async () => (await shown()).length > 0, 'nothing is shown');
    const path = `/inbox/q/${id}`;
    assert.deepEqual(await shown(), [
      {
        title: 'Input needed: Refund order A-7?',
        body: 'Asked by agent-1',
        tag: `${id}:1`,
        path,
      },
    ]);
    await worker.evaluate(pressed(path));
    await page.getByRole('heading', { name: 'Refund order A-7?' }).waitFor();
    await page.context().close();
  });

  it('tells a closed browser of a question, as its service worker shows it', async () => {
    const keys = browserKeys();
    const { endpoint, received } = await service;
    const page = await web.visitor(WITH_WORKER);
    await page.addInitScript(ALLOWED + subscribedAt(endpoint, keys));
    await web.signIn(page, 'operator', '/settings');
    const worker = await installed(page);
    await page.getByText('Show a notification when a question comes for me').click();
    await page.getByText('Also while the inbox is closed').click();
    await page
      .getByRole('switch', { name: 'Also while the inbox is closed', checked: true })
      .waitFor();
    await page.getByText('Quiet hours, in every browser of mine').click();
    await page.getByLabel('From').waitFor();
    await assertAccessible(page);
    await page.getByText('Quiet hours, in every browser of mine').click();
    await page.getByLabel('From').waitFor({ state: 'detached' });
    assert.match(await page.evaluate<string>('subscribedWith'), /^[\w-]{87}$/);
    await worker.evaluate(SHOWN);
    await page.goto('about:blank');
    const { id } = await web.ask({ question: 'Wake the team?', response_type: 'confirm' });
    await sendPushes(web.stack.client, () => received.length > 0);
    const [first] = received;
    assert.ok(first);
    const notice = { title: 'Input needed: Wake the team?', body: 'Asked by agent-1' };
    const expected = { ...notice, tag: `${id}:1`, path: `/inbox/q/${id}` };
    assert.deepEqual(JSON.parse(keys.read(first.body)), expected);
    await worker.evaluate(pushed(keys.read(first.body)));
    const shown = () => worker.evaluate<readonly Notice[]>('shown');
    await lookUntil(async () => (await shown()).length > 0, 'nothing is shown');
    assert.deepEqual(await shown(), [expected]);
    await page.context().close();
  });
});
