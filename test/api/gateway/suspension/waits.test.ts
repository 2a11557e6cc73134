import { WorkflowNotFoundError } from '@temporalio/client';
import assert from 'node:assert/strict';
import { Outcomes, createWaits } from '../../../../api/gateway/suspension/waits.js';
import type { Read } from '../../../../api/gateway/caller.js';
import type { SuspensionView } from '../../../../contracts/suspension-view.js';
import { toInstant } from '../../../../domain/kernel/time.js';
import {
  ManualClock,
  NOW,
  SUSPENSION_ID,
  fakeClient,
  hanging,
  idle,
  rpcError,
  settledView,
  viewOf,
} from '../support.js';
import type { FakeCall } from '../support.js';

const LATER = toInstant(NOW + 5_000);

/** Waits on a suspension that reads as `view()` says, and whose outcome is `outcome`. */
function bench(view: (now: number) => SuspensionView, outcome: (call: FakeCall) => unknown) {
  const clock = new ManualClock();
  const { client, calls } = fakeClient({ update: outcome });
  const looks: number[] = [];
  const reads = {
    getSuspension: async () => {
      looks.push(clock.now() - NOW);
      return { value: view(clock.now()), stale: false };
    },
  };
  const { waitForSuspension } = createWaits(reads, new Outcomes(client, clock), clock, {
    touch: () => undefined,
  });
  const wait = (
    timeoutSeconds: number,
    afterAttempt?: number,
    signal = new AbortController().signal,
  ): Promise<Read<SuspensionView>> => {
    const attempts = afterAttempt === undefined ? {} : { afterAttempt };
    return waitForSuspension(SUSPENSION_ID, { timeoutSeconds, signal, ...attempts });
  };
  return { clock, calls, looks, wait };
}

describe('waiting for a suspension', () => {
  it('returns at once when it is settled', async () => {
    const { wait, calls } = bench(() => settledView(), hanging);
    assert.deepEqual(await wait(60), { value: settledView(), stale: false });
    assert.equal(calls.length, 0);
  });

  it('returns at once when a later attempt is up', async () => {
    const { wait } = bench(() => viewOf({ attempt: 2, max_attempts: 3 }), hanging);
    assert.equal((await wait(60, 1)).value.attempt, 2);
  });

  it('returns the moment it settles [TM-02]', async () => {
    let settle = (): void => undefined;
    const settled = new Promise((resolve) => {
      settle = () => resolve({ moved: false, view: settledView() });
    });
    const { wait, looks } = bench(
      () => viewOf(),
      () => settled,
    );
    const waited = wait(60);
    await idle();
    settle();
    assert.deepEqual(await waited, { value: settledView(), stale: false });
    assert.deepEqual(looks, [0]);
  });

  it('returns the pending view when time is up', async () => {
    const { wait, clock, looks } = bench(() => viewOf(), hanging);
    const waited = wait(60);
    await clock.advance(60_000);
    assert.equal((await waited).value.state, 'pending');
    assert.deepEqual(looks, [0, 60_000]);
  });

  it('looks again when the next attempt is due', async () => {
    const view = (now: number) =>
      viewOf(
        now < NOW + 5_000
          ? { attempt: 1, max_attempts: 2, next_attempt_at: LATER }
          : { attempt: 2, max_attempts: 2 },
      );
    const { wait, clock, looks } = bench(view, hanging);
    const waited = wait(60, 1);
    await clock.advance(5_000);
    assert.equal((await waited).value.attempt, 2);
    assert.deepEqual(looks, [0, 5_000]);
  });

  it('looks at most four times a second for a late attempt', async () => {
    const due = toInstant(NOW - 1);
    const view = (now: number) =>
      now < NOW + 1_000
        ? viewOf({ attempt: 1, max_attempts: 2, next_attempt_at: due })
        : viewOf({ attempt: 2, max_attempts: 2 });
    const { wait, clock, looks } = bench(view, hanging);
    const waited = wait(60, 1);
    await clock.advance(2_000);
    assert.equal((await waited).value.attempt, 2);
    assert.deepEqual(looks, [0, 250, 500, 750, 1_000]);
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
      const { wait, clock, looks, calls } = bench(view, outcome);
      const waited = wait(60);
      await clock.advance(1_000);
      assert.equal((await waited).value.state, 'settled');
      assert.deepEqual(looks, [0, 250, 500]);
      assert.equal(calls.length, 2);
    });
  }

  it('ends with its caller, and the call with it', async () => {
    const caller = new AbortController();
    const { wait, calls } = bench(() => viewOf(), hanging);
    const waited = wait(60, undefined, caller.signal);
    await idle();
    caller.abort(new Error('gone'));
    await assert.rejects(waited, /gone/);
    assert.equal(calls[0]?.signal.aborted, true);
  });

  it('shares one call among all who wait', async () => {
    let settle = (): void => undefined;
    const settled = new Promise((resolve) => {
      settle = () => resolve({ moved: false, view: settledView() });
    });
    const { wait, calls } = bench(
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
    assert.equal(calls.length, 1);
  });

  it('keeps the shared call for those who stay', async () => {
    const caller = new AbortController();
    const { wait, calls, clock } = bench(() => viewOf(), hanging);
    const leaving = wait(60, undefined, caller.signal);
    const staying = wait(60);
    await idle();
    caller.abort(new Error('gone'));
    await assert.rejects(leaving, /gone/);
    assert.equal(calls[0]?.signal.aborted, false);
    await clock.advance(60_000);
    assert.equal((await staying).value.state, 'pending');
    assert.equal(calls[0].signal.aborted, true);
    assert.equal(calls.length, 1);
  });
});
