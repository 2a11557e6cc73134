import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, afterEach, before } from 'mocha';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, RealStack, type KeyName } from '../../support/real-stack.js';
import { builtInbox } from './built-inbox.js';
import type { Gate } from './gate.js';
import { SITES, type Site } from './site.js';

/** A browser like that of a phone. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The media type of a refusal. */
export const PROBLEM = 'application/problem+json';

/** Whether a visitor may get a browser that another one has left, cleared; where people sign in, nobody has used it before. */
type Browsers = 'cleared' | 'unused';

/** A real stack with the inbox, and a browser to open it with. */
export class WebStack {
  /** What browsers said that they should not have: faults of scripts, and breaches of the Content-Security-Policy. */
  private readonly faults: string[] = [];

  readonly stack: RealStack;
  readonly gate: Gate;
  private readonly site: Site;
  private readonly browsers: Browsers;

  private constructor(stack: RealStack, site: Site, browsers: Browsers) {
    this.stack = stack;
    this.gate = site.gate;
    this.site = site;
    this.browsers = browsers;
  }

  static start(config: unknown = {}, browsers?: Browsers): Promise<WebStack> {
    return WebStack.startAt(() => config, browsers);
  }

  /** @param configOf - makes the configuration for the address at which browsers reach the API */
  static async startAt(
    configOf: (site: string) => unknown,
    browsers: Browsers = 'cleared',
  ): Promise<WebStack> {
    const [webFolder, site] = await Promise.all([builtInbox(), SITES.take()]);
    const stack = await RealStack.start(await configOf(site.gate.url), undefined, webFolder);
    site.gate.lead(stack.url);
    return new WebStack(stack, site, browsers);
  }

  async close(): Promise<void> {
    await SITES.giveBack(this.site);
    await this.stack.close();
  }

  /** The address of a page of the inbox. */
  url(at = '/'): string {
    return `${this.gate.url}/inbox${at}`;
  }

  /** A browser of its own, in which nobody is signed in. */
  async visitor(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.site.visitor(options, this.browsers === 'unused');
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.faults.push(message.text());
    });
    return page;
  }

  /** Ends visits: whoever visits next finds nothing of them. What {@link Site.leave} cannot undo ends with its context. */
  async leave(...pages: readonly Page[]): Promise<void> {
    await Promise.all(pages.map((page) => this.site.leave(page)));
  }

  /** A browser in which somebody is signed in, at a page of the inbox. */
  async signedIn(as: KeyName, at = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.visitor(options);
    await this.signIn(page, as, at);
    return page;
  }

  /** Signs somebody in with a browser, and opens a page of the inbox there. */
  async signIn(page: Page, as: KeyName, at = '/'): Promise<void> {
    const reply = await page.request.post(`${this.gate.url}/session`, {
      data: { key: KEYS[as].key },
    });
    assert.equal(reply.status(), 200, await reply.text());
    await page.goto(this.url(at));
  }

  /** Asks a question that holds up nothing. */
  async ask(body: object, as: KeyName = 'agent'): Promise<SuspensionView> {
    const asked = await this.stack.post('/v1/suspensions', as, body);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    return asked.body as SuspensionView;
  }

  /** Asks for an approval, and waits until people can decide on it. */
  async askApproval(body: object): Promise<{ readonly approval: string; readonly id: string }> {
    const reply = await this.stack.post('/v1/approvals', 'agent', body);
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    const { request_id } = reply.body as { request_id: string };
    const id = await lookUntil(async () => {
      const { suspension_id } = await this.readApproval(request_id);
      return suspension_id ?? undefined;
    }, 'nobody is asked');
    return { approval: request_id, id };
  }

  /** Reads an approval as it stands. */
  async readApproval(id: string): Promise<ApprovalView> {
    return (await this.stack.get(`/v1/approvals/${id}`, 'operator')).body as ApprovalView;
  }

  /** Reads a question as it stands. */
  async read(id: string): Promise<SuspensionView> {
    return (await this.stack.get(`/v1/suspensions/${id}`, 'operator')).body as SuspensionView;
  }

  /** The faults so far, each told once. */
  takeFaults(): readonly string[] {
    return this.faults.splice(0);
  }
}

/**
 * Gives the suite around the call a stack of its own, from before its first test until after its last. Each test fails by what
 * its browsers said that they should not have.
 */
export function useWebStack(
  config: unknown,
  started: (web: WebStack) => Promise<void> | void,
  browsers?: Browsers,
): void {
  let web: WebStack;
  before(async () => {
    web = await WebStack.start(config, browsers);
    await started(web);
  });
  after(() => web.close());
  afterEach(() => {
    assert.deepEqual(web.takeFaults(), []);
  });
}

/**
 * What a page has asked the API to write, from this call on, as `POST /v1/…`. A key or a press asks before the next look at the
 * page, so what is not here by then is not done later.
 */
export function writesOf(page: Page): readonly string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET') return;
    writes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return writes;
}

/** Chooses by a key in a question that has just come into view: for a moment no key decides anything there. */
export async function chooseByKey(page: Page, key: string): Promise<void> {
  await lookUntil(async () => {
    await page.keyboard.press(key);
    return (await page.getByRole('radio', { checked: true }).count()) === 1;
  }, `${key} chooses nothing`);
}

/** Opens the list of keys and closes it: from then on it is loaded, and would be there at once if a key opened it. */
export async function loadHelp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

let axe: Promise<string> | undefined;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe checks, and what of it depends on colours: the rest need not be checked twice. */
const RUNS = {
  light: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;

/** Asserts that axe finds nothing on a page, in light and in dark. */
export async function assertAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) {
    axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    await page.evaluate(await axe);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const options = { runOnly: RUNS[colorScheme], resultTypes: ['violations'] };
    const violations = await page.evaluate<readonly Violation[]>(
      `axe.run(document, ${JSON.stringify(options)}).then((found) => found.violations)`,
    );
    const told = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${colorScheme}: ${id}: ${help}\n${html}\n${failureSummary}`,
      ),
    );
    assert.deepEqual(told, []);
  }
  await page.emulateMedia({ colorScheme: null });
}
