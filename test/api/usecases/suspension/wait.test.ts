import assert from 'node:assert/strict';
import { refusalOf } from '../../../../api/errors.js';
import type { SuspensionView } from '../../../../contracts/suspension/view.js';
import { toInstant } from '../../../../domain/kernel/time.js';
import { NOW, SUSPENSION_ID, idle, settledView, viewOf } from '../../support/fakes.js';
import { waitBench } from '../../support/waits.js';

const LATER = toInstant(NOW + 5_000);
const HOUR_MS = 3_600_000;

/** What somebody is told who has gone away. */
const isGone = (error: unknown): boolean => refusalOf(error)?.code === 'workflow_unavailable';

/** A question whose end the store shows once it is settled, and whose waiters the feed tells. */
function inStore() {
  let current = viewOf();
  const found = waitBench({ stored: () => current });
  const change = (view: SuspensionView): void => {
    current = view;
    found.feed.tell(SUSPENSION_ID, view.state === 'settled' ? 'settled' : 'other', view.state);
  };
  return { ...found, change };
}

describe('waiting for a suspension', () => {
  it('returns at once when it is settled', async () => {
    const { wait, calls } = waitBench({ stored: () => settledView() });
    assert.deepEqual(await wait(60), { value: settledView(), stale: false });
    assert.deepEqual(calls, []);
  });

  it('returns at once when a later attempt is up', async () => {
    const { wait } = waitBench({ view: () => viewOf({ attempt: 2, max_attempts: 3 }) });
    assert.equal((await wait(60, 1)).value.attempt, 2);
  });

  it('asks Temporal once in an hour in which nothing happens', async () => {
    const { wait, clock, calls } = inStore();
    const end = clock.now() + HOUR_MS;
    while (clock.now() < end) {
      const waited = wait(50, 1);
      await clock.advance(50_000);
      const { value, stale } = await waited;
      assert.deepEqual([value.state, stale], ['pending', false]);
    }
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['record'],
    );
  });

  it('returns the moment the store shows the end [TM-02]', async () => {
    const { wait, change, calls } = inStore();
    const waited = wait(60);
    await idle();
    change(settledView());
    assert.deepEqual(await waited, { value: settledView(), stale: false });
    assert.equal(calls.length, 1);
  });

  it('returns to all who wait, who share one read of the store', async () => {
    const { wait, change, calls, asked } = inStore();
    const all = Promise.all(Array.from({ length: 30 }, () => wait(60)));
    await idle();
    change(settledView());
    for (const { value } of await all) assert.equal(value.state, 'settled');
    assert.equal(calls.length, 1);
    assert.equal(asked.filter(({ name }) => name === 'findSettled').length, 2);
  });

  it('reads again what changes while the store is read', async () => {
    let current = viewOf();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const { wait, feed } = waitBench({
      stored: () => current,
      store: {
        findSuspension: async () => {
          const before = current;
          await held;
          return before;
        },
      },
    });
    const all = Promise.all([wait(60), wait(60)]);
    await idle();
    feed.tell(SUSPENSION_ID, 'commented', 'pending');
    await idle();
    current = settledView();
    feed.tell(SUSPENSION_ID, 'settled', 'settled');
    goOn();
    for (const { value } of await all) assert.equal(value.state, 'settled');
  });

  it('asks Temporal again once the store has lost what it showed', async () => {
    let view = viewOf();
    const { wait, feed, calls } = waitBench({ view: () => view, stored: () => viewOf() });
    const waited = wait(60);
    await idle();
    view = settledView();
    feed.goBack();
    assert.equal((await waited).value.state, 'settled');
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['record', 'record'],
    );
  });

  it('returns an end that comes while it reads', async () => {
    let answer = (_view: SuspensionView): void => undefined;
    const asked = new Promise<SuspensionView>((resolve) => (answer = resolve));
    let stored = viewOf();
    const { wait, feed, calls } = waitBench({
      stored: () => stored,
      answers: { record: () => asked },
    });
    const waited = wait(60);
    await idle();
    stored = settledView();
    feed.tell(SUSPENSION_ID, 'settled', 'settled');
    answer(viewOf());
    assert.deepEqual(await waited, { value: settledView(), stale: false });
    assert.equal(calls.length, 1);
  });

  it('returns an end that came before it listened', async () => {
    const { wait, change, calls } = inStore();
    const left = new AbortController();
    const before = wait(60, undefined, left.signal);
    await idle();
    left.abort(new Error('gone'));
    await assert.rejects(before, isGone);
    change(settledView());
    assert.deepEqual(await wait(60), { value: settledView(), stale: false });
    assert.equal(calls.length, 1);
  });

  it('returns the pending view when time is up', async () => {
    const { wait, clock, looks } = waitBench();
    const waited = wait(60);
    await clock.advance(60_000);
    assert.equal((await waited).value.state, 'pending');
    assert.deepEqual(looks, [0]);
  });

  it('shows what has changed meanwhile', async () => {
    const { wait, clock, change, calls } = inStore();
    const waited = wait(60);
    await idle();
    change(viewOf({ comment_count: 1 }));
    await clock.advance(60_000);
    assert.equal((await waited).value.comment_count, 1);
    assert.equal(calls.length, 1);
  });

  it('asks Temporal where the store shows less than it has said', async () => {
    const { wait, clock, feed, looks } = waitBench({
      view: () => viewOf({ attempt: 2, max_attempts: 3 }),
      stored: () => viewOf({ attempt: 1, max_attempts: 3 }),
    });
    const waited = wait(60);
    await idle();
    feed.tell(SUSPENSION_ID, 'attempt', 'pending');
    await clock.advance(60_000);
    assert.equal((await waited).value.attempt, 2);
    assert.deepEqual(looks, [0, 0]);
  });

  it('asks Temporal again after two requests that are far apart', async () => {
    const { wait, clock, looks } = waitBench();
    for (const pause of [60_000, 30_000, 0]) {
      const waited = wait(1);
      await clock.advance(1_000);
      await waited;
      await clock.advance(pause);
    }
    assert.deepEqual(looks, [0, 61_000, 92_000]);
  });

  it('returns what this process settles before the store shows it', async () => {
    let isSettled = false;
    const { wait, clock, parts, calls } = waitBench({
      view: () => (isSettled ? settledView() : viewOf()),
      stored: () => viewOf(),
    });
    const waited = wait(60);
    await idle();
    isSettled = true;
    parts.settlements.touch(SUSPENSION_ID, 'settled');
    await clock.advance(500);
    assert.deepEqual(await waited, { value: settledView(), stale: false });
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['record', 'result', 'record'],
    );
  });

  it('writes the end that this process settles, and reads no workflow for it', async () => {
    let stored = viewOf();
    const rows = [{ kind: 'moved' }];
    const { wait, parts, calls } = waitBench({
      stored: () => stored,
      result: () => ({ rows }),
      store: {
        writeRows: async () => {
          stored = settledView();
          return [];
        },
        notOpened: async () => [],
      },
    });
    const waited = wait(60);
    await idle();
    parts.settlements.touch(SUSPENSION_ID, 'settled');
    assert.deepEqual(await waited, { value: settledView(), stale: false });
    assert.deepEqual(
      calls.map(({ name }) => name),
      ['record', 'result'],
    );
  });

  it('hears of a later attempt from the feed', async () => {
    const first = viewOf({ attempt: 1, max_attempts: 2, next_attempt_at: LATER });
    let stored = first;
    const { wait, clock, feed, looks } = waitBench({ view: () => first, stored: () => stored });
    const waited = wait(60, 1);
    await clock.advance(5_000);
    stored = viewOf({ attempt: 2, max_attempts: 2 });
    feed.tell(SUSPENSION_ID, 'attempt', 'pending');
    assert.equal((await waited).value.attempt, 2);
    assert.deepEqual(looks, [0]);
  });

  it('asks Temporal for a late attempt, after pauses that grow', async () => {
    const view = (now: number) =>
      now < NOW + 20_000
        ? viewOf({ attempt: 1, max_attempts: 2, next_attempt_at: LATER })
        : viewOf({ attempt: 2, max_attempts: 2 });
    const { wait, clock, looks } = waitBench({ view });
    const waited = wait(60, 1);
    await clock.advance(60_000);
    assert.equal((await waited).value.attempt, 2);
    assert.deepEqual(looks, [0, 6_000, 8_000, 12_000, 20_000]);
  });

  it('hears of the end of a pause, which has no place in the feed', async () => {
    const pause = { reason: 'rate_limit', resume_signal: 'cleared', timeout_outcome: 'timeout' };
    const record = { ...viewOf().record, pause } as unknown as SuspensionView['record'];
    const paused = viewOf({ record });
    let stored: SuspensionView = paused;
    const { wait, clock, looks } = waitBench({
      view: () => paused,
      stored: () => stored,
      store: {
        idsNotInState: async (wanted) => (stored === paused ? [...wanted.keys()] : []),
      },
    });
    const waited = wait(60);
    await clock.advance(5_000);
    stored = settledView();
    await clock.advance(1_000);
    assert.deepEqual(await waited, { value: settledView(), stale: false });
    assert.deepEqual(looks, [0]);
  });

  it('follows the feed while somebody waits, and a moment longer', async () => {
    const { wait, clock, feed } = waitBench();
    const waited = wait(1);
    await clock.advance(1_000);
    await waited;
    assert.deepEqual([feed.users, feed.followers.size], [1, 1]);
    await clock.advance(20_000);
    assert.deepEqual([feed.users, feed.followers.size], [0, 0]);
  });

  it('ends with its caller', async () => {
    const caller = new AbortController();
    const { wait } = waitBench();
    const waited = wait(60, undefined, caller.signal);
    await idle();
    caller.abort(new Error('gone'));
    await assert.rejects(waited, isGone);
  });
});
