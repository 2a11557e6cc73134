import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { afterEach, describe, it } from 'mocha';
import type { GateOutcome } from '../../../contracts/approval/gate.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import type { FlowEnd, HumanToolResult } from '../../../workflows/human/index.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { snippetsOf, writeModules, type Modules } from '../../support/snippets.js';
import { writtenCode, type WorkflowCode } from '../../support/temporal-test-server.js';
import { AgentWorker, type AgentCode } from '../support/agent-worker.js';
import { Gates, callOf } from '../support/gates.js';
import { refusalOf } from '../support/intents.js';
import { respond } from '../support/suspensions.js';
import { perSuite, type WorldOptions } from '../support/world.js';

const QUEUE = 'page-agents';
const LIBRARY = path.resolve(import.meta.dirname, '../../../workflows/human/index.ts');

const SNIPPETS = [
  ...snippetsOf('docs/approvals.md', 'ts'),
  ...snippetsOf('README.md', 'ts'),
].filter((code) => code.includes("from 'holdpoint/workflows'"));

/** The page shows a node without its flow. */
const AROUND = `
import { defineFlow, runFlow } from 'holdpoint/workflows';
import { transfer } from './snippet-TRANSFER.js';
const flow = defineFlow({
  name: 'wire',
  initial: 'ask',
  nodes: { ask: transfer },
  transitions: { ask: { approved: 'done', rejected: 'failed', error: 'failed' } },
});
export async function wires(context) {
  return runFlow(flow, context);
}
`;

async function modulesOfPages(): Promise<Modules> {
  const named = SNIPPETS.map((code, nth) => [`snippet-${nth}`, code] as const);
  const nth = SNIPPETS.findIndex((code) => code.includes('const transfer = humanNode('));
  const all = [...named.map(([name]) => name), 'around'];
  return writeModules({
    ...Object.fromEntries(named),
    around: AROUND.replace('TRANSFER', String(nth)),
    workflows: all.map((name) => `export * from './${name}.js';`).join('\n'),
  });
}

async function codeOf({ folder }: Modules): Promise<WorkflowCode> {
  return writtenCode(path.join(folder, 'workflows.js'), {
    webpackConfigHook: ({ resolve = {}, ...config }) => {
      const alias = { ...(resolve.alias as object), 'holdpoint/workflows$': LIBRARY };
      return { ...config, resolve: { ...resolve, alias } };
    },
  });
}

/** A worker of the agents that the pages show. */
class PageAgents extends Gates {
  /** What reached their activities. */
  readonly called: (readonly unknown[])[] = [];
  private modules: Modules | undefined;
  protected override readonly code: AgentCode = {
    taskQueue: QUEUE,
    code: async () => {
      this.modules = await modulesOfPages();
      return codeOf(this.modules);
    },
    activities: Object.fromEntries(
      ['search', 'deploy', 'build'].map((name) => [
        name,
        (...args: readonly unknown[]) => {
          this.called.push([name, ...args]);
          return Promise.resolve(`${name} is done`);
        },
      ]),
    ),
  };

  static override async start(options: WorldOptions = {}): Promise<PageAgents> {
    const agents = new PageAgents(await AgentWorker.world(options), options);
    await agents.startWorker();
    return agents;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.modules?.remove();
  }

  async run(workflow: string, ...args: readonly unknown[]): Promise<WorkflowHandle> {
    const workflowId = `page-${randomUUID()}`;
    return this.world.client.start(workflow, { workflowId, taskQueue: QUEUE, args: [...args] });
  }

  async answer(view: LiveView, fields: Partial<OperatorAnswer>): Promise<void> {
    const answer = { ...(await this.world.answer(view)), ...fields };
    await respond({ handle: this.world.suspension(view.id) }, answer);
  }
}

