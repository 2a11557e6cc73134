import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Intent } from '../../contracts/intent/intent.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import { viewOfPortfolio } from '../../domain/portfolio/view.js';
import { writeRows } from '../../store/journal-writer.js';
import { lastSequences } from '../../store/queries/event-log.js';
import {
  findPortfolio,
  isMember,
  listMembers,
  listPortfolios,
  memberCounts,
  portfoliosOf,
} from '../../store/queries/portfolio.js';
import { useStore } from '../support/store.js';
import { aPortfolio, anIntent, instant, memberRow, portfolioRow } from './rows.js';

const PAGE = { limit: 100, offset: 0 };

const intentRow = (intent: Intent): JournalRow => ({ kind: 'intent', intent, last_sequence: 1 });

describe('portfolios in the store', () => {
  const store = useStore();
  const write = (...rows: JournalRow[]): Promise<unknown> => writeRows(store.db, rows);

  it('finds one with what its members are now [R26-19]', async () => {
    const portfolio = aPortfolio();
    const intents = [anIntent(), anIntent({ status: 'suspended_awaiting_input' })];
    await write(portfolioRow(portfolio), ...intents.map(intentRow));
    assert.deepEqual(await findPortfolio(store.db, portfolio.id), viewOfPortfolio(portfolio, {}));
    await write(...intents.map((intent) => memberRow(portfolio.id, intent.id)));
    const counts = { active: 1, suspended_awaiting_input: 1 };
    assert.deepEqual(await memberCounts(store.db, portfolio.id), counts);
    assert.deepEqual(
      await findPortfolio(store.db, portfolio.id),
      viewOfPortfolio(portfolio, counts),
    );
    assert.equal(await findPortfolio(store.db, randomUUID()), undefined);
  });

  it('lists them newest first, by page, status and creator', async () => {
    const created_by = randomUUID();
    const portfolios = [1, 2, 3].map((n) =>
      aPortfolio({ created_by, created_at: instant(n), status: n === 2 ? 'completed' : 'active' }),
    );
    await write(...portfolios.map((portfolio) => portfolioRow(portfolio)));
    const idsOf = async (options: object) =>
      (await listPortfolios(store.db, { ...PAGE, created_by, ...options })).rows.map(
        ({ id }) => id,
      );
    const [first, second, third] = portfolios.map(({ id }) => id);
    assert.deepEqual(await idsOf({}), [third, second, first]);
    assert.deepEqual(await idsOf({ limit: 1, offset: 1 }), [second]);
    assert.deepEqual(await idsOf({ status: 'completed' }), [second]);
    assert.deepEqual(await idsOf({ created_by: 'nobody\0' }), []);
  });

  it('lists members, and the portfolios of one', async () => {
    const [one, other] = [aPortfolio(), aPortfolio({ created_at: instant(9) })];
    const intents = [anIntent(), anIntent({ created_at: instant(1) })];
    const [first] = intents as [Intent, Intent];
    await write(portfolioRow(one), portfolioRow(other), ...intents.map(intentRow));
    await write(
      ...intents.map((intent) => memberRow(one.id, intent.id)),
      memberRow(other.id, first.id),
    );
    const membersOf = async (limit: number, offset: number) =>
      (await listMembers(store.db, one.id, { limit, offset, whole: true })).rows;
    assert.deepEqual(await membersOf(10, 0), intents);
    assert.deepEqual(await membersOf(1, 1), [intents[1]]);
    const idsOf = async (page: typeof PAGE) =>
      (await portfoliosOf(store.db, first.id, page)).rows.map(({ id }) => id);
    assert.deepEqual(await idsOf(PAGE), [other.id, one.id]);
    assert.deepEqual(await idsOf({ limit: 1, offset: 1 }), [one.id]);
    assert.equal(await isMember(store.db, other.id, first.id), true);
    assert.equal(await isMember(store.db, other.id, intents[1]?.id ?? ''), false);
  });

  it('knows how far it has come with one', async () => {
    const portfolio = aPortfolio();
    assert.equal((await lastSequences(store.db, [portfolio.id])).get(portfolio.id), 0);
    await write(portfolioRow(portfolio, 7));
    assert.equal((await lastSequences(store.db, [portfolio.id])).get(portfolio.id), 7);
  });

  it('ends the same in whatever order and however often rows come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
        fc.array(fc.nat(5), { maxLength: 6 }),
        async (order, repeats) => {
          const portfolio = aPortfolio();
          const intent = anIntent();
          const rows = [
            intentRow(intent),
            ...[1, 4].map((version) => portfolioRow({ ...portfolio, version })),
            ...[2, 3, 4].map((revision) =>
              memberRow(portfolio.id, intent.id, revision, revision !== 3),
            ),
          ];
          for (const index of [...order, ...repeats]) await write(...rows.slice(index, index + 1));
          const found = await findPortfolio(store.db, portfolio.id);
          assert.deepEqual(found, viewOfPortfolio({ ...portfolio, version: 4 }, {}));
          assert.deepEqual((await listMembers(store.db, portfolio.id, PAGE)).rows, []);
          assert.equal(await isMember(store.db, portfolio.id, intent.id), false);
          assert.deepEqual((await portfoliosOf(store.db, intent.id, PAGE)).rows, []);
        },
      ),
      { numRuns: 25 },
    );
  });
});
