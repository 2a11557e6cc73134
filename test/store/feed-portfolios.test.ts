import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { FeedEntry, FeedScope } from '../../contracts/subscription/feed.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { writeRows } from '../../store/journal-writer.js';
import { append, eventOf, feedOf, loggedIn } from '../support/events.js';
import { withStore, type TestStore } from '../support/store.js';
import { memberRow } from './rows.js';

/** What a follower has been given, and until when it waits. */
class Client {
  readonly seen: FeedEntry[] = [];
  private wake = (): void => undefined;

  readonly deliver = (entries: readonly FeedEntry[]): void => {
    this.seen.push(...entries);
    this.wake();
  };
  readonly take = async (entries: readonly FeedEntry[]): Promise<void> => {
    this.deliver(entries);
  };

  get heard(): string[] {
    return this.seen.map((entry) => loggedIn(entry).id);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => (this.wake = resolve));
  }
}

describe('the feed of a portfolio', () => {
  let store: TestStore;
  let hub: FeedHub;
  before(async () => {
    store = await withStore();
    hub = feedOf(store);
    await hub.join();
  });
  after(async () => {
    hub.leave();
    await store.close();
  });

  /** A portfolio whose journal is written as its workflow would: the membership before what tells of it. */
  function aPortfolio() {
    const id = randomUUID();
    const scope: FeedScope = { kind: 'portfolio', id, space: 'default' };
    let sequence = 0;
    const tell = async (event_type: string, intent_id: string | null) =>
      append(store.db, eventOf(id, (sequence += 1), { event_type, payload: { intent_id } }));
    const write = async (intentId: string, isMember: boolean) =>
      writeRows(store.db, [memberRow(id, intentId, sequence + 1, !isMember)]);
    return {
      id,
      scope,
      write,
      create: () => tell('portfolio.created', null),
      tellRemoved: (intentId: string) => tell('portfolio.member_removed', intentId),
      async add(intentId: string) {
        await write(intentId, true);
        return tell('portfolio.member_added', intentId);
      },
      async remove(intentId: string) {
        await write(intentId, false);
        return tell('portfolio.member_removed', intentId);
      },
    };
  }

  /** An intent whose log grows by one event a call. */
  function anIntent() {
    const id = randomUUID();
    let sequence = 0;
    return { id, tell: () => append(store.db, eventOf(id, (sequence += 1))) };
  }

  const idsOf = (...events: readonly { readonly id: string }[]) => events.map(({ id }) => id);

  async function replayed(scope: FeedScope): Promise<string[]> {
    const marker = anIntent();
    const all = new Client();
    const end = await hub.follow({ kind: 'intent', id: marker.id, space: 'default' }, 0, all);
    await marker.tell();
    await all.until(() => all.seen.length === 1);
    end();
    const client = new Client();
    (await hub.follow(scope, 0, client))();
    return client.heard;
  }

  it('has the events of a member up to its removal, and none after that', async () => {
    const [portfolio, member] = [aPortfolio(), anIntent()];
    const created = await portfolio.create();
    const added = await portfolio.add(member.id);
    const within = await member.tell();
    const removed = await portfolio.remove(member.id);
    await member.tell();
    assert.deepEqual(await replayed(portfolio.scope), idsOf(created, added, within, removed));
  });

  it('goes on with a member until the event of its removal, and after it came again', async () => {
    const [portfolio, member] = [aPortfolio(), anIntent()];
    const added = await portfolio.add(member.id);
    await portfolio.write(member.id, false);
    const live = new Client();
    const end = await hub.follow(portfolio.scope, 0, live);
    const within = await member.tell();
    const removed = await portfolio.tellRemoved(member.id);
    await live.until(() => live.heard.includes(removed.id));
    const outside = new Client();
    const endOutside = await hub.follow(
      { kind: 'intent', id: member.id, space: 'default' },
      0,
      outside,
    );
    const after = await member.tell();
    await outside.until(() => outside.heard.includes(after.id));
    endOutside();
    const again = await portfolio.add(member.id);
    const later = await member.tell();
    await live.until(() => live.heard.includes(later.id));
    end();
    assert.deepEqual(live.heard, idsOf(added, within, removed, again, later));
  });

  it('loses and repeats nothing of members that come and go while a client drops', async () => {
    const portfolio = aPortfolio();
    const members = Array.from({ length: 4 }, anIntent);
    const rounds = 12;
    const total = 1 + rounds * members.length * 4;
    const expected: string[] = [];
    const write = async (): Promise<void> => {
      expected.push(...idsOf(await portfolio.create()));
      for (let round = 0; round < rounds; round += 1) {
        for (const { id } of members) expected.push(...idsOf(await portfolio.add(id)));
        const heard = await Promise.all(members.flatMap(({ tell }) => [tell(), tell()]));
        expected.push(...idsOf(...heard));
        for (const { id } of members) expected.push(...idsOf(await portfolio.remove(id)));
      }
    };
    const written = write();
    const seen: FeedEntry[] = [];
    let connections = 0;
    while (seen.length < total) {
      const client = new Client();
      const end = await hub.follow(portfolio.scope, seen.at(-1)?.position ?? 0, client);
      connections += 1;
      // Whatever is on its way when it drops never reaches it.
      const most = Math.min(Math.floor(Math.random() * 12), total - seen.length);
      await client.until(() => client.seen.length >= most);
      end();
      seen.push(...client.seen.slice(0, most));
    }
    await written;
    const heard = seen.map((entry) => loggedIn(entry).id);
    assert.ok(connections > 8, String(connections));
    assert.deepEqual([...heard].sort(), [...expected].sort());
    const positions = seen.map(({ position }) => position);
    assert.deepEqual(
      positions,
      [...positions].sort((one, other) => one - other),
    );
  });
});
