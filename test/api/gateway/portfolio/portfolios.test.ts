import assert from 'node:assert/strict';
import { createCreationOf } from '../../../../api/gateway/calls/once.js';
import { createPortfolioCreation } from '../../../../api/gateway/portfolio/creation.js';
import { createPortfolios } from '../../../../api/gateway/portfolio/writes.js';
import {
  addMemberRequestSchema,
  createPortfolioRequestSchema,
} from '../../../../contracts/portfolio.js';
import { MEMBERSHIP, PORTFOLIO_ID } from '../../support/portfolio-records.js';
import {
  callerOf,
  fakeClient,
  fakeStore,
  idle,
  INTENT_ID,
  intentOf,
  ManualClock,
  sequences,
  consistencyOver,
} from '../support.js';

const AGENT = callerOf('agent-1', 'agent');

/** A gateway whose store holds so many events of every portfolio. */
function bench(stored: () => number) {
  const clock = new ManualClock();
  const { client } = fakeClient({
    start: () => undefined,
    update: () => ({ membership: MEMBERSHIP, last_sequence: 2 }),
  });
  const store = fakeStore({ lastSequences: sequences(() => stored()) });
  const { fromStore, temporal, consistency } = consistencyOver(store, client, clock);
  const readNamed = async () => ({ value: intentOf({}), stale: false });
  const getPortfolio = () => Promise.reject(new Error('nothing is read'));
  const writes = createPortfolios({ temporal, readNamed, getPortfolio, consistency });
  const deps = { temporal, clock, readNamed, getPortfolio, consistency, fromStore };
  const creation = createPortfolioCreation({
    ...deps,
    creationOf: createCreationOf(['the secret of the tests']),
  });
  const intents = [{ intent_id: INTENT_ID }];
  return {
    clock,
    add: () =>
      writes.addMember(AGENT, PORTFOLIO_ID, addMemberRequestSchema.parse({ intent_id: INTENT_ID })),
    create: () =>
      creation.createPortfolio(AGENT, createPortfolioRequestSchema.parse({ name: 'Q4', intents })),
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
