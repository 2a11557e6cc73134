import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'mocha';
import { writeRows } from '../../store/journal-writer.js';
import { membershipChanges } from '../../store/queries/portfolio.js';
import { useStore } from '../support/store.js';
import { aPortfolio, memberRow, portfolioRow } from './rows.js';

const portfolio_id = randomUUID();
const [first, second, third] = ['a', 'b', 'c'];

const memberOf = (intent_id: string, revision: number, gone = false) =>
  memberRow(portfolio_id, intent_id, revision, gone);

describe('changes of membership', () => {
  const store = useStore();
  before(async () => {
    const members = [memberOf(first, 2), memberOf(second, 3), memberOf(third, 4)];
    await writeRows(store.db, [
      ...members,
      memberOf(first, 5, true),
      portfolioRow(aPortfolio({ id: portfolio_id, version: 6 }), 16),
    ]);
  });
  const changes = (since: number, last_sequence = 16, limit?: number) =>
    membershipChanges(store.db, { portfolio_id, since, last_sequence }, limit);

  it('tell who came and who left after a version', async () => {
    assert.deepEqual(await changes(0), {
      through: 6,
      more: false,
      changes: [
        [second, true],
        [third, true],
        [first, false],
      ],
    });
    assert.deepEqual(await changes(5), { through: 6, more: false, changes: [] });
  });

  it('come in pages that follow each other', async () => {
    const page = await changes(0, 16, 2);
    assert.deepEqual([page?.through, page?.more, page?.changes.length], [4, true, 2]);
    assert.deepEqual((await changes(4, 16, 2))?.changes, [[first, false]]);
  });

  it('are not returned while the store is behind', async () => {
    assert.equal(await changes(0, 17), undefined);
  });
});
