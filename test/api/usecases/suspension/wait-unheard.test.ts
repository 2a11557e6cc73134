import { WorkflowNotFoundError } from '@temporalio/client';
import assert from 'node:assert/strict';
import { refusalOf } from '../../../../api/errors.js';
import type { SuspensionView } from '../../../../contracts/suspension/view.js';
import { toInstant } from '../../../../domain/kernel/time.js';
import {
  NOW,
  hanging,
  idle,
  rpcError,
  settledView,
  viewOf,
  type FakeCall,
} from '../../support/fakes.js';
import { waitBench } from '../../support/waits.js';

/** What somebody is told who has gone away. */
const isGone = (error: unknown): boolean => refusalOf(error)?.code === 'workflow_unavailable';

/** A wait while nobody can read the feed; it listens to the workflow. */
function deafBench(view: (now: number) => SuspensionView, outcome: (call: FakeCall) => unknown) {
  const found = waitBench({ view, answers: { outcome } });
  found.feed.isAway = true;
  return found;
}

describe('waiting for a suspension while the feed is away', () => {
  it('returns the moment it settles', async () => {
    let settle = (): void => undefined;
    const settled = new Promise((resolve) => {
      settle = () => resolve({ moved: false, view: settledView() });
    });
    const { wait, looks } = deafBench(
      () => viewOf(),
      () => settled,
    );
    const waited = wait(60);
    await idle();
    settle();
    assert.deepEqual(await waited, { value: settledView(), stale: false });
    assert.deepEqual(looks, [0]);
  });

  it('listens to the workflow some seconds after the feed is lost', async () => {
    const outcome = ({ signal }: FakeCall) =>
      isSettled ? { moved: false, view: settledView() } : hanging({ signal });
    let isSettled = false;
    const { wait, clock, feed, listening } = waitBench({ answers: { outcome } });
    const waited = wait(60);
    await clock.advance(10_000);
    assert.equal(listening().length, 0);
    feed.isAway = true;
    isSettled = true;
    await clock.advance(7_000);
    assert.deepEqual(await waited, { value: settledView(), stale: false });
    assert.equal(listening().length, 1);
  });

  it('believes nothing that it knew before the feed was lost', async () => {
    const { wait, clock, feed, looks } = deafBench(() => viewOf(), hanging);
    feed.isAway = false;
    const before = wait(1);
    await clock.advance(1_000);
    await before;
    feed.isAway = true;
    await clock.advance(7_000);
    feed.isAway = false;
    const after = wait(1);
    await clock.advance(1_000);
    await after;
    assert.deepEqual(looks, [0, 8_000]);
  });

  it('returns the pending view when time is up', async () => {
    const { wait, clock, looks } = deafBench(() => viewOf(), hanging);
    const waited = wait(60);
    await clock.advance(60_000);
    assert.equal((await waited).value.state, 'pending');
    assert.deepEqual(looks, [0, 60_000]);
  });

  it('looks for a late attempt after pauses that grow', async () => {
    const due = toInstant(NOW - 1);
    const view = (now: number) =>
      now < NOW + 2_000
        ? viewOf({ attempt: 1, max_attempts: 2, next_attempt_at: due })
        : viewOf({ attempt: 2, max_attempts: 2 });
    const { wait, clock, looks } = deafBench(view, hanging);
    const waited = wait(60, 1);
    await clock.advance(4_000);
    assert.equal((await waited).value.attempt, 2);
    assert.deepEqual(looks, [0, 250, 750, 1_750, 3_750]);
  });

  const unheard = {
    'a run that hands over': () => ({ moved: true }),
    'a run that is closed': () => {
      throw new WorkflowNotFoundError('closed', '', undefined);
    },
    'a server that is away': () => {
      throw rpcError('UNAVAILABLE');
    },
  };
  for (const [name, outcome] of Object.entries(unheard)) {
    it(`asks again after a pause past ${name}`, async () => {
      const view = (now: number) => (now < NOW + 500 ? viewOf() : settledView());
      const { wait, clock, looks, listening } = deafBench(view, outcome);
      const waited = wait(60);
      await clock.advance(1_000);
      assert.equal((await waited).value.state, 'settled');
      assert.deepEqual(looks, [0, 250, 750]);
      assert.equal(listening().length, 2);
    });
  }

  it('ends with its caller, and the call with it', async () => {
    const caller = new AbortController();
    const { wait, listening } = deafBench(() => viewOf(), hanging);
    const waited = wait(60, undefined, caller.signal);
    await idle();
    caller.abort(new Error('gone'));
    await assert.rejects(waited, isGone);
    assert.equal(listening()[0]?.signal.aborted, true);
  });

  it('shares one call among all who wait', async () => {
    let settle = (): void => undefined;
    const settled = new Promise((resolve) => {
      settle = () => resolve({ moved: false, view: settledView() });
    });
    const { wait, listening } = deafBench(
      () => viewOf(),
      () => settled,
    );
    const all = Promise.all(Array.from({ length: 30 }, () => wait(60)));
    await idle();
    settle();
    const states = (await all).map(({ value }) => value.state);
    assert.deepEqual(
      states,
      Array.from({ length: 30 }, () => 'settled'),
    );
    assert.equal(listening().length, 1);
  });

  it('keeps the shared call for those who stay', async () => {
    const caller = new AbortController();
    const { wait, listening, clock } = deafBench(() => viewOf(), hanging);
    const leaving = wait(60, undefined, caller.signal);
    const staying = wait(60);
    await idle();
    caller.abort(new Error('gone'));
    await assert.rejects(leaving, isGone);
    assert.equal(listening()[0]?.signal.aborted, false);
    await clock.advance(60_000);
    assert.equal((await staying).value.state, 'pending');
    assert.equal(listening()[0]?.signal.aborted, true);
    assert.equal(listening().length, 1);
  });
});
