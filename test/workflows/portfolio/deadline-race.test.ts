import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'mocha';
import { operatorResponseSignal, respondUpdate } from '../../../workflows/suspension/messages.js';
import { snapshotOf, typesOf, writeStatus } from '../support/intents.js';
import { complete, join, openPortfolio, portfolioLog } from '../support/portfolios.js';
import { World } from '../support/world.js';

const LAX = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' } as const;

describe('an answer after the deadline of a portfolio has come', () => {
  let world: World;
  /** Lets the deadline on to the questions that it ends; how often it came there. */
  let release = (): void => undefined;
  let ended = 0;
  before(async () => {
    world = await World.start({ maxCachedWorkflows: 0 });
    const { expireQuestions } = world.activities;
    await world.withoutWorker(() => {
      world.activities.expireQuestions = async (batch) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        await expireQuestions(batch);
        ended += 1;
      };
      return Promise.resolve();
    });
  });
  beforeEach(() => {
    ended = 0;
  });
  after(() => world.close());

  async function overdue() {
    const portfolio = await openPortfolio(world, { deadline: 600 });
    const intent = await world.openIntent();
    await join(world, portfolio, intent);
    const view = await world.ask(intent, LAX);
    await portfolioLog(world, portfolio, 'portfolio.member_suspended');
    await world.sleep('601 s');
    return { portfolio, intent, suspension: world.suspension(view.id), view };
  }

  for (const way of ['an Update', 'a Signal'] as const) {
    it(`counts by ${way} if it reaches the question before the deadline [AM-38]`, async () => {
      const { portfolio, intent, suspension, view } = await overdue();
      const reached = await portfolioLog(world, portfolio, 'portfolio.deadline_reached');
      const answer = await world.answer(view);
      const deadline = reached.at(-1)?.created_at ?? assert.fail();
      assert.ok(answer.received_at > deadline, `${answer.received_at} is not after ${deadline}`);
      if (way === 'an Update') await suspension.executeUpdate(respondUpdate, { args: [answer] });
      else await suspension.signal(operatorResponseSignal, answer);
      release();
      const { resolution, response, reason } = await suspension.result();
      assert.deepEqual([resolution, response, reason], ['responded', 'approve', undefined]);
      const log = await portfolioLog(world, portfolio, 'portfolio.member_resumed');
      assert.deepEqual(typesOf(log).slice(-2), [
        'portfolio.deadline_reached',
        'portfolio.member_resumed',
      ]);
      assert.equal((await snapshotOf(intent)).intent.status, 'active');
      await writeStatus(intent, 'completed');
      await complete(portfolio);
      assert.equal(ended, 1);
    });
  }
});
