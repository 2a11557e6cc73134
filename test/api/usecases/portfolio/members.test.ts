import assert from 'node:assert/strict';
import { addMember, createPortfolio } from '../../../../api/usecases/portfolio/portfolios.js';
import {
  addMemberRequestSchema,
  createPortfolioRequestSchema,
} from '../../../../contracts/portfolio/portfolio.js';
import { MEMBERSHIP, PORTFOLIO_ID } from '../../support/portfolio-records.js';
import { fakeParts } from '../../support/parts.js';
import {
  INTENT_ID,
  ManualClock,
  callerOf,
  idle,
  intentOf,
  sequences,
} from '../../support/fakes.js';

const AGENT = callerOf('agent-1', 'agent');

/** Portfolios of a space whose store holds so many events of each. */
function bench(stored: () => number) {
  const clock = new ManualClock();
  const { parts } = fakeParts({
    clock,
    temporal: { start: () => undefined },
    answers: {
      intent: () => ({ intent: intentOf({}), last_sequence: 1 }),
      addMember: () => ({ membership: MEMBERSHIP, last_sequence: 2 }),
    },
    store: { lastSequences: sequences(() => stored()) },
  });
  const call = { caller: AGENT, parts };
  const intents = [{ intent_id: INTENT_ID }];
  return {
    clock,
    add: () =>
      addMember.run(call, PORTFOLIO_ID, addMemberRequestSchema.parse({ intent_id: INTENT_ID })),
    create: () =>
      createPortfolio.run(call, createPortfolioRequestSchema.parse({ name: 'Q4', intents })),
  };
}

for (const way of ['add', 'create'] as const) {
  describe(`a member that a portfolio gets by ${way}`, () => {
    it('is there for streams when the reply says so', async () => {
      let stored = 1;
      const { clock, ...ways } = bench(() => stored);
      let isDone = false;
      const done = ways[way]().then(() => (isDone = true));
      await clock.advance(1_000);
      assert.equal(isDone, false);
      stored = 2;
      await clock.advance(200);
      await idle();
      assert.equal(isDone, true);
      await done;
    });

    it('is waited for no longer than 2 s', async () => {
      const { clock, ...ways } = bench(() => 1);
      let isDone = false;
      const done = ways[way]().then(() => (isDone = true));
      await clock.advance(1_900);
      assert.equal(isDone, false);
      await clock.advance(100);
      assert.equal(await done, true);
    });

    it('is not refused if the store is away', async () => {
      const { add, create } = bench(() => {
        throw new Error('away');
      });
      const made = await { add, create }[way]();
      assert.equal(typeof made.id, 'string');
    });
  });
}
