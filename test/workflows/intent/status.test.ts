import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import { everythingOf, logOf, refusalOf, snapshotOf, writeStatus } from '../support/intents.js';
import type { IntentHandle } from '../support/intents.js';
import { World } from '../support/world.js';

const ALLOWED: readonly (readonly [IntentStatus, IntentStatus])[] = [
  ['draft', 'active'],
  ['draft', 'abandoned'],
  ['active', 'blocked'],
  ['active', 'completed'],
  ['active', 'abandoned'],
  ['blocked', 'active'],
  ['blocked', 'abandoned'],
];

const REFUSED: readonly (readonly [IntentStatus, IntentStatus, string])[] = [
  ['draft', 'draft', 'invalid_transition'],
  ['draft', 'blocked', 'invalid_transition'],
  ['draft', 'suspended_awaiting_input', 'invalid_transition'],
  ['draft', 'completed', 'invalid_transition'],
  ['active', 'draft', 'invalid_transition'],
  ['active', 'active', 'invalid_transition'],
  ['active', 'suspended_awaiting_input', 'invalid_transition'],
  ['blocked', 'draft', 'invalid_transition'],
  ['blocked', 'blocked', 'invalid_transition'],
  ['blocked', 'suspended_awaiting_input', 'invalid_transition'],
  ['blocked', 'completed', 'invalid_transition'],
  ['suspended_awaiting_input', 'draft', 'intent_suspended'],
  ['suspended_awaiting_input', 'active', 'intent_suspended'],
  ['suspended_awaiting_input', 'blocked', 'intent_suspended'],
  ['suspended_awaiting_input', 'suspended_awaiting_input', 'intent_suspended'],
  ['suspended_awaiting_input', 'completed', 'intent_suspended'],
];

describe('intent status', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function intentIn(status: IntentStatus): Promise<IntentHandle> {
    const handle = await world.openIntent({ status: status === 'draft' ? 'draft' : 'active' });
    if (status === 'suspended_awaiting_input') await world.ask(handle);
    else if (status !== 'draft' && status !== 'active') await writeStatus(handle, status);
    return handle;
  }

  for (const [from, to] of ALLOWED) {
    it(`goes from ${from} to ${to}, one version on`, async () => {
      const handle = await intentIn(from);
      const before = await snapshotOf(handle);
      const version = before.intent.version + 1;
      const written = await writeStatus(handle, to, { actor: 'bob', reason: 'because' });
      assert.equal(written.version, version);
      assert.equal(written.last_sequence, before.last_sequence + 1);
      assert.equal(written.intent?.status, to);
      const [earlier, last] = (await logOf(world, handle)).slice(-2);
      const { created_at, event_hash, previous_event_hash, ...rest } = last ?? assert.fail();
      const { payload_commitment, payload_salt, ...event } = rest;
      assert.equal(created_at, written.intent.updated_at);
      assert.equal(previous_event_hash, earlier?.event_hash);
      assert.notEqual(event_hash, previous_event_hash);
      assert.notEqual(payload_commitment, earlier?.payload_commitment);
      assert.notEqual(payload_salt, earlier?.payload_salt);
      assert.deepEqual(event, {
        id: event.id,
        intent_id: before.intent.id,
        sequence: before.last_sequence + 1,
        event_type: 'status_changed',
        actor: 'bob',
        principal: 'bob',
        payload: { status: to, version, reason: 'because' },
      });
    });
  }

  for (const [from, to, code] of REFUSED) {
    it(`refuses ${from} to ${to} and changes nothing [R25-86]`, async () => {
      const handle = await intentIn(from);
      const before = await everythingOf(world, handle);
      const refusal = await refusalOf(writeStatus(handle, to));
      assert.equal(refusal.code, code);
      assert.deepEqual(refusal.state, { intent_status: from });
      assert.deepEqual(await everythingOf(world, handle), before);
    });
  }

  for (const closed of ['completed', 'abandoned'] as const) {
    it(`refuses every status once ${closed} [R25-86]`, async () => {
      const handle = await intentIn('active');
      await logOf(world, handle);
      world.activities.storeIsDown = true;
      await writeStatus(handle, closed);
      const before = await snapshotOf(handle);
      const codes: string[] = [];
      for (const to of ['draft', 'active', 'blocked', 'completed', 'abandoned'] as const) {
        codes.push((await refusalOf(writeStatus(handle, to))).code);
      }
      assert.deepEqual(codes, Array<string>(5).fill('intent_closed'));
      assert.deepEqual(await snapshotOf(handle), before);
      world.activities.storeIsDown = false;
      await handle.result();
    });
  }

  it('names the current version in a conflict [R25-86]', async () => {
    const handle = await intentIn('active');
    await writeStatus(handle, 'blocked');
    const before = await everythingOf(world, handle);
    const refusal = await refusalOf(writeStatus(handle, 'active', { if_match: 1 }));
    assert.equal(refusal.code, 'version_conflict');
    assert.equal(refusal.accepted, '2');
    assert.deepEqual(refusal.state, { current_version: 2, intent_status: 'blocked' });
    assert.deepEqual(await everythingOf(world, handle), before);
  });

  it('lets one of two writers on the same version win', async () => {
    const handle = await intentIn('active');
    const writes = [
      writeStatus(handle, 'blocked', { if_match: 1 }),
      writeStatus(handle, 'completed', { if_match: 1 }),
    ];
    const results = await Promise.allSettled(writes);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await snapshotOf(handle)).intent.version, 2);
  });

  it('keeps the reason of an abandonment', async () => {
    const handle = await intentIn('active');
    const { intent } = await writeStatus(handle, 'abandoned', { reason: 'no budget' });
    assert.equal(intent?.abandonment_reason, 'no budget');
    await handle.result();
  });
});
