import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { FeedEndFinder } from '../../store/feed/end.js';
import { writeRows } from '../../store/journal-writer.js';
import { readFeed } from '../../store/feed/source.js';
import type { FeedEntry, FeedScope } from '../../contracts/subscription/feed.js';
import { append, eventOf, logIdOf, loggedIn, writeMany } from '../support/events.js';
import { useStore } from '../support/store.js';

describe('the feed of the store', () => {
  const store = useStore();

  async function settledEnd(): Promise<number> {
    const { settled, pending } = await new FeedEndFinder(store.db).look();
    assert.equal(pending, false);
    return settled;
  }

  async function read(scope: FeedScope, after = 0): Promise<FeedEntry[]> {
    const range = { after, upTo: await settledEnd(), limit: 1_000 };
    return [...(await readFeed(store.db, scope, range)).rows];
  }

  const idsOf = (entries: readonly FeedEntry[]) => entries.map((entry) => loggedIn(entry).id);

  it('keeps the place of an event that is written again', async () => {
    const event = await append(store.db, eventOf(randomUUID(), 1));
    const [before] = await read({ kind: 'intent', id: event.intent_id, space: 'default' });
    await append(store.db, event);
    assert.deepEqual(await read({ kind: 'intent', id: event.intent_id, space: 'default' }), [
      before,
    ]);
  });

  it('is read for one intent, after a place and up to another', async () => {
    const id = randomUUID();
    await writeMany(store.db, [id, randomUUID()], 4);
    const all = await read({ kind: 'intent', id, space: 'default' });
    assert.deepEqual(
      all.map((entry) => loggedIn(entry).sequence),
      [1, 2, 3, 4],
    );
    const [first, second, third] = all.map(({ position }) => position);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const range = { after: first, upTo: third, limit: 10 };
    const { rows: part } = await readFeed(
      store.db,
      { kind: 'intent', id, space: 'default' },
      range,
    );
    assert.deepEqual(
      part.map(({ position }) => position),
      [second, third],
    );
  });

  it('is read for what an agent created and what it was assigned to', async () => {
    const [created, assigned, foreign] = [randomUUID(), randomUUID(), randomUUID()];
    const agent = `agent-${randomUUID()}`;
    const own = await append(store.db, eventOf(created, 1, { actor: agent }));
    const later = await append(store.db, eventOf(created, 2));
    await append(store.db, eventOf(foreign, 1));
    await append(store.db, eventOf(foreign, 2, { actor: agent }));
    const given = await append(store.db, eventOf(assigned, 1));
    const assignment = { event_type: 'agent_assigned', payload: { agent_id: agent } };
    const assigning = await append(store.db, eventOf(assigned, 2, assignment));
    await append(store.db, assigning);
    const entries = await read({ kind: 'agent', id: agent, space: 'default' });
    assert.deepEqual(idsOf(entries), [own.id, later.id, given.id, assigning.id]);
    assert.deepEqual(
      entries.map(({ created_by }) => created_by),
      [agent, agent, 'billing-agent', 'billing-agent'],
    );
  });

  it('tells an agent of the portfolio that it created, and owns no part of it', async () => {
    const [portfolio, intent, agent] = [randomUUID(), randomUUID(), `agent-${randomUUID()}`];
    const created = { event_type: 'portfolio.created', actor: agent };
    await append(store.db, eventOf(portfolio, 1, created));
    await append(store.db, eventOf(portfolio, 2));
    await append(store.db, eventOf(intent, 1, { actor: agent, principal: agent }));
    const entries = await read({ kind: 'agent', id: agent, space: 'default' });
    assert.deepEqual(
      entries.map(({ created_by, owner }) => [created_by, owner]),
      [
        [agent, null],
        [agent, null],
        [agent, agent],
      ],
    );
  });

  it('is read for the members of a portfolio', async () => {
    const [portfolio, member, other] = [randomUUID(), randomUUID(), randomUUID()];
    await writeMany(store.db, [member, other], 2);
    const row = { kind: 'portfolio_member', portfolio_id: portfolio, revision: 2 } as const;
    const membership = { portfolio_id: portfolio, intent_id: member, role: 'member' } as const;
    const added_at = '2026-11-20T10:00:00.000Z';
    const joined = { ...membership, id: randomUUID(), priority: 0, added_at };
    await writeRows(store.db, [{ ...row, intent_id: member, membership: joined }]);
    const entries = await read({ kind: 'portfolio', id: portfolio, space: 'default' });
    assert.deepEqual(
      entries.map((entry) => [logIdOf(entry.event), loggedIn(entry).sequence]),
      [
        [member, 1],
        [member, 2],
      ],
    );
  });

  it('is read in parts of some hundred kilobytes, but at least one event at a time', async () => {
    const id = randomUUID();
    const sizes = [200_000, 200_000, 700_000, 100, 100];
    for (const [index, size] of sizes.entries()) {
      await append(store.db, eventOf(id, index + 1, { payload: { text: 'x'.repeat(size) } }));
    }
    const parts: number[][] = [];
    for (let after = 0, more = true; more;) {
      const range = { after, upTo: await settledEnd(), limit: 4 };
      const part = await readFeed(store.db, { kind: 'intent', id, space: 'default' }, range);
      parts.push(part.rows.map((entry) => loggedIn(entry).sequence));
      after = part.rows.at(-1)?.position ?? after;
      ({ more } = part);
    }
    assert.deepEqual(parts, [[1, 2], [3], [4, 5]]);
  });
});
