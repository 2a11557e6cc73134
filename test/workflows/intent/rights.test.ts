import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Caller } from '../../../contracts/people/caller.js';
import { acquireLeaseUpdate, suspendUpdate } from '../../../workflows/intent/messages.js';
import { caller, sent } from '../../support/callers.js';
import { everythingOf, refusalOf, snapshotOf, writeStatus } from '../support/intents.js';
import type { IntentHandle } from '../support/intents.js';
import { World } from '../support/world.js';

/** Owns the intents of these tests; the asker is another agent. */
const OWNER = caller('agent-1');
const ASKER = caller('asker');
const HOLDER = caller('holder');
const STRANGER = caller('stranger');

describe('who ends a suspended intent', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  const draft = { question: 'Go?', response_type: 'text', context: {}, fallback_policy: 'fail' };
  const asked = { by: ASKER, actor: 'somebody', draft } as never;

  /** An intent that waits for a question of another agent than its owner. */
  async function waiting(): Promise<IntentHandle> {
    const handle = await world.openIntent();
    const receipt = await handle.executeUpdate(suspendUpdate, { args: [asked] });
    await world.delivered(receipt.suspension_id);
    return handle;
  }

  const lease = (handle: IntentHandle, by: Caller, scope: string) =>
    handle.executeUpdate(acquireLeaseUpdate, {
      args: [{ by, actor: by.principal, scope, duration_seconds: 3_600 }],
    });

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

  for (const [who, by] of [
    ['its owner', OWNER],
    ['who asked', ASKER],
    ['an operator', caller('alice', 'operator')],
    ['an admin', caller('root', 'admin')],
  ] as const) {
    it(`is ${who}`, async () => {
      const handle = await waiting();
      await writeStatus(handle, 'abandoned', { by });
      await handle.result();
      assert.equal((await snapshotOf(handle)).intent.status, 'abandoned');
    });
  }

  it('is who holds a lease that is older than the question, and no younger one', async () => {
    const handle = await world.openIntent();
    await lease(handle, HOLDER, 'refund');
    await world.sleep('1 s');
    const receipt = await handle.executeUpdate(suspendUpdate, { args: [asked] });
    await world.delivered(receipt.suspension_id);
    await lease(handle, STRANGER, 'mail');
    const refusal = await refusalOf(writeStatus(handle, 'abandoned', { by: STRANGER }));
    assert.equal(refusal.code, 'forbidden');
    await writeStatus(handle, 'abandoned', { by: HOLDER });
    await handle.result();
  });

  it('is nobody by completing it [R25-09]', async () => {
    const handle = await waiting();
    for (const by of [OWNER, ASKER, caller('root', 'admin')]) {
      const refusal = await refusalOf(writeStatus(handle, 'completed', { by }));
      assert.equal(refusal.code, 'intent_suspended');
    }
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
