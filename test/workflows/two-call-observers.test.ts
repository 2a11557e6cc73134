import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { writeStatus } from '../support/intent-steps.js';
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
});
