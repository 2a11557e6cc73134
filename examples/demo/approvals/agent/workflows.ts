import { proxyActivities } from '@temporalio/workflow';
// In a project of your own: from 'holdpoint/workflows'.
import {
  action,
  defineFlow,
  gateTools,
  humanNode,
  runFlow,
  type GatedTool,
} from '../../../../workflows/human/index.js';
import type * as activities from './activities.js';

const { build, deploy, pay, readBalance } = proxyActivities<typeof activities>({
  startToCloseTimeout: '10 seconds',
});

const deployment = defineFlow({
  name: 'deployment',
  initial: 'process',
  nodes: {
    process: action(async ({ commit }) => ({ data: { version: await build(commit as string) } })),
    approval: humanNode({
      name: 'deploy_approval',
      description: 'Approve production deployment',
      prompt: 'Deploy {{process.version}} to production?',
      context_keys: ['process'],
      timeout: 300_000,
    }),
    deploy: action(async ({ process }) => {
      await deploy((process as { version: string }).version);
      return {};
    }),
  },
  transitions: {
    process: { ok: 'approval' },
    approval: { approved: 'deploy', rejected: 'failed', timeout: 'failed' },
    deploy: { ok: 'done' },
    _: { error: 'failed' },
  },
});

/** Builds a version, and deploys it once a person has approved it. Returns the state in which it ended. */
export async function release(commit: string): Promise<string> {
  const { state } = await runFlow(deployment, { commit });
  return state;
}

const TOOLS: Readonly<Record<string, GatedTool>> = {
  read_balance: { run: ({ account }) => readBalance(account as string) },
  pay_invoice: {
    requires_approval: true,
    run: ({ amount }, { idempotency_key }) => pay(Number(amount), idempotency_key),
  },
  delete_account: { requires_approval: true, run: () => Promise.resolve('deleted') },
  payout: { run: ({ amount }, { idempotency_key }) => pay(Number(amount), idempotency_key) },
};

/** A call as a model makes it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number>>;
}

/** One turn of an agent: runs the calls of its model, and returns what the model gets back. */
export async function turn(calls: readonly Call[]): Promise<readonly string[]> {
  const { results } = await gateTools({
    agent: 'books-agent',
    turn_index: 0,
    calls,
    tools: TOOLS,
  });
  return results.map(({ content }) => content);
}
