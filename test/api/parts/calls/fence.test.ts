import assert from 'node:assert/strict';
import type { Client } from '@temporalio/client';
import { describe, it } from 'mocha';
import { createFence } from '../../../../api/parts/calls/temporal.js';
import { DEFAULT_SPACE } from '../../../../contracts/constants/callers.js';
import { ManualClock, idle, rpcError } from '../../support/fakes.js';

const CHILD = 'suspension-1';

/** A fence before a workflow that is described as these looks say, the last of them again and again. */
function fence(...looks: (readonly string[] | Error | 'hangs')[]) {
  const clock = new ManualClock();
  let looked = 0;
  const describe = async () => {
    const look = looks[Math.min(looked, looks.length - 1)];
    looked += 1;
    if (look === 'hangs') return new Promise<never>(() => undefined);
    if (look instanceof Error) throw look;
    return { raw: { pendingChildren: (look ?? []).map((workflowId) => ({ workflowId })) } };
  };
  const client = {
    workflow: { getHandle: () => ({ describe }) },
    withDeadline: (_at: unknown, call: () => unknown) => call(),
    withAbortSignal: (_signal: unknown, call: () => unknown) => call(),
  } as unknown as Client;
  let passed = false;
  const of = createFence({ client, clock, space: DEFAULT_SPACE });
  const told = of.told('intent-1', CHILD).then((isTold) => {
    passed = true;
    return isTold;
  });
  return { clock, of, told, passed: () => passed, looks: () => looked };
}

describe('the fence behind an answer', () => {
  it('is passed with one look where the parent has been told, whatever else it waits for', async () => {
    const { told, looks } = fence(['suspension-2']);
    assert.deepEqual([await told, looks()], [true, 1]);
  });

  it('is passed as soon as the parent no longer lists the child', async () => {
    const { clock, told, passed } = fence([CHILD], [CHILD, 'suspension-2'], ['suspension-2']);
    await idle();
    assert.equal(passed(), false);
    await clock.advance(5);
    await idle();
    assert.equal(passed(), false);
    await clock.advance(10);
    await told;
  });

  for (const [what, look] of [
    ['nobody answers', 'hangs'],
    ['the parent is never told', [CHILD]],
  ] as const) {
    it(`is passed after two seconds where ${what}`, async () => {
      const { clock, told, passed } = fence(look);
      await clock.advance(1_900);
      assert.equal(passed(), false);
      await clock.advance(200);
      assert.equal(await told, false);
    });
  }

  it('is looked at together by all who wait, and for ten seconds by who holds a place until then', async () => {
    const { clock, of, told, looks } = fence([CHILD]);
    let isTaken = false;
    const taken = of.taken('intent-1', CHILD).then(() => {
      isTaken = true;
    });
    await idle();
    assert.equal(looks(), 1);
    await clock.advance(2_000);
    await told;
    await clock.advance(7_999);
    assert.equal(isTaken, false);
    await clock.advance(1);
    await taken;
  });

  it('is passed where Temporal is away', async () => {
    assert.equal(await fence(rpcError('UNAVAILABLE')).told, false);
  });

  it('is looked at later where parents take long, as long as they do', async () => {
    const busy = Array.from({ length: 40 }, () => [CHILD]);
    const { clock, of, told, looks } = fence(...busy, []);
    await clock.advance(8_000);
    await told;
    const before = looks();
    const next = of.told('intent-2', CHILD);
    await clock.advance(199);
    assert.equal(looks(), before);
    await clock.advance(1);
    assert.equal(await next, true);
    // Those that follow are quick again.
    const after = of.told('intent-3', CHILD);
    await clock.advance(100);
    assert.equal(await after, true);
  });

  it('does not hide what is unknown', async () => {
    await assert.rejects(fence(new Error('a defect')).told, /a defect/);
  });
});
