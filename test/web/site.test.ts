import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { PHONE } from './support/web-stack.js';
import { SITES, type Site } from './support/site.js';

/** What a page finds that somebody before it may have left. */
const FOUND = `(async () => ({
  local: { ...localStorage },
  session: { ...sessionStorage },
  databases: await indexedDB.databases(),
  caches: await caches.keys(),
  width: innerWidth,
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
  isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
  mayLocate: (await navigator.permissions.query({ name: 'geolocation' })).state,
  isOnline: navigator.onLine,
  pages: history.length,
  body: document.body.textContent,
}))()`;

const LEFT = `(async () => {
  localStorage.setItem('settings', 'mine');
  sessionStorage.setItem('draft', 'mine');
  document.cookie = 'session=mine';
  await caches.open('mine');
  await new Promise((resolve) => (indexedDB.open('mine').onsuccess = resolve));
  history.pushState(null, '', '/mine');
})()`;

describe('a browser of the tests that one visitor leaves to the next', () => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<p>As served');
  });
  let site: Site;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    site = await SITES.take();
    site.gate.lead(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  after(async () => {
    await SITES.giveBack(site);
    server.close();
  });

  async function found(page: Page): Promise<object> {
    await page.goto(site.gate.url);
    return {
      ...(await page.evaluate<object>(FOUND)),
      cookies: await page.context().cookies(),
      tabs: page.context().pages().length,
    };
  }

  it('holds nothing of the first visit', async () => {
    const first = await site.visitor({});
    const context = first.context();
    await first.goto(site.gate.url);
    await first.evaluate(LEFT);
    let heard = 0;
    first.on('request', () => (heard += 1));
    await first.route('**/*', (route) => route.fulfill({ body: '<p>As faked' }));
    await first.setViewportSize({ width: 500, height: 500 });
    await first.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await context.grantPermissions(['geolocation']);
    await (await context.newPage()).goto(site.gate.url);
    await context.setOffline(true);
    await site.leave(first);
    const heardByFirst = heard;
    const second = await site.visitor({});
    assert.equal(second, first);
    const unused = await site.visitor({}, true);
    assert.notEqual(unused.context(), context);
    assert.deepEqual(await found(second), await found(unused));
    assert.equal(heard, heardByFirst);
    await unused.context().close();
    await site.leave(second);
  });

  it('is another one for who wants another kind', async () => {
    const desk = await site.visitor({});
    await site.leave(desk);
    const phone = await site.visitor(PHONE);
    assert.notEqual(phone, desk);
    assert.equal(phone.viewportSize()?.width, PHONE.viewport.width);
    await site.leave(phone);
    assert.equal(await site.visitor(PHONE), phone);
    await site.leave(phone);
  });

  it('is nobody’s while somebody has it, and not left to the next with a moved clock', async () => {
    const one = await site.visitor({});
    const other = await site.visitor({});
    assert.notEqual(one, other);
    await site.leave(other);
    await one.clock.install();
    await assert.rejects(site.leave(one), /close a page whose clock was moved/);
    await one.context().close();
  });

  it('is closed where nobody left it, as after a test that failed', async () => {
    const page = await site.visitor({});
    assert.equal(await site.clean(), true);
    assert.equal(page.isClosed(), true);
    assert.notEqual(await site.visitor({}), page);
  });
});
