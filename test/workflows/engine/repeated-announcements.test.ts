import assert from 'node:assert/strict';
import type { WorkflowHandle } from '@temporalio/client';
import { describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { addDependencyUpdate } from '../../../workflows/intent/messages.js';
import { announcementSignal } from '../../../workflows/engine/messages.js';
import { eventKinds } from '../support/histories.js';
import { logOf, snapshotOf, typesOf, versionOf, writeStatus } from '../support/intents.js';
import { idOf } from '../support/plans.js';
import {
  complete,
  join,
  openPortfolio,
  portfolioLog,
  readPortfolio,
} from '../support/portfolios.js';
import { announced, announcedTo } from '../support/observers.js';
import { lookUntil } from '../../support/looks.js';
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

const SUSPENDED = 'suspended_awaiting_input';

describe('repeated and late announcements', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** Announces to an observer again all that it got: the newest first, and then in the first order. */
  async function tellAgain(observer: WorkflowHandle): Promise<readonly string[]> {
    const announced = await announcedTo(observer);
    for (const announcement of [...announced.toReversed(), ...announced]) {
      await observer.signal(announcementSignal, announcement);
    }
    await lookUntil(async () => {
      const kinds = await eventKinds(observer);
      const heard = kinds.lastIndexOf('workflowExecutionSignaled');
      return heard < kinds.lastIndexOf('workflowTaskCompleted');
    }, 'the observer does not take them in');
    return announced.map((one) => one.status);
  }

  const count = (log: readonly IntentEvent[], type: string): number =>
    typesOf(log).filter((one) => one === type).length;

  it('let a dependent log once that its dependency was abandoned [AM-35, TM-07]', async () => {
    const upstream = await world.openIntent();
    const handle = await world.openIntent();
    const input = { ...sent('agent-1'), dependency_id: idOf(upstream) };
    const if_match = await versionOf(handle);
    await handle.executeUpdate(addDependencyUpdate, { args: [{ ...input, if_match }] });
    await world.ask(upstream);
    await announced(handle, ({ status }) => status === SUSPENDED);
    await writeStatus(upstream, 'abandoned', { reason: 'obsolete' });
    await upstream.result();
    await announced(handle, ({ status }) => status === 'abandoned');
    const [before, log] = [await snapshotOf(handle), await logOf(world, handle)];
    assert.equal(before.intent.status, 'blocked');
    assert.equal(count(log, 'dependency_unsatisfiable'), 1);
    const statuses = await tellAgain(handle);
    assert.deepEqual(statuses.slice(-2), [SUSPENDED, 'abandoned']);
    assert.deepEqual(await snapshotOf(handle), before);
    assert.deepEqual(await logOf(world, handle), log);
    await writeStatus(handle, 'abandoned');
  });

  it('are counted once by a portfolio [R26-85, TM-07]', async () => {
    const portfolio = await openPortfolio(world);
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const view = await world.ask(intent);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    const waiting = await readPortfolio(portfolio);
    assert.equal(waiting.suspended_member_count, 1);
    assert.equal((await tellAgain(portfolio)).at(-1), SUSPENDED);
    assert.deepEqual(await readPortfolio(portfolio), waiting);
    await world.respond(view);
    const log = await portfolioLog(world, portfolio, 'portfolio.member_resumed');
    const resumed = await readPortfolio(portfolio);
    assert.deepEqual(resumed.aggregate_status.by_status, { active: 1 });
    assert.ok((await tellAgain(portfolio)).includes(SUSPENDED));
    assert.deepEqual(await readPortfolio(portfolio), resumed);
    assert.equal(count(log, 'portfolio.member_suspended'), 1);
    await writeStatus(intent, 'completed');
    await intent.result();
    await complete(portfolio);
    const whole = await portfolioLog(world, portfolio, 'portfolio.member_resumed');
    assert.equal(count(whole, 'portfolio.member_suspended'), 1);
    assert.equal(count(whole, 'portfolio.member_resumed'), 1);
  });
});
