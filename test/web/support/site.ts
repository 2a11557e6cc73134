import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { ServerPool } from '../../support/server-pool.js';
import { startChromium } from './chromium.js';
import { Gate } from './gate.js';

/** Less than mocha gives a test, and as much as a page may need where others keep the machine busy. */
const PATIENCE_MS = 180_000;

/** What tests listen to on a page. */
const HEARD = ['console', 'pageerror', 'request', 'requestfailed'];

/** A page of the API that no script belongs to. It keeps the process of the browser, which `about:blank` would end. */
const AT_REST = '/session/methods';

/** Empties what pages of this address keep, and says whether their clock is a real one. */
const FORGET = "localStorage.clear(); sessionStorage.clear(); !('__pwClock' in globalThis)";

/** A window in which a question has no room beside the list, so that a test finds only what it looks at. */
const ONE_PAGE = { width: 1_180, height: 720 };

/** Has answers sent at once, for a test that is not about the time in which they can be undone. */
const SENDS_AT_ONCE = `try {
  localStorage['holdpoint-settings'] ??= '{"undoSeconds":0}';
} catch {}`;

/** The shell of Chromium shows no notifications: a page that runs this first may show them. */
export const ALLOWED = `Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  Notification.requestPermission = async () => 'granted';`;

/** A context with its one page. To start it, and to compile the inbox in it, takes longer than most tests use it. */
interface Seat {
  readonly page: Page;
  readonly devtools: CDPSession;
  readonly size: { readonly width: number; readonly height: number } | null;
  /** Only who asks for the same gets it. */
  readonly options: string;
}

/** Chromium, and the address at which its pages find the API: one of a process, which its files use in turn. */
export class Site {
  readonly gate: Gate;
  private readonly browser: Browser;
  private readonly taken = new Map<Page, Seat>();
  private readonly free: Seat[] = [];

  private constructor(gate: Gate, browser: Browser) {
    this.gate = gate;
    this.browser = browser;
  }

  static async start(): Promise<Site> {
    const [gate, browser] = await Promise.all([Gate.start(), startChromium()]);
    return new Site(gate, browser);
  }

  /**
   * A page of a context in which nobody is signed in.
   *
   * @param isUnused - whether nobody may have had the context before
   */
  async visitor(given: BrowserContextOptions, isUnused = false): Promise<Page> {
    const options = JSON.stringify(given);
    const at = isUnused ? -1 : this.free.findLastIndex((seat) => seat.options === options);
    const seat = this.free.splice(at, at < 0 ? 0 : 1)[0] ?? (await this.newSeat(given, options));
    this.taken.set(seat.page, seat);
    return seat.page;
  }

  /**
   * Ends a visit: the next visitor finds nothing of it. Not for a page whose clock was moved, or that got scripts of its own
   * before those of the inbox: its context is closed instead.
   */
  async leave(page: Page): Promise<void> {
    const seat = this.taken.get(page);
    assert.ok(seat, 'nobody visits with this page');
    const context = page.context();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const event of HEARD) page.removeAllListeners(event);
    const others = context.pages().filter((other) => other !== page);
    await Promise.all(others.map((other) => other.close()));
    await context.setOffline(false);
    await page.goto(this.gate.url + AT_REST);
    assert.ok(await page.evaluate(FORGET), 'close a page whose clock was moved');
    await Promise.all([
      seat.devtools.send('Storage.clearDataForOrigin', {
        origin: this.gate.url,
        storageTypes: 'indexeddb,cache_storage,service_workers',
      }),
      context.clearCookies(),
      context.clearPermissions(),
      page.emulateMedia({ colorScheme: null, media: null, reducedMotion: null }),
      seat.size && page.setViewportSize(seat.size),
      seat.devtools.send('Page.resetNavigationHistory'),
    ]);
    this.taken.delete(page);
    this.free.push(seat);
  }

  /** Closes what nobody left, as after a test that failed; says whether the next file may go on with the rest. */
  async clean(): Promise<boolean> {
    await Promise.all(Array.from(this.taken.keys(), (page) => page.context().close()));
    this.taken.clear();
    this.gate.shut();
    this.gate.open();
    return this.browser.isConnected();
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.gate.close();
  }

  private async newSeat(given: BrowserContextOptions, options: string): Promise<Seat> {
    const context = await this.browser.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      // Each visit would load all files of the build for it.
      serviceWorkers: 'block',
      viewport: ONE_PAGE,
      ...given,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(SENDS_AT_ONCE);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    return { page, devtools, size: page.viewportSize(), options };
  }
}

/** The sites of this process. Files run one after the other, so one is enough. */
export const SITES = new ServerPool<Site>({
  start: () => Site.start(),
  clean: (site) => site.clean(),
  stop: (site) => site.close(),
});
