import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { expireNowSignal } from '../../../workflows/suspension/messages.js';
import { logOf, snapshotOf, writeStatus } from '../support/intents.js';
import {
  complete,
  join,
  openPortfolio,
  portfolioIdOf,
  portfolioLog,
  readPortfolio,
} from '../support/portfolios.js';
import { answerAsk, writeAskingStatus, writeAskingRecord } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

describe('the observers of an OpenIntent ask', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** A member that is suspended, its question still to come, once the deadline of its portfolio is over. */
  async function suspendedPastDeadline() {
    const portfolio = await openPortfolio(world, { deadline: 300 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await world.sleep('301 s');
    await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
    await writeAskingStatus(intent);
    return { portfolio, intent };
  }

  it('end it at the deadline where the clock of its agent is ahead [R26-27]', async () => {
    const portfolio = await openPortfolio(world, { deadline: 300 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await writeAskingStatus(intent);
    await writeAskingRecord(world, intent, { aheadSeconds: 600 });
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('301 s');
    await intent.result();
    const { status, abandonment_reason } = (await snapshotOf(intent)).intent;
    assert.deepEqual([status, abandonment_reason], ['abandoned', 'portfolio_deadline_exceeded']);
    await complete(portfolio);
  });

  it('end the wait for a record that never comes, at the deadline [R26-27]', async () => {
    const portfolio = await openPortfolio(world, { deadline: 300 });
    const [intent, answered] = [await world.openIntent(), await world.openIntent()];
    for (const one of [intent, answered]) await join(world, portfolio, one);
    await writeAskingStatus(answered);
    await answerAsk(world, answered, await writeAskingRecord(world, answered));
    for (const one of [intent, answered]) await writeAskingStatus(one);
    await world.sleep('301 s');
    for (const one of [intent, answered]) {
      await one.result();
      const { status, abandonment_reason } = (await snapshotOf(one)).intent;
      assert.deepEqual([status, abandonment_reason], ['abandoned', 'portfolio_deadline_exceeded']);
      const end = (await logOf(world, one)).at(-1);
      assert.deepEqual([end?.event_type, end?.actor], ['status_changed', 'holdpoint']);
    }
    await complete(portfolio);
  });

  it('leave a wait alone that began after the deadline', async () => {
    const { portfolio, intent } = await suspendedPastDeadline();
    const { deadline = '' } = (await readPortfolio(portfolio)).governance_policy;
    const due = { portfolio_id: portfolioIdOf(portfolio), deadline: deadline ?? '' };
    await intent.signal(expireNowSignal, due);
    await intent.signal(expireNowSignal, { deadline: 'soon' } as never);
    await world.sleep('60 s');
    assert.equal((await snapshotOf(intent)).intent.status, 'suspended_awaiting_input');
    await writeAskingStatus(intent, 'active');
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });

  it('leave it alone after the deadline where the clock of its agent is behind', async () => {
    const { portfolio, intent } = await suspendedPastDeadline();
    const id = await writeAskingRecord(world, intent, { aheadSeconds: -600 });
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('60 s');
    await answerAsk(world, intent, id);
    assert.equal((await snapshotOf(intent)).intent.status, 'active');
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });
});
