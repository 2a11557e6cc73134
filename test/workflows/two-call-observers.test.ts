import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { snapshotOf, writeStatus } from '../support/intent-steps.js';
import { complete, join, openPortfolio, portfolioLog } from '../support/portfolios.js';
import { answers, suspends, writesRecord } from '../support/two-call.js';
import { World } from '../support/world.js';

describe('the observers of a question put in two calls', () => {
  let world: World;
  before(async () => {
    world = await World.start({ maxCachedWorkflows: 0 });
  });
  after(() => world.close());

  it('are told of each question once, the second too [R26-85]', async () => {
    const portfolio = await openPortfolio(world);
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await suspends(intent);
    const first = await writesRecord(world, intent);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await answers(world, intent, first);
    await portfolioLog(world, portfolio, 'portfolio.member_resumed');
    await suspends(intent);
    await world.sleep('60 s');
    const second = await writesRecord(world, intent);
    const log = await portfolioLog(world, portfolio, 'portfolio.member_suspended', 2);
    const told = log.flatMap(({ event_type, payload }) =>
      /member_(suspended|resumed)$/.test(event_type)
        ? [[event_type.replace('portfolio.member_', ''), payload['suspension_id']]]
        : [],
    );
    assert.deepEqual(told, [
      ['suspended', first],
      ['resumed', first],
      ['suspended', second],
    ]);
    await answers(world, intent, second);
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });

  it('end it at the deadline where the clock of its agent is ahead [R26-27]', async () => {
    const portfolio = await openPortfolio(world, { deadline: 300 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await suspends(intent);
    await writesRecord(world, intent, { aheadSeconds: 600 });
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('301 s');
    await intent.result();
    const { status, abandonment_reason } = (await snapshotOf(intent)).intent;
    assert.deepEqual([status, abandonment_reason], ['abandoned', 'portfolio_deadline_exceeded']);
    await complete(portfolio);
  });

  it('leave it alone after the deadline where the clock of its agent is behind', async () => {
    const portfolio = await openPortfolio(world, { deadline: 300 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    await world.sleep('301 s');
    await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
    await suspends(intent);
    const id = await writesRecord(world, intent, { aheadSeconds: -600 });
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('60 s');
    await answers(world, intent, id);
    assert.equal((await snapshotOf(intent)).intent.status, 'active');
    await writeStatus(intent, 'completed');
    await complete(portfolio);
  });
});
