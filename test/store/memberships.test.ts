import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { JournalRow } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { membershipChanges } from '../../store/queries/portfolio.js';
import { withStore, type TestStore } from '../support/store.js';
import { instant } from './rows.js';

const portfolio_id = randomUUID();
const [first, second, third] = ['a', 'b', 'c'];

function memberRow(intent_id: string, revision: number, gone = false): JournalRow {
  const ids = { portfolio_id, intent_id };
  const membership = { id: randomUUID(), ...ids, role: 'member', priority: 0 } as const;
  const since = { ...membership, added_at: instant(1) };
  return { kind: 'portfolio_member', ...ids, revision, membership: gone ? null : since };
}

function portfolioRow(version: number): JournalRow {
  const times = { created_at: instant(0), updated_at: instant(0) };
  const kept = { governance_policy: {}, metadata: {}, created_by: 'agent-1', ...times };
  const named = { id: portfolio_id, name: 'Launch', description: null, status: 'active' } as const;
  const portfolio = { ...named, ...kept, version };
  return { kind: 'portfolio', portfolio, last_sequence: version + 10, head_hash: null };
}

describe('changes of membership', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
    const members = [memberRow(first, 2), memberRow(second, 3), memberRow(third, 4)];
    await writeRows(store.db, [...members, memberRow(first, 5, true), portfolioRow(6)]);
  });
  after(() => store.close());
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
