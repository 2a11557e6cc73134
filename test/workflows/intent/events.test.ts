import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { EngagementSignals } from '../../../contracts/suspension/engagement.js';
import { appendEventUpdate, engagementUpdate } from '../../../workflows/intent/messages.js';
import { logOf, refusalOf, snapshotOf, writeStatus } from '../support/intents.js';
import { World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

const MODES: readonly (readonly [string, EngagementSignals])[] = [
  ['autonomous', { confidence: 0.9, risk: 0.1, reversibility: 0.9, context: {} }],
  ['defer', { confidence: 0.9, risk: 0.9, reversibility: 0.9, context: {} }],
  ['require_input', { confidence: 0.2, risk: 0.3, reversibility: 0.9, context: {} }],
  ['request_input', { confidence: 0.7, risk: 0.3, reversibility: 0.9, context: {} }],
];

describe('intent events', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('starts its log with the creation', async () => {
    const handle = await world.openIntent({ status: 'draft' });
    const [created, ...rest] = await logOf(world, handle);
    assert.deepEqual(rest, []);
    assert.equal(created?.sequence, 1);
    assert.equal(created.event_type, 'intent_created');
    assert.equal(created.actor, 'agent-1');
    assert.deepEqual(created.payload, { title: 'Refund', status: 'draft' });
  });

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

  it('leaves the version alone', async () => {
    const handle = await world.openIntent();
    const note = { ...sent('agent-1'), event_type: 'note', payload: {} };
    await handle.executeUpdate(appendEventUpdate, { args: [note] });
    const { intent, last_sequence } = await snapshotOf(handle);
    assert.deepEqual([intent.version, last_sequence], [1, 2]);
  });

  it('records whose key made a write, whatever name the writer claims', async () => {
    const handle = await world.openIntent();
    const note = { event_type: 'note', payload: {}, by: caller('agent-2'), actor: 'alice' };
    const { actor, principal } = await handle.executeUpdate(appendEventUpdate, { args: [note] });
    assert.deepEqual([actor, principal], ['alice', 'agent-2']);
    await writeStatus(handle, 'abandoned', { actor: 'agent-3' });
    const log = await logOf(world, handle);
    assert.deepEqual(
      log.map((event) => event.principal),
      ['agent-1', 'agent-2', 'agent-3'],
    );
  });

  for (const [mode, signals] of MODES) {
    it(`logs the decision ${mode} [R25-16]`, async () => {
      const handle = await world.openIntent();
      const decision = await handle.executeUpdate(engagementUpdate, {
        args: [{ ...sent('agent-2'), signals }],
      });
      assert.equal(decision.mode, mode);
      const event = (await logOf(world, handle)).at(-1);
      assert.equal(event?.event_type, 'engagement.decision');
      assert.equal(event.actor, 'agent-2');
      assert.deepEqual(event.payload, { ...decision });
    });
  }

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
