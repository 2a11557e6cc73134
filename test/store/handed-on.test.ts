import { sql } from 'kysely';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { append, eventOf } from '../support/events.js';
import { withStore, type TestStore } from '../support/store.js';

const INTENT = '7c0f6dcb-6e5f-4d3a-9a57-6f1f0a3c1d2e';

/** Lets one user do something to a store, and says where that was and what the next user gets. */
async function handedOn(use: (store: TestStore) => Promise<unknown>) {
  const first = await withStore();
  await append(first.db, eventOf(INTENT, 1));
  await use(first);
  await first.close();
  const next = await withStore();
  const events = await next.db.selectFrom('events').selectAll().execute();
  await next.close();
  return { isTheSame: next.url === first.url, events };
}

describe('a store that a test has used', () => {
  it('is the next one that a test gets, without rows', async () => {
    assert.deepEqual(await handedOn(async () => undefined), { isTheSame: true, events: [] });
  });

  const CHANGES = [
    ['a trigger is off', sql`alter table events disable trigger user`],
    ['an index is gone', sql`drop index events_by_feed_position`],
    ['it knows what is in a column', sql`analyze events`],
  ] as const;
  for (const [what, change] of CHANGES) {
    it(`is given to nobody where ${what}`, async () => {
      const made = await handedOn(({ db }) => change.execute(db));
      assert.deepEqual(made, { isTheSame: false, events: [] });
    });
  }
});
