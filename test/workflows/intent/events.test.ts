import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { appendEventUpdate, engagementUpdate } from '../../../workflows/intent/messages.js';
import { logOf, refusalOf, snapshotOf, writeStatus } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

describe('intent events', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('numbers events without a gap, with unique ids [R25-17]', async () => {
    const handle = await world.openIntent();
    const appended = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        handle.executeUpdate(appendEventUpdate, {
          args: [{ ...sent(`agent-${index % 3}`), event_type: 'note', payload: { index } }],
        }),
      ),
    );
    const log = await logOf(world, handle);
    assert.deepEqual(
      log.map(({ sequence }) => sequence),
      Array.from({ length: 31 }, (_, index) => index + 1),
    );
    assert.equal(new Set(log.map(({ id }) => id)).size, 31);
    for (const [index, event] of appended.entries()) {
      assert.equal(event.actor, `agent-${index % 3}`);
      assert.deepEqual(log[event.sequence - 1], event);
      assert.deepEqual(event.payload, { index });
    }
  });

  it('logs a decision [R25-16]', async () => {
    const handle = await world.openIntent();
    const signals = { confidence: 0.2, risk: 0.3, reversibility: 0.9, context: {} };
    const decision = await handle.executeUpdate(engagementUpdate, {
      args: [{ ...sent('agent-2'), signals }],
    });
    assert.equal(decision.mode, 'require_input');
    const event = (await logOf(world, handle)).at(-1);
    assert.equal(event?.event_type, 'engagement.decision');
    assert.equal(event.actor, 'agent-2');
    assert.deepEqual(event.payload, { ...decision });
  });

  it('refuses events and decisions once closed', async () => {
    const handle = await world.openIntent();
    await logOf(world, handle);
    world.activities.storeIsDown = true;
    await writeStatus(handle, 'completed');
    const before = await snapshotOf(handle);
    const note = { ...sent('agent-1'), event_type: 'note', payload: {} };
    const signals = { confidence: 1, risk: 0, reversibility: 1 };
    const refused = [
      await refusalOf(handle.executeUpdate(appendEventUpdate, { args: [note] })),
      await refusalOf(
        handle.executeUpdate(engagementUpdate, { args: [{ ...sent('agent-1'), signals }] }),
      ),
    ];
    assert.deepEqual(
      refused.map(({ code }) => code),
      ['intent_closed', 'intent_closed'],
    );
    assert.deepEqual(await snapshotOf(handle), before);
    world.activities.storeIsDown = false;
    await handle.result();
  });
});
