import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { refreshInbox } from '../service/build-web.js';
import { startChromium } from '../test/web/support/chromium.js';
import type { BenchStack } from './bench-stack.js';
import { fill } from './inbox.js';

/** What a browser calls a long task: for so long it answers to no key and no press. */
const LONG_TASK_MS = 50;
const PATIENCE_MS = 180_000;
const STEPS_BY_KEY = 50;

/** How long the page of the inbox held up its browser while something was done in it. */
export interface PageFigure {
  readonly rows: number;
  readonly step: string;
  /** How many tasks took longer than `LONG_TASK_MS`. */
  readonly long: number;
  /** The longest task, and the most that one took of the CPU, in ms. */
  readonly longest: number;
  readonly cpu: number;
}

/** What the browser says of its own tasks, and of its threads. */
const CATEGORIES = ['toplevel', 'disabled-by-default-devtools.timeline'];
const TASK = /(^|::)RunTask$/;

/** A task of a thread of the browser, in microseconds, or the name of a thread. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  /** What it took of the CPU: the same on a machine that others use too. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Scrolls on until all questions are loaded. */
const SCROLL_TO_END = `(async () => {
  const item = () => document.querySelector('li[aria-setsize]');
  const scroller = item().closest('ul').parentElement;
  const end = Date.now() + ${PATIENCE_MS};
  while (item().getAttribute('aria-setsize') === '-1') {
    if (Date.now() > end) throw new Error('the list does not end');
    scroller.scrollTop = scroller.scrollHeight;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const all = Number(item().getAttribute('aria-setsize'));
  scroller.scrollTop = 0;
  return all;
})()`;

/**
 * Opens the inbox in a real browser with so many open questions, which are written past the workflows, and does in it what
 * people do: scrolls through all of them, gets one more, walks by keys, and looks for one.
 */
export async function measurePage(bench: BenchStack, rows: number): Promise<PageFigure[]> {
  await refreshInbox({ env: process.env, log: (line) => void process.stderr.write(`  ${line}\n`) });
  await write(bench, rows);
  const browser = await startChromium();
  try {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    context.setDefaultTimeout(PATIENCE_MS);
    const data = { key: bench.keyOf('operator') };
    const reply = await context.request.post(`${bench.stack.apiUrl}/session`, { data });
    if (!reply.ok()) throw new Error(`nobody is signed in: ${await reply.text()}`);
    return await walk(browser, await context.newPage(), bench, rows);
  } finally {
    await browser.close();
  }
}

async function walk(
  browser: Browser,
  page: Page,
  bench: BenchStack,
  rows: number,
): Promise<PageFigure[]> {
  const figures: PageFigure[] = [];
  const step = async (name: string, work: () => Promise<unknown>) => {
    await browser.startTracing(page, { categories: CATEGORIES });
    await work();
    figures.push({ rows, step: name, ...tasksIn(await browser.stopTracing()) });
  };
  const row = (id: string) => page.locator(`[data-row="${id}"]`).waitFor();
  await step('opened', async () => {
    const reply = await page.goto(`${bench.stack.apiUrl}/inbox/all`);
    if (!reply?.ok()) throw new Error(`there is no inbox: ${await reply?.text()}`);
    await page.locator('[data-row]').first().waitFor();
  });
  await step('scrolled to the end and back', async () => {
    const loaded = await page.evaluate<number>(SCROLL_TO_END);
    if (loaded < rows) throw new Error(`${loaded} of ${rows} questions are shown`);
  });
  await step('one question more', async () => {
    await row((await bench.ask({ timeout_seconds: 3_600 })).id);
  });
  await step(`${STEPS_BY_KEY} rows on by keys`, async () => {
    for (let count = 0; count < STEPS_BY_KEY; count += 1) await page.keyboard.press('j');
  });
  await step('searched', async () => {
    await page.getByRole('searchbox').fill(`order ${rows}`);
    await row(`bench-${rows}`);
  });
  return figures;
}

/** What held up the thread that shows the page. */
function tasksIn(trace: Buffer): Pick<PageFigure, 'long' | 'longest' | 'cpu'> {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const at = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`;
  const named = traceEvents.filter(({ name }) => name === 'thread_name');
  const shows = new Set(named.filter(({ args }) => args?.name === 'CrRendererMain').map(at));
  const tasks = traceEvents.filter((event) => TASK.test(event.name) && shows.has(at(event)));
  if (tasks.length === 0) throw new Error('the browser tells of no task');
  const walls = tasks.map(({ dur = 0 }) => dur / 1_000);
  return {
    long: walls.filter((ms) => ms > LONG_TASK_MS).length,
    longest: walls.reduce((most, ms) => Math.max(most, ms), 0),
    cpu: tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1_000), 0),
  };
}

/** Questions as the page shows most: yes or no, with a limit of time. */
async function write(bench: BenchStack, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: bench.stack.databaseUrl });
  await client.connect();
  await fill(client, 1, rows);
  await client.query(
    `update suspensions set record = record || jsonb_strip_nulls(jsonb_build_object(
       'response_type', response_type, 'suspended_at', suspended_at, 'expires_at', expires_at))`,
  );
  await client.end();
}
