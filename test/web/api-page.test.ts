import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { pageInOneFile } from '../../api/openapi/page.js';
import { V1_DOCUMENT } from '../../api/v1/index.js';
import { operationsOf, type OpenApi } from '../support/openapi.js';
import { scriptOf } from '../support/scripts.js';
import { startChromium } from './support/chromium.js';

const run = promisify(execFile);

/** As long as a page may need where others keep the machine busy. */
const PATIENCE_MS = 180_000;

describe('the page of the API in one file', () => {
  let folder = '';
  let browser: Browser;
  let page: Page;
  const heard: string[] = [];
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-api-page-'));
    browser = await startChromium();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.setDefaultNavigationTimeout(PATIENCE_MS);
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', (error) => heard.push(String(error)));
    page.on('request', (request) => {
      if (!request.isNavigationRequest()) heard.push(request.url());
    });
  });
  afterEach(async () => {
    await page.close();
    assert.deepEqual(heard.splice(0), []);
  });
  after(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  const open = (file: string, hash = '') => page.goto(pathToFileURL(file).href + hash);

  it('is written without Temporal and without a store, and shows every operation', async () => {
    const file = path.join(folder, 'inner', 'api.html');
    const { stdout } = await run(process.execPath, [scriptOf('api/openapi/page-main.ts'), file]);
    assert.equal(stdout.trim(), file);
    await open(file);
    const operations = operationsOf(V1_DOCUMENT as unknown as OpenApi);
    // Some versions of the viewer draw only the first of many.
    const summaries = page.locator('.opblock-summary');
    await summaries.nth(operations.length - 1).waitFor();
    const shown = await summaries.allInnerTexts();
    const words = shown.map((text) => text.replaceAll('\u200b', '').split('\n').filter(Boolean));
    assert.ok(operations.length > 60);
    assert.deepEqual(
      words.map((each) => each.slice(0, 3).join(' ')).sort(),
      operations.map((each) => `${each.method.toUpperCase()} ${each.path} ${each.summary}`).sort(),
    );
    assert.deepEqual(await page.getByRole('button', { name: 'Authorize' }).all(), []);
  });

  it('opens at an operation, with all that the document says of it', async () => {
    const file = path.join(folder, 'at.html');
    await writeFile(file, await pageInOneFile(V1_DOCUMENT));
    await open(file, '#/Questions/respondBySuspension');
    const answer = page.locator('#operations-Questions-respondBySuspension');
    for (const text of [
      'Answers any question',
      'Needs a key with the role',
      'Idempotency-Key',
      'suspension_settled',
      'claimed_by_other',
      'RateLimit-Policy',
    ]) {
      await answer.getByText(text).first().waitFor();
    }
    // The fields of the body and of the reply are behind references.
    for (const [at, field] of [
      ['.opblock-section-request-body', 'despite_claim'],
      ['.response[data-code="200"]', 'choice_label'],
    ] as const) {
      await answer.locator(at).getByText('Schema', { exact: true }).click();
      await answer.locator(at).getByText(field, { exact: true }).waitFor();
    }
    assert.deepEqual(await page.locator('.errors-wrapper').allInnerTexts(), []);
  });

  it('shows what was written for it as text', async () => {
    const hostile = '</script><script>document.title = "run"</script><!-- <script> <img src=x>';
    const operation = { operationId: 'a', summary: hostile, description: hostile, responses: {} };
    const file = path.join(folder, 'hostile.html');
    const info = { title: 't', version: '1', description: hostile };
    const document = { openapi: '3.1.0', info, paths: { '/a': { get: operation } } };
    await writeFile(file, await pageInOneFile(document));
    await open(file, '#/default/a');
    await page.locator('.opblock.is-open').waitFor();
    assert.equal(await page.locator('.opblock-summary-description').innerText(), hostile);
    assert.equal(await page.title(), 'Holdpoint API');
  });
});
