import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { removeMemberUpdate } from '../../../workflows/portfolio/messages.js';
import { storyOf, writeStatus, type IntentHandle } from '../support/intents.js';
import {
  beat,
  complete,
  coordinate,
  join,
  newMember,
  openPortfolio,
  type CoordinatorHandle,
} from '../support/portfolios.js';
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';
import { untilNextRun } from '../support/histories.js';

const ESCALATE = { suspension_policy: 'escalate', heartbeat_interval_seconds: 3_600 };
const ESCALATED = 'coordinator.escalation_required';

describe('a coordinator of a portfolio', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** Asks in each intent, one after the other, and answers; tells how often each was escalated. */
  async function escalations(...intents: readonly IntentHandle[]): Promise<readonly number[]> {
    const counts: number[] = [];
    for (const intent of intents) {
      const view = await world.ask(intent);
      await world.sleep('20 s');
      await world.respond(view);
      await world.sleep('20 s');
      const story = await storyOf(world, intent);
      counts.push(story.filter((type) => type === ESCALATED).length);
    }
    return counts;
  }

  async function end(lease: CoordinatorHandle, ...intents: readonly IntentHandle[]): Promise<void> {
    await lease.cancel();
    await lease.result();
    for (const intent of intents) await writeStatus(intent, 'completed');
  }

  it('escalates questions of present and of later members [R26-34, AM-39]', async () => {
    const [first, second, other] = await Promise.all([
      world.openIntent(),
      world.openIntent(),
      world.openIntent(),
    ]);
    const portfolio = await openPortfolio(world, { members: [await newMember(world, first)] });
    const lease = await coordinate(world, portfolio, ESCALATE);
    await world.sleep('20 s');
    await join(world, portfolio, second);
    await world.sleep('20 s');
    assert.deepEqual(await escalations(first, second, other), [1, 1, 0]);
    await complete(portfolio);
    await end(lease, first, second, other);
  });

  it('ignores a member that has left, until it joins again', async () => {
    const intent = await world.openIntent();
    const intent_id = intent.workflowId.replace('intent-', '');
    const portfolio = await openPortfolio(world, { members: [await newMember(world, intent)] });
    const lease = await coordinate(world, portfolio, ESCALATE);
    await world.sleep('20 s');
    await portfolio.executeUpdate(removeMemberUpdate, {
      args: [{ ...sent('agent-1'), intent_id }],
    });
    await world.sleep('20 s');
    assert.deepEqual(await escalations(intent), [0]);
    await join(world, portfolio, intent);
    await world.sleep('20 s');
    assert.deepEqual(await escalations(intent), [1]);
    await complete(portfolio);
    await end(lease, intent);
  });

  it('keeps its members in a new run', async () => {
    const [first, second] = await Promise.all([world.openIntent(), world.openIntent()]);
    const portfolio = await openPortfolio(world, { members: [await newMember(world, first)] });
    const lease = await coordinate(world, portfolio, ESCALATE, { history_limit: 40 });
    await world.sleep('20 s');
    assert.deepEqual(await escalations(first), [1]);
    await untilNextRun(lease, () => beat(lease).catch(() => undefined));
    await join(world, portfolio, second);
    await world.sleep('20 s');
    assert.deepEqual(await escalations(first, second), [2, 1]);
    await complete(portfolio);
    await end(lease, first, second);
  });
});
