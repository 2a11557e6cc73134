import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { suspendUpdate } from '../../../workflows/intent/messages.js';
import { caller, sent } from '../../support/callers.js';
import {
  everythingOf,
  refusalOf,
  snapshotOf,
  writeStatus,
  type IntentHandle,
} from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

/** Owns the intents of these tests; the asker is another agent. */
const OWNER = caller('agent-1');
const ASKER = caller('asker');
const STRANGER = caller('stranger');

describe('who ends a suspended intent', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const draft = { question: 'Go?', response_type: 'text', context: {}, fallback_policy: 'fail' };
  const asked = { by: ASKER, actor: 'somebody', draft } as never;

  /** An intent that waits for a question of another agent than its owner. */
  async function waiting(): Promise<IntentHandle> {
    const handle = await world.openIntent();
    const receipt = await handle.executeUpdate(suspendUpdate, { args: [asked] });
    await world.delivered(receipt.suspension_id);
    return handle;
  }

  it('is no other agent, whatever name it claims, and the attempt leaves no trace', async () => {
    const handle = await waiting();
    const untouched = await everythingOf(world, handle);
    for (const by of [STRANGER, caller('stranger', 'auditor')]) {
      for (const actor of ['agent-1', 'asker', 'somebody']) {
        const refusal = await refusalOf(writeStatus(handle, 'abandoned', { by, actor }));
        assert.equal(refusal.code, 'forbidden');
      }
    }
    assert.deepEqual(await everythingOf(world, handle), untouched);
  });

  it('is not who suspended it before, once it goes on', async () => {
    const handle = await world.openIntent();
    const through = { ...sent('asker'), openintent_ask: true } as const;
    await writeStatus(handle, 'suspended_awaiting_input', through);
    await writeStatus(handle, 'active', through);
    const next = { by: OWNER, actor: 'agent-1', openintent_ask: true } as const;
    await writeStatus(handle, 'suspended_awaiting_input', next);
    const refusal = await refusalOf(writeStatus(handle, 'abandoned', { by: ASKER }));
    assert.equal(refusal.code, 'forbidden');
    await writeStatus(handle, 'abandoned', { by: OWNER });
  });

  for (const first of ['write', 'question'] as const) {
    it(`is judged when the write arrives: the ${first} was first`, async () => {
      const handle = await world.openIntent();
      const { version } = (await snapshotOf(handle)).intent;
      const isFirst = first === 'write';
      const if_match = isFirst ? version : version + 2;
      const sends = {
        write: () => writeStatus(handle, 'abandoned', { by: STRANGER, if_match }),
        question: () => handle.executeUpdate(suspendUpdate, { args: [asked] }),
      };
      const sentTogether: Promise<unknown> = sends[first]();
      const refusal = await refusalOf(sends[isFirst ? 'question' : 'write']());
      await sentTogether;
      assert.equal(refusal.code, isFirst ? 'intent_closed' : 'forbidden');
      const { status } = (await snapshotOf(handle)).intent;
      assert.equal(status, isFirst ? 'abandoned' : 'suspended_awaiting_input');
    });
  }
});
