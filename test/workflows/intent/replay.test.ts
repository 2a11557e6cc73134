import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  acquireLeaseUpdate,
  engagementUpdate,
  renewLeaseUpdate,
} from '../../../workflows/intent/messages.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import { replay } from '../support/histories.js';
import { patch, storyOf, writeStatus } from '../support/intents.js';
import { World } from '../support/world.js';
import { sent } from '../../support/callers.js';

const STORY = [
  'status_changed',
  'engagement.decision',
  'lease_acquired',
  'state_patched',
  'intent.suspended',
  'intent.suspension_renotified',
  'intent.suspension_escalated',
  'lease_renewed',
  'intent.resumed',
  'lease_released',
  'intent.suspended',
  'intent.suspension_expired',
  'status_changed',
  'status_changed',
];

describe('intent replay', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('lives a whole life evicted after each task, and replays it', async () => {
    const handle = await world.openIntent({ status: 'draft' });
    await writeStatus(handle, 'active');
    const signals = { confidence: 0.6, risk: 0.3, reversibility: 0.9 };
    await handle.executeUpdate(engagementUpdate, { args: [{ ...sent('agent-1'), signals }] });
    const holder = { ...sent('agent-1'), duration_seconds: 300 };
    const lease = await handle.executeUpdate(acquireLeaseUpdate, {
      args: [{ ...holder, scope: 'refund' }],
    });
    await patch(handle, [{ op: 'set', path: 'order', value: 12 }]);
    const ladder = [{ attempt: 2, channel_hint: 'email', notify_to: 'lead' }];
    const answered = await world.ask(handle, {
      retry_policy: { max_attempts: 2, interval_seconds: 600, escalation_ladder: ladder },
    });
    await world.sleep('660 s');
    await handle.executeUpdate(renewLeaseUpdate, { args: [{ ...holder, lease_id: lease.id }] });
    const answer = await world.answer(answered);
    await world.suspension(answered.id).executeUpdate(respondUpdate, { args: [answer] });
    await world.sleep('400 s');
    const silent = await world.ask(handle, {
      timeout_seconds: 60,
      fallback_policy: 'complete_with_fallback',
      fallback_value: 'deny',
    });
    await world.sleep('61 s');
    await world.suspension(silent.id).result();
    await writeStatus(handle, 'completed');
    await handle.result();
    assert.deepEqual(await storyOf(world, handle), STORY);
    const { events } = await handle.fetchHistory();
    const failed = events?.filter((event) => event.workflowTaskFailedEventAttributes);
    assert.deepEqual(failed, []);
    await assert.doesNotReject(replay(handle));
  });
});
