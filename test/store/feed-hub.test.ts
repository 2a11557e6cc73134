import assert from 'node:assert/strict';
import { FeedHub } from '../../store/feed/hub.js';
import type { FeedEntry } from '../../contracts/subscription/feed.js';
import type { FeedSource } from '../../store/feed/source.js';
import { INTENT_ID } from '../api/support/records.js';
import { eventOf } from '../support/events.js';

const entry = (position: number): FeedEntry => ({
  position,
  space: 'default',
  created_by: 'refund-agent',
  owner: 'refund-agent',
  guarded: null,
  event: eventOf(INTENT_ID, position),
});

/** A store that has so many events, counts its reads, and may be away. */
class FakeFeed implements FeedSource {
  newest = 0;
  reads = 0;
  isAway = false;
  listening = 0;
  notice = (): void => undefined;
  lose = (): void => undefined;
  /** Which copy of the store wrote an event: after a failover another event has the number. */
  private readonly copies: number[] = [];
  private copy = 0;
  private readonly answer = <T>(value: T): Promise<T> =>
    this.isAway ? Promise.reject(new Error('away')) : Promise.resolve(value);

  reach = () => this.answer(this.newest);
  look = () => this.answer({ settled: this.newest, pending: false });
  lastTaken = () => this.answer(this.newest);
  readonly end = (): Promise<number> => Promise.resolve(0);
  marks: FeedSource['marks'] = (upTo) =>
    this.answer(
      Array.from({ length: upTo }, (_, index) => ({
        position: index + 1,
        id: this.idAt(index + 1),
      })),
    );
  newestKept: FeedSource['newestKept'] = (marks) =>
    this.answer(marks.filter(({ id, position }) => this.idAt(position) === id).at(-1)?.position);
  newestPosition = (upTo: number) => this.answer(upTo);
  audiencesOf = () => this.answer([]);
  read: FeedSource['read'] = (_scope, { after, upTo, limit }) => {
    this.reads += 1;
    const count = Math.max(0, Math.min(limit, upTo - after));
    const rows = Array.from({ length: count }, (_, index) => this.entryAt(after + index + 1));
    return this.answer({ rows, more: after + count < upTo });
  };
  listen: FeedSource['listen'] = (onNotice, onLost) => {
    this.listening += 1;
    this.notice = onNotice;
    this.lose = onLost;
    return { hears: true, close: () => void (this.listening -= 1) };
  };

  isListening(): boolean {
    return this.listening > 0;
  }

  /** Another copy takes over, which has the events up to a position. */
  failOver(kept: number): void {
    this.newest = kept;
    this.copies.length = kept + 1;
    this.copy += 1;
  }

  private idAt(position: number): string {
    return `${position}-${this.copies[position] ?? 'none'}`;
  }

  private entryAt(position: number): FeedEntry {
    const made = entry(position);
    return { ...made, event: { ...made.event, id: this.idAt(position) } };
  }

  write(count: number): void {
    for (let index = 1; index <= count; index += 1) this.copies[this.newest + index] = this.copy;
    this.newest += count;
    this.notice();
  }
}

