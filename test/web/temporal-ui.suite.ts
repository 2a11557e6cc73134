import { Client } from '@temporalio/client';
import { Worker, bundleWorkflowCode } from '@temporalio/worker';
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Browser, Page } from 'playwright-core';
import { workflowIdOf } from '../../contracts/constants/names.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import * as activities from '../../examples/temporal-agent/activities.js';
import { openInTemporal } from '../../service/welcome.js';
import { freePort } from '../../temporal-config/ports.js';
import { asNodeRunsIt } from '../../workers/shipped-bundle.js';
import { lookUntil } from '../support/looks.js';
import { RealStack } from '../support/real-stack.js';
import { onServer } from '../support/stack-temporal.js';
import { startReceiver, status, type Receiver } from '../support/subscribers.js';
import { connectedTo, run, startOnFreePort, type RunningWorker } from '../support/temporal.js';
import { startChromium } from './support/chromium.js';
import { smaller } from './support/png.js';

/*
 * Takes the pictures of the Temporal UI in docs/watch-and-repair.md: mocha test/web/temporal-ui.suite.ts
 */

const DOCS = path.resolve(import.meta.dirname, '../../docs');
const AGENT = path.resolve(import.meta.dirname, '../../examples/temporal-agent/workflows.ts');
const QUEUE = 'refunds';

const CONFIRM = { response_type: 'confirm' } as const;

describe('the pictures of the Temporal UI', function () {
  this.timeout(900_000);
  let stack: RealStack;
  let client: Client;
  let browser: Browser;
  let agents: RunningWorker;
  let receiver: Receiver;
  /** The pages of the namespace. */
  let ui: string;

  before(async () => {
    const server = await startOnFreePort({ uiPort: await freePort() });
    ui = `${server.uiUrl ?? ''}/namespaces/${server.namespace}`;
    receiver = await startReceiver(status(503));
    const { url } = receiver;
    const secrets = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`];
    const ops = { type: 'webhook', url, allow_private_network: true, secrets };
    const channels = { console: { type: 'console' }, ops };
    const config = { notifications: { default_channel: 'console', channels } };
    const temporal = await connectedTo(server);
    stack = await RealStack.start(config, onServer(Promise.resolve(temporal)));
    client = new Client({ connection: temporal.connection });
    agents = run(
      await Worker.create({
        connection: await temporal.native(),
        taskQueue: QUEUE,
        workflowBundle: await bundleWorkflowCode({
          workflowsPath: AGENT,
          webpackConfigHook: asNodeRunsIt,
        }),
        activities,
      }),
    );
    browser = await startChromium();
  });
  after(async () => {
    await browser.close();
    await agents.stop();
    await stack.close();
    await receiver.close();
  });

  async function take(
    name: string,
    url: string,
    see: (page: Page) => Promise<unknown>,
    viewport = { width: 1400, height: 760 },
  ): Promise<void> {
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(90_000);
    await page.goto(url);
    await see(page);
    const picture = await page.screenshot({ animations: 'disabled' });
    await writeFile(path.join(DOCS, `temporal-${name}.png`), smaller(picture));
    await page.context().close();
  }

  const pageOf = (workflowId: string) => `${ui}/workflows/${encodeURIComponent(workflowId)}`;
  const questionPage = (id: string) => pageOf(workflowIdOf('suspension', id));

  /** Lets an agent on Temporal ask about an order; returns its question. */
  async function refund(order: string): Promise<SuspensionView> {
    await client.workflow.start('refund', {
      workflowId: `refund-${order}`,
      taskQueue: QUEUE,
      args: [order],
    });
    return lookUntil(async () => {
      const { body } = await stack.get('/v1/suspensions?state=pending', 'operator');
      const open = body.suspensions as readonly SuspensionView[];
      return open.find(({ record }) => record.question.includes(order));
    }, 'the agent does not ask');
  }

  async function ask(body: object): Promise<string> {
    const asked = await stack.post('/v1/suspensions', 'agent', { ...CONFIRM, ...body });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    return asked.body.id as string;
  }

  /** Sets the columns, and saves the view, as the page says. */
  async function saveView(page: Page): Promise<void> {
    await page.getByTestId('workflows-summary-table-configuration-button').click();
    for (const column of ['Status', 'Run ID', 'Type', 'End'])
      await page.getByRole('button', { name: `Remove ${column} column` }).click();
    for (const column of ['HoldpointAskedBy', 'HoldpointState', 'HoldpointExpiresAt'])
      await page.getByRole('button', { name: `Add ${column} column` }).click();
    await page.getByTestId('drawer-close-button').click();
    await page.getByTestId('create-view-button').click();
    const name = page.getByTestId('save-view-modal-input');
    await name.fill('Open questions');
    await name.press('Enter');
    await page.getByRole('button', { name: 'Open questions' }).waitFor();
  }

  it('are taken of real workflows', async () => {
    await ask({ question: 'Deploy on a Friday?', timeout_seconds: 3_600 });
    const asked = await refund('12345');
    const settled = await refund('12346');
    await stack.post(`/v1/suspensions/${settled.id}/respond`, 'operator', { value: 'approve' });
    await client.workflow.getHandle('refund-12346').result();
    const nobody = { workflowId: 'refund-12347', taskQueue: 'refunds-eu', args: ['12347'] };
    await client.workflow.start('refund', nobody);
    const unheard = await ask({ question: 'Raise the limit?', channel_hint: 'ops' });

    await take(
      'list',
      openInTemporal(ui),
      async (page) => {
        await page.getByRole('link', { name: workflowIdOf('suspension', unheard) }).waitFor();
        await saveView(page);
      },
      { width: 1640, height: 640 },
    );
    await take('question', questionPage(asked.id), async (page) => {
      await page.getByText('User Metadata').click();
      // Summary and details are shown in frames.
      await page.locator('iframe').nth(1).waitFor();
    });
    await take(
      'delivery',
      questionPage(unheard),
      async (page) => {
        await page.getByText('Pending Activities').click();
        await page.getByText('the webhook answered 503').first().waitFor();
      },
      // The stack trace below has paths of this machine.
      { width: 1400, height: 620 },
    );
    await take('no-worker', pageOf('refund-12347'), async (page) => {
      await page.getByText('No Workers Running').waitFor();
    });
    await take('settled', questionPage(settled.id), async (page) => {
      await page.getByText('notify the default channel, attempt 1').first().waitFor();
      // It stands between the picture of the history and its events.
      await page.getByText('Compact', { exact: true }).scrollIntoViewIfNeeded();
    });
  });
});