describe('what the pages show of agents on Temporal', () => {
  let agents: PageAgents;
  perSuite(PageAgents, (one) => (agents = one));
  afterEach(() => {
    agents.called.length = 0;
  });

  it('is all run here', () => {
    const exported = SNIPPETS.flatMap((code) =>
      [...code.matchAll(/^export (?:async function|const) (\w+)/gm)].map(([, name]) => name),
    );
    const page = ['turn', 'crawls', 'release', 'transfer', 'ships', 'delivers', 'answered'];
    assert.deepEqual(exported, [...page, 'act', 'refund']);
  });

  it('runs a tool once a person has approved, and others at once', async () => {
    const calls = [callOf('search', { q: 'tides' }), callOf('deploy', { env: 'prod' })];
    const agent = await agents.run('turn', calls, 0, [{ role: 'user', content: 'Deploy.' }]);
    const gate = await agents.one(agent);
    const edits = { call_id: 'call-deploy', arguments: { env: 'test' } };
    await agents.decide(gate, 'approved', { comment: 'Ship it.' }, edits);
    const { status, results } = (await agent.result()) as GateOutcome;
    assert.deepEqual(
      [status, ...results.map((result) => result.status)],
      ['completed', 'completed', 'completed'],
    );
    const { approval_id } = gate.tier.approval.proposal;
    const deployed = ['deploy', { env: 'test' }, `${approval_id}:call-deploy`];
    assert.deepEqual(agents.called, [['search', { q: 'tides' }], deployed]);
  });

  it('is the shortest gate, which opens and stays shut', async () => {
    for (const [value, status, content] of [
      ['approved', 'completed', /^wired$/],
      ['rejected', 'rejected', /REJECTED/],
    ] as const) {
      const agent = await agents.run('act', [callOf('wire', { amount: 100 })]);
      await agents.decide(await agents.one(agent), value);
      const { results } = (await agent.result()) as GateOutcome;
      assert.equal(results[0]?.status, status);
      assert.match(results[0].content, content);
    }
  });

  it('goes on with a flow where the decision leads, and where nobody decides', async () => {
    const agent = await agents.run('release', 'c1');
    const view = await agents.question(agent);
    assert.equal(view.record.question, 'Deploy build is done to production?');
    await agents.answer(view, { value: 'approved' });
    assert.equal(await agent.result(), 'done');
    assert.deepEqual(agents.called, [
      ['build', 'c1'],
      ['deploy', 'build is done'],
    ]);
    const alone = await agents.run('release', 'c2');
    await agents.question(alone);
    await agents.world.sleep('301 s');
    assert.equal(await alone.result(), 'failed');
  });

  it('takes only data that fit the schema of a node', async () => {
    const agent = await agents.run('wires', { amount: 100, account: 'DE1234567890' });
    const view = await agents.question(agent);
    assert.equal(view.record.question, 'Wire 100 to DE1234567890?');
    const refusal = await refusalOf(
      agents.answer(view, { value: 'approved', data: { amount: 5_001 } }),
    );
    assert.deepEqual([refusal.code, refusal.field], ['invalid_value', 'data.amount']);
    const data = { amount: 4_000, account: 'DE1234567890' };
    await agents.answer(view, { value: 'approved', data });
    const { state, context } = (await agent.result()) as FlowEnd;
    assert.equal(state, 'done');
    assert.equal((context['transfer'] as Record<string, JsonValue>)['amount'], 4_000);
  });

  it('runs a flow in a flow', async () => {
    const agent = await agents.run('delivers', 'prod');
    const inner = await agents.innerFlow(agent, 'delivery.ship');
    await agents.answer(await agents.question(inner), { value: 'approved' });
    assert.equal(await agent.result(), 'done');
  });

  it('lets a model ask', async () => {
    const agent = await agents.run('answered', { message: 'High or low?' });
    const view = await agents.question(agent);
    assert.equal(view.record.question, 'The agent asks: High or low?');
    await agents.answer(view, { value: 'approved' });
    const { content } = (await agent.result()) as HumanToolResult;
    assert.deepEqual(JSON.parse(content), { decision: 'approved', respondent: 'alice' });
  });

  it('pauses until a signal comes, or the time is over', async () => {
    const { deliver } = agents.world.activities;
    agents.world.activities.deliver = () => Promise.reject(new Error('nobody is to be notified'));
    const agent = await agents.run('crawls');
    const by = caller('rate-watcher');
    const signal = { by, responded_by: by.principal, resume_signal: 'rate_limit_cleared' };
    await agents.answer(await agents.question(agent), signal);
    assert.equal(await agent.result(), 'resumed');
    const alone = await agents.run('crawls');
    await agents.question(alone);
    await agents.world.sleep('61 s');
    assert.equal(await alone.result(), 'timeout');
    agents.world.activities.deliver = deliver;
  });

  it('asks from the code of a workflow', async () => {
    const agent = await agents.run('refund', '12345');
    await agents.answer(await agents.question(agent), { value: 'yes' });
    assert.equal(await agent.result(), 'refunded');
  });
});
