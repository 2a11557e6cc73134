import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspendBody } from '../../../contracts/suspension/requests.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { type IntentHandle, logOf, snapshotOf, storyOf } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

describe('intent settling', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function expire(fields: Partial<SuspendBody>): Promise<[IntentHandle, LiveView]> {
    const handle = await world.openIntent();
    const view = await world.ask(handle, { timeout_seconds: 60, ...fields });
    await world.sleep('61 s');
    await world.suspension(view.id).result();
    return [handle, view];
  }

  it('resumes with the answer, record and status in one [R25-06, R25-14, R25-54]', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle);
    await world.respond(view);
    const { intent } = await snapshotOf(handle);
    const log = await logOf(world, handle);
    const [, , resumed, ...rest] = log;
    assert.deepEqual(rest, []);
    assert.equal(resumed?.event_type, 'intent.resumed');
    assert.equal(resumed.actor, 'alice');
    const { responded_at } = intent.state['_suspension'] as { responded_at: string };
    assert.deepEqual(resumed.payload, {
      intent_id: intent.id,
      suspension_id: view.id,
      value: 'approve',
      choice_label: 'Approve refund',
      responded_by: 'alice',
      responded_at,
      attempt: 1,
    });
    assert.deepEqual([intent.status, intent.version], ['active', 5]);
    assert.deepEqual(intent.state['_suspension'], {
      ...view.record,
      response: 'approve',
      responded_at,
      resolution: 'responded',
      responded_by: 'alice',
      submitted_by: 'alice',
      settled_by: 'operator',
      settled_at: responded_at,
    });
  });

  it('hands the store no suspended row with an answer in it [R25-54]', async () => {
    const handle = await world.openIntent();
    await world.respond(await world.ask(handle));
    const { intent } = await snapshotOf(handle);
    await logOf(world, handle);
    const rows = world.activities.rows.flatMap((row) =>
      row.kind === 'intent' && row.intent.id === intent.id ? [row.intent] : [],
    );
    const pairs = rows.flatMap(({ status, state }) => {
      const record = state['_suspension'] as { resolution?: string } | undefined;
      return record ? [`${status} ${record.resolution ?? 'open'}`] : [];
    });
    assert.deepEqual([...new Set(pairs)].sort(), [
      'active responded',
      'suspended_awaiting_input open',
    ]);
  });

  for (const fallback_policy of ['complete_with_fallback', 'use_default_and_continue'] as const) {
    it(`goes on after ${fallback_policy} [AM-03, AM-04, R25-15, R25-57, R25-58, R26-91]`, async () => {
      const [handle, view] = await expire({ fallback_policy, fallback_value: 'deny' });
      const { intent } = await snapshotOf(handle);
      const [, , expired, changed, ...rest] = await logOf(world, handle);
      assert.deepEqual(rest, []);
      assert.equal(expired?.event_type, 'intent.suspension_expired');
      assert.deepEqual(expired.payload, {
        suspension_id: view.id,
        reason: 'timeout',
        attempts: 1,
        fallback_policy,
        fallback_value: 'deny',
      });
      assert.equal(changed?.event_type, 'status_changed');
      assert.deepEqual(changed.payload, {
        status: 'active',
        version: 5,
        reason: 'suspension_fallback',
      });
      const record = intent.state['_suspension'] as Record<string, unknown>;
      assert.deepEqual([intent.status, intent.version], ['active', 5]);
      assert.equal(record['resolution'], 'expired');
      assert.equal(record['settled_by'], 'clock');
      assert.equal(record['fallback_policy'], fallback_policy);
      assert.ok(!('response' in record) && !('responded_by' in record));
    });
  }

  it('is abandoned where the policy is fail [AM-02, R25-07, R25-56]', async () => {
    const [handle] = await expire({ fallback_policy: 'fail' });
    await handle.result();
    const { intent } = await snapshotOf(handle);
    assert.equal(intent.status, 'abandoned');
    assert.equal(intent.abandonment_reason, 'suspension_expired');
    const log = await logOf(world, handle);
    assert.deepEqual(await storyOf(world, handle), [
      'intent.suspended',
      'intent.suspension_expired',
      'status_changed',
    ]);
    assert.deepEqual(log.at(-1)?.payload, {
      status: 'abandoned',
      version: 5,
      reason: 'suspension_expired',
    });
  });
});
