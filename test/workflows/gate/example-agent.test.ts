import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { TASK_QUEUE } from '../../../contracts/constants/names.js';
import { deploy, readMetrics, think } from '../../../examples/gated-agent/activities.js';
import type { Message } from '../../../examples/gated-agent/messages.js';
import { AGENT_QUEUE } from '../../../examples/gated-agent/settings.js';
import type { operations, Run } from '../../../examples/gated-agent/workflows.js';
import { exampleCode } from '../../support/temporal-test-server.js';
import type { RunningWorker } from '../../support/temporal.js';
import { atRest } from '../support/histories.js';
import { tierOf, vote, type ApprovalHandle } from '../support/approvals.js';
import { startedChildren } from '../support/children.js';
import { World } from '../support/world.js';
import { lookUntil } from '../../support/looks.js';

const TASK: Message = { role: 'user', content: 'Deploy version 1.2.3 of the shop to prod.' };

describe('the gated agent of the examples', () => {
  let world: World;
  let worker: RunningWorker | undefined;
  /** The messages of each call of the model. */
  const asked: (readonly Message[])[] = [];
  const keys: string[] = [];
  /** Where the model wants to deploy to. */
  let env = 'prod';
  before(async () => {
    world = await World.start({ on: 'this process', taskQueue: TASK_QUEUE });
    world.activities.approvals = approvalsConfigSchema.parse({
      routes: { human_required: { tiers: [{ timeout_seconds: 21 * 86_400 }] } },
    });
    await startWorker();
  });
  after(async () => {
    await worker?.stop();
    await world.close();
  });

  async function startWorker(): Promise<void> {
    worker = await world.place.startWorker({
      taskQueue: AGENT_QUEUE,
      code: await exampleCode('gated-agent'),
      activities: {
        think: async (messages: readonly Message[], tools: Parameters<typeof think>[1]) => {
          asked.push(messages);
          const { text, calls } = await think(messages, tools);
          const toEnv = ({ name, arguments: args, ...call }: (typeof calls)[number]) => ({
            ...call,
            name,
            arguments: name === 'deploy' ? { ...args, env } : args,
          });
          return { text, calls: calls.map(toEnv) };
        },
        readMetrics,
        deploy: (args: Parameters<typeof deploy>[0], key: string) => {
          keys.push(key);
          return deploy(args, key);
        },
      },
    });
  }

  async function approvalOf(workflowId: string): Promise<ApprovalHandle> {
    return lookUntil(async () => {
      const [id] = await startedChildren(world.client.getHandle(workflowId));
      if (id === undefined) return undefined;
      const handle: ApprovalHandle = world.client.getHandle(id);
      return handle;
    }, 'no approval');
  }

  async function start(fields: Partial<Run> = {}) {
    asked.length = 0;
    keys.length = 0;
    return world.client.start<typeof operations>('operations', {
      workflowId: `operations-${randomUUID()}`,
      taskQueue: AGENT_QUEUE,
      args: [{ messages: [TASK], ...fields }],
    });
  }

  it('waits for days, continues as new, and thinks on with the same conversation and the results [A54-01, A54-02, A54-33, AM-71]', async () => {
    const agent = await start({ turns_in_run: 1 });
    const { runId } = await agent.describe();
    const approval = await approvalOf(agent.workflowId);
    const tier = await tierOf(world, approval);
    await atRest(agent);
    await worker?.stop();
    await world.sleep('9 days');
    await vote(world, tier, 'alice', 'approved');
    await approval.result();
    await startWorker();
    const result = await agent.result();

    assert.equal(result, 'deployed {"service":"shop","version":"1.2.3","env":"prod"}');
    assert.notEqual((await world.client.getHandle(agent.workflowId).describe()).runId, runId);
    const [before, afterwards, ...others] = asked;
    assert.ok(before && afterwards);
    assert.deepEqual(others, []);
    assert.deepEqual(before, [TASK]);
    const [, second] = (await think(before, [])).calls;
    const said = await think(before, []);
    assert.deepEqual(afterwards, [
      TASK,
      { role: 'assistant', content: said.text, calls: said.calls },
      {
        role: 'tool',
        call_id: 'call-1',
        content: '0.2 % of requests fail {"service":"shop"}',
      },
      { role: 'tool', call_id: 'call-2', content: result },
    ]);
    const { proposal } = tier.approval;
    assert.deepEqual(keys, [`${proposal.approval_id}:call-2`]);
    assert.deepEqual(proposal.calls[0]?.arguments, second?.arguments);
    assert.equal(tier.approval.reason, 'Production deployment');
    const [stored] = world.activities.snapshots;
    assert.deepEqual(stored?.snapshot.working_memory, { messages: afterwards.slice(0, 2) });
  });

  it('asks nobody about staging, and deploys to no environment that its tool does not know', async () => {
    env = 'staging';
    const staged = await start();
    assert.match(await staged.result(), /^deployed/);
    assert.equal(keys.length, 1);
    env = 'Production';
    const unknown = await start();
    assert.match(await unknown.result(), /arguments\.env does not fit/);
    assert.deepEqual(keys, []);
  });
});
