import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IntentStatus } from '../../../contracts/intent/intent.js';
import {
  everythingOf,
  logOf,
  refusalOf,
  snapshotOf,
  writeStatus,
  type IntentHandle,
} from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

describe('intent status', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function intentIn(status: IntentStatus): Promise<IntentHandle> {
    const handle = await world.openIntent({ status: status === 'draft' ? 'draft' : 'active' });
    if (status === 'suspended_awaiting_input') await world.ask(handle);
    else if (status !== 'draft' && status !== 'active') await writeStatus(handle, status);
    return handle;
  }

  it('goes from active to blocked, one version on', async () => {
    const handle = await intentIn('active');
    const before = await snapshotOf(handle);
    const version = before.intent.version + 1;
    const written = await writeStatus(handle, 'blocked', { actor: 'bob', reason: 'because' });
    assert.equal(written.version, version);
    assert.equal(written.last_sequence, before.last_sequence + 1);
    assert.equal(written.intent?.status, 'blocked');
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
      payload: { status: 'blocked', version, reason: 'because' },
    });
  });

  it('refuses to go on while suspended, and changes nothing [R25-86]', async () => {
    const handle = await intentIn('suspended_awaiting_input');
    const before = await everythingOf(world, handle);
    const refusal = await refusalOf(writeStatus(handle, 'active'));
    assert.equal(refusal.code, 'intent_suspended');
    assert.deepEqual(refusal.state, { intent_status: 'suspended_awaiting_input' });
    assert.deepEqual(await everythingOf(world, handle), before);
  });

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
});
