import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { endRefusedAskUpdate } from '../../../workflows/intent/messages.js';
import { caller } from '../../support/callers.js';
import {
  everythingOf,
  logOf,
  refusalOf,
  snapshotOf,
  versionOf,
  type IntentHandle,
} from '../support/intents.js';
import { writeAskingRecord, writeAskingStatus } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

const REASON = 'The question was refused: it is none.';

describe('the wait for a question that was refused', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function end(handle: IntentHandle, by = caller('agent-1'), version?: number) {
    const if_match = version ?? (await versionOf(handle));
    const input = { by, actor: 'refunder', if_match, reason: REASON };
    return handle.executeUpdate(endRefusedAskUpdate, { args: [input] });
  }

  for (const status of ['draft', 'active'] as const) {
    it(`ends in the status of before: ${status}`, async () => {
      const handle = await world.openIntent({ status });
      await writeAskingStatus(handle);
      await writeAskingStatus(handle);
      const version = await versionOf(handle);
      await end(handle);
      const { intent } = await snapshotOf(handle);
      assert.deepEqual([intent.status, intent.version], [status, version + 1]);
      const last = (await logOf(world, handle)).at(-1);
      assert.deepEqual(
        [last?.event_type, last?.actor, last?.payload],
        ['status_changed', 'holdpoint', { status, version: version + 1, reason: REASON }],
      );
      await writeAskingStatus(handle);
      await writeAskingRecord(world, handle);
      assert.equal((await snapshotOf(handle)).intent.status, 'suspended_awaiting_input');
    });
  }

  it('is not ended by others, under an older version, nor with a question open', async () => {
    const handle = await world.openIntent();
    assert.equal((await refusalOf(end(handle))).code, 'forbidden');
    await writeAskingStatus(handle);
    const version = await versionOf(handle);
    const before = await everythingOf(world, handle);
    for (const by of [caller('agent'), caller('root', 'admin'), caller('agent-1', 'operator')]) {
      assert.equal((await refusalOf(end(handle, by))).code, 'forbidden');
    }
    const stale = await refusalOf(end(handle, caller('agent-1'), version - 1));
    assert.equal(stale.code, 'version_conflict');
    assert.deepEqual(await everythingOf(world, handle), before);
    await writeAskingRecord(world, handle);
    assert.equal((await refusalOf(end(handle))).code, 'intent_not_suspended');
  });
});
