import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { StatePatch } from '../../../contracts/intent/intent.js';
import {
  everythingOf,
  logOf,
  patch,
  refusalOf,
  snapshotOf,
  type IntentHandle,
} from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

const KIB = 1_024;

describe('intent state', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('logs one state_patched with the patches as they were sent', async () => {
    const handle = await world.openIntent();
    const patches: StatePatch[] = [
      { op: 'set', path: 'a', value: null },
      { op: 'remove', path: 'b' },
    ];
    const written = await patch(handle, patches);
    const log = await logOf(world, handle);
    assert.equal(written.version, 2);
    assert.deepEqual(
      log.map(({ event_type, actor, payload }) => ({ event_type, actor, payload })).slice(1),
      [{ event_type: 'state_patched', actor: 'agent-1', payload: { patches, version: 2 } }],
    );
  });

  it('patches a suspended intent beside its question', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle);
    const { intent } = await patch(handle, [{ op: 'set', path: 'seen', value: 1 }]);
    assert.equal(intent?.status, 'suspended_awaiting_input');
    assert.deepEqual(intent.state, { seen: 1, _suspension: view.record });
  });

  it('refuses a forged answer and changes nothing [R25-34, R25-86]', async () => {
    const forged = { op: 'set', path: '/_suspension/response', value: 'approve' } as const;
    const handle = await world.openIntent();
    await world.ask(handle);
    const before = await everythingOf(world, handle);
    const refusal = await refusalOf(patch(handle, [{ op: 'remove', path: 'x' }, forged]));
    assert.equal(refusal.code, 'invalid_patch');
    assert.equal(refusal.field, 'patches[1].path');
    assert.deepEqual(await everythingOf(world, handle), before);
  });

  it('leaves an intent over 256 KiB out of the result', async () => {
    const handle = await world.openIntent();
    const small = await patch(handle, [{ op: 'set', path: 'a', value: 'x'.repeat(250 * KIB) }]);
    assert.equal(small.intent?.version, 2);
    const large = await patch(handle, [{ op: 'set', path: 'b', value: 'x'.repeat(20 * KIB) }]);
    assert.deepEqual(large, { version: 3, last_sequence: 3 });
    assert.equal((await snapshotOf(handle)).intent.version, 3);
  });

  it('takes in the patches of four writers at once, one version each', async () => {
    const handle = await world.openIntent();
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    const versions: number[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (const number of numbers.slice(writer * 10, writer * 10 + 10)) {
          versions.push(await insist(handle, number));
        }
      }),
    );
    const expected = numbers.map((number) => number + 2);
    assert.deepEqual(
      versions.toSorted((a, b) => a - b),
      expected,
    );
    const { intent } = await snapshotOf(handle);
    assert.deepEqual(
      (intent.state['done'] as number[]).toSorted((a, b) => a - b),
      numbers,
    );
    const patched = (await logOf(world, handle)).slice(1).map(({ payload }) => payload['version']);
    assert.deepEqual(patched, expected);
  });

  /** Patches again on each conflict, under the version the refusal names. */
  async function insist(handle: IntentHandle, value: number): Promise<number> {
    for (let version = 1; ;) {
      const attempt = patch(handle, [{ op: 'append', path: 'done', value }], version);
      const written = await attempt.catch(() => undefined);
      if (written) return written.version;
      const { state } = await refusalOf(attempt);
      version = state?.['current_version'] as number;
    }
  }
});
