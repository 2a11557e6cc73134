import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { StatePatch } from '../../../contracts/intent/intent.js';
import { everythingOf, logOf, patch, refusalOf, snapshotOf } from '../support/intents.js';
import type { IntentHandle } from '../support/intents.js';
import { World } from '../support/world.js';

const KIB = 1_024;

describe('intent state', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('sets, appends and removes, nested too', async () => {
    const handle = await world.openIntent();
    await patch(handle, [
      { op: 'set', path: '/order/id', value: 42 },
      { op: 'append', path: 'order/notes', value: 'first' },
      { op: 'append', path: 'order/notes', value: { by: 'agent' } },
      { op: 'set', path: 'draft', value: true },
    ]);
    const { intent } = await patch(handle, [
      { op: 'remove', path: 'draft' },
      { op: 'set', path: 'order/notes/0', value: 'changed' },
    ]);
    assert.deepEqual(intent?.state, { order: { id: 42, notes: ['changed', { by: 'agent' }] } });
  });

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

  const SLOT_PATCHES: readonly StatePatch[] = [
    { op: 'set', path: '_suspension', value: {} },
    { op: 'set', path: '/_suspension/response', value: 'approve' },
    { op: 'append', path: '_suspension/choices', value: {} },
    { op: 'remove', path: '//_suspension' },
  ];
  for (const forged of SLOT_PATCHES) {
    it(`refuses ${forged.op} at ${forged.path} and changes nothing [R25-34, R25-86]`, async () => {
      const handle = await world.openIntent();
      await world.ask(handle);
      const before = await everythingOf(world, handle);
      const refusal = await refusalOf(patch(handle, [{ op: 'remove', path: 'x' }, forged]));
      assert.equal(refusal.code, 'invalid_patch');
      assert.equal(refusal.field, 'patches[1].path');
      assert.deepEqual(await everythingOf(world, handle), before);
    });
  }

  it('applies all patches of a request or none [R25-86]', async () => {
    const handle = await world.openIntent();
    await patch(handle, [{ op: 'set', path: 'list', value: [1] }]);
    const before = await everythingOf(world, handle);
    const refusal = await refusalOf(
      patch(handle, [
        { op: 'append', path: 'list', value: 2 },
        { op: 'set', path: 'list/9', value: 3 },
      ]),
    );
    assert.equal(refusal.code, 'invalid_patch');
    assert.deepEqual(await everythingOf(world, handle), before);
  });

  it('refuses a stale If-Match and changes nothing [R25-86]', async () => {
    const handle = await world.openIntent();
    await patch(handle, [{ op: 'set', path: 'a', value: 1 }]);
    const before = await everythingOf(world, handle);
    const refusal = await refusalOf(patch(handle, [{ op: 'set', path: 'a', value: 2 }], 1));
    assert.equal(refusal.code, 'version_conflict');
    assert.deepEqual(refusal.state, { current_version: 2, intent_status: 'active' });
    assert.deepEqual(await everythingOf(world, handle), before);
  });

  it('refuses a state over 512 KiB and changes nothing [R25-86]', async () => {
    const handle = await world.openIntent();
    const half = 'x'.repeat(255 * KIB);
    await patch(handle, [{ op: 'set', path: 'a', value: half }]);
    await patch(handle, [{ op: 'set', path: 'b', value: half }]);
    const before = await everythingOf(world, handle);
    const more = patch(handle, [{ op: 'set', path: 'c', value: 'x'.repeat(4 * KIB) }]);
    assert.equal((await refusalOf(more)).code, 'state_too_large');
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
