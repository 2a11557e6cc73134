import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, afterEach, before } from 'mocha';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ApprovalView } from '../../../contracts/approval.js';
import type { SuspensionView } from '../../../contracts/suspension-view.js';
import { lookUntil } from '../../support/looks.js';
import { KEYS, RealStack } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';
import { builtInbox } from './built-inbox.js';
import { startChromium } from './chromium.js';
import { Gate } from './gate.js';

/** A browser like that of a phone. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The media type of a refusal. */
export const PROBLEM = 'application/problem+json';

/** Less than mocha gives a test, and as much as a page may need where others keep the machine busy. */
const PATIENCE_MS = 180_000;

/** A real stack with the inbox, and a browser to open it with. */
export class WebStack {
  /** What browsers said that they should not have: faults of scripts, and breaches of the Content-Security-Policy. */
  private readonly faults: string[] = [];

  readonly stack: RealStack;
  readonly gate: Gate;
  private readonly browser: Browser;

  private constructor(stack: RealStack, gate: Gate, browser: Browser) {
    this.stack = stack;
    this.gate = gate;
    this.browser = browser;
  }

  static start(config: unknown = {}): Promise<WebStack> {
    return WebStack.startAt(() => config);
  }

  /** @param configOf - makes the configuration for the address at which browsers reach the API */
  static async startAt(configOf: (site: string) => unknown): Promise<WebStack> {
    const [webFolder, gate] = await Promise.all([builtInbox(), Gate.start()]);
    const [stack, browser] = await Promise.all([
      RealStack.start(await configOf(gate.url), undefined, undefined, webFolder),
      startChromium(),
    ]);
    gate.lead(stack.url);
    return new WebStack(stack, gate, browser);
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.gate.close();
    await this.stack.close();
  }

  /** The address of a page of the inbox. */
  url(at = '/'): string {
    return `${this.gate.url}/inbox${at}`;
  }

  /** A browser of its own, in which nobody is signed in. */
  async visitor(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      locale: 'en-GB',
      timezoneId: 'UTC',
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.faults.push(message.text());
    });
    return page;
  }

  /** A browser in which somebody is signed in, at a page of the inbox. */
  async signedIn(as: KeyName, at = '/', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.visitor(options);
    const reply = await page.request.post(`${this.gate.url}/session`, {
      data: { key: KEYS[as].key },
    });
    assert.equal(reply.status(), 200, await reply.text());
    await page.goto(this.url(at));
    return page;
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
): void {
  let web: WebStack;
  before(async () => {
    web = await WebStack.start(config);
    await started(web);
  });
  after(() => web.close());
  afterEach(() => {
    assert.deepEqual(web.takeFaults(), []);
  });
}

let axe: Promise<string> | undefined;

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
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
    const { violations } = await page.evaluate<AxeResult>(
      `axe.run(document, ${JSON.stringify(options)})`,
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