/** A follower that keeps positions, and can be waited for. */
function keeping() {
  const positions: number[] = [];
  let wake = (): void => undefined;
  const deliver = (entries: readonly FeedEntry[]): void => {
    positions.push(...entries.map(({ position }) => position));
    wake();
  };
  const take = async (entries: readonly FeedEntry[]): Promise<void> => {
    deliver(entries);
  };
  const until = async (count: number): Promise<void> => {
    while (positions.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { positions, deliver, take, until };
}

describe('the hub of the feed', () => {
  let feed: FakeFeed;
  let hub: FeedHub;
  let warnings: number;
  beforeEach(() => {
    feed = new FakeFeed();
    warnings = 0;
    hub = new FeedHub(feed, { warn: () => (warnings += 1) });
  });

  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it('reads a stretch once, whoever follows', async () => {
    const followers = Array.from({ length: 50 }, keeping);
    for (const follower of followers) {
      await hub.join();
      await hub.follow({ kind: 'all', space: 'default' }, 0, follower);
    }
    feed.write(5);
    await Promise.all(followers.map(({ until }) => until(5)));
    assert.equal(feed.reads, 1);
    for (const { positions } of followers) assert.deepEqual(positions, numbers(1, 5));
    followers.forEach(() => {
      hub.leave();
    });
  });

  it('joins what is past to what comes, whenever that comes', async () => {
    feed.newest = 1_000;
    await hub.join();
    const follower = keeping();
    const take = async (entries: readonly FeedEntry[]): Promise<void> => {
      feed.write(3);
      await follower.take(entries);
    };
    const end = await hub.follow({ kind: 'all', space: 'default' }, 250, { ...follower, take });
    feed.write(10);
    await follower.until(feed.newest - 250);
    assert.deepEqual(follower.positions, numbers(251, feed.newest));
    end();
    hub.leave();
  });

  it('gives nothing twice to one who is ahead of it', async () => {
    await hub.join();
    const follower = keeping();
    await hub.follow({ kind: 'all', space: 'default' }, 4, follower);
    feed.write(6);
    await follower.until(2);
    assert.deepEqual(follower.positions, [5, 6]);
    hub.leave();
  });

  it('gives each event to its own space alone, and to whoever follows every one', async () => {
    await hub.join();
    const [own, other, everywhere] = [keeping(), keeping(), keeping()];
    await hub.follow({ kind: 'all', space: 'team-b' }, feed.newest, other);
    await hub.follow({ kind: 'agent', id: 'refund-agent', space: 'team-b' }, feed.newest, other);
    await hub.follow({ kind: 'intent', id: INTENT_ID, space: 'team-b' }, feed.newest, other);
    await hub.follow({ kind: 'everything' }, feed.newest, everywhere);
    await hub.follow({ kind: 'agent', id: 'refund-agent', space: 'default' }, feed.newest, own);
    feed.write(2);
    await Promise.all([own.until(2), everywhere.until(2)]);
    assert.deepEqual(other.positions, []);
    hub.leave();
  });

  it('goes on where it was when the store is back', async () => {
    await hub.join();
    const follower = keeping();
    await hub.follow({ kind: 'all', space: 'default' }, 0, follower);
    feed.isAway = true;
    feed.write(2);
    while (warnings === 0) await new Promise(setImmediate);
    feed.isAway = false;
    feed.write(1);
    await follower.until(3);
    assert.deepEqual(follower.positions, [1, 2, 3]);
    hub.leave();
  });

  /** A follower of a store with four events, which has them all; and what it was told of a way back. */
  async function following() {
    await hub.join();
    const follower = keeping();
    const backs: number[] = [];
    const wentBack = (to: number) => void backs.push(to);
    await hub.follow({ kind: 'all', space: 'default' }, 0, { ...follower, wentBack });
    feed.write(4);
    await follower.until(4);
    return { ...follower, backs };
  }

  it('goes back with a store that has lost numbers, and hands them out again', async () => {
    const { positions, until, backs } = await following();
    feed.failOver(2);
    feed.write(1);
    await until(5);
    feed.write(2);
    await until(7);
    assert.deepEqual([positions, backs], [[1, 2, 3, 4, 3, 4, 5], [2]]);
    assert.equal(warnings, 1);
    hub.leave();
  });

  it('notices lost numbers that are in use again, once it has lost the connection', async () => {
    const { positions, until, backs } = await following();
    feed.lose();
    feed.failOver(2);
    feed.write(6);
    await until(10);
    assert.deepEqual([positions, backs], [[1, 2, 3, 4, 3, 4, 5, 6, 7, 8], [2]]);
    hub.leave();
  });

  it('stays where it is if the store has kept everything', async () => {
    const { positions, until, backs } = await following();
    feed.lose();
    feed.failOver(4);
    feed.write(1);
    await until(5);
    assert.deepEqual([positions, backs, warnings], [[1, 2, 3, 4, 5], [], 0]);
    hub.leave();
  });

  it('refuses to begin without the store, and begins with it', async () => {
    feed.isAway = true;
    await assert.rejects(hub.join(), /away/);
    feed.isAway = false;
    feed.newest = 3;
    await hub.join();
    assert.equal(hub.position, 3);
    hub.leave();
  });

  it('listens only while somebody follows, and says how far it reads only then', async () => {
    assert.equal(hub.readUpTo, undefined);
    await hub.join();
    await hub.join();
    assert.deepEqual([feed.listening, hub.readUpTo], [1, 0]);
    hub.leave();
    hub.leave();
    while (feed.isListening()) await new Promise(setImmediate);
    assert.equal(hub.readUpTo, undefined);
    feed.newest = 9;
    await hub.join();
    assert.deepEqual([feed.listening, hub.position, hub.readUpTo], [1, 9, 9]);
    hub.leave();
  });
});
