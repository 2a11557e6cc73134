import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { SuspendBody } from '../../../contracts/suspension/requests.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import {
  amendUpdate,
  cancelUpdate,
  respondUpdate,
} from '../../../workflows/suspension/messages.js';
import { type IntentHandle, logOf, snapshotOf, storyOf, typesOf } from '../support/intents.js';
import type { PartialRetryPolicy } from '../../../contracts/suspension/retry-policy.js';
import { World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

describe('intent settling', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function respond(view: LiveView): Promise<void> {
    const args: [Awaited<ReturnType<World['answer']>>] = [await world.answer(view)];
    await world.suspension(view.id).executeUpdate(respondUpdate, { args });
  }

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
    await respond(view);
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
    await respond(await world.ask(handle));
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
    it(`goes on after ${fallback_policy} [AM-03, AM-04, R25-15, R25-57, R25-58]`, async () => {
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

  it('shows null where the fallback has no value [AM-05]', async () => {
    const [handle] = await expire({
      response_type: 'text',
      fallback_policy: 'complete_with_fallback',
    });
    const expired = (await logOf(world, handle))[2];
    assert.equal(expired?.payload['fallback_value'], null);
  });

  it('marks a fallback that is no choice [AM-06]', async () => {
    const [handle] = await expire({
      fallback_policy: 'complete_with_fallback',
      fallback_value: 'maybe',
    });
    const expired = (await logOf(world, handle))[2];
    assert.equal(expired?.payload['fallback_value_valid'], false);
    assert.equal((await snapshotOf(handle)).intent.status, 'active');
  });

  it('says of a fallback what was found before, and judges no schema itself', async () => {
    const handle = await world.openIntent();
    const form = { response_type: 'form', response_schema: { type: 'number' } } as const;
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'x' } as const;
    const body = { ...form, ...fallback, timeout_seconds: 60 };
    // Nobody finds this by judging it.
    const { suspension_id } = await world.suspend(handle, body, { findings: {} });
    await world.sleep('61 s');
    await world.suspension(suspension_id).result();
    const expired = (await logOf(world, handle))[2];
    assert.equal(expired?.payload['fallback_value'], 'x');
    assert.equal('fallback_value_valid' in expired.payload, false);
  });

  it('says of an amended question what was found with the amendment', async () => {
    const handle = await world.openIntent();
    const fallback = { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' } as const;
    const view = await world.ask(handle, { ...fallback, timeout_seconds: 60 });
    const amendment = { choices: [{ value: 'approve', label: 'Approve' }] };
    const findings = { fallback_value_valid: false } as const;
    const args = [{ ...sent('agent-1'), question_version: 1, amendment, findings }] as const;
    await world.suspension(view.id).executeUpdate(amendUpdate, { args: [...args] });
    await world.sleep('61 s');
    await world.suspension(view.id).result();
    const log = await logOf(world, handle);
    const expired = log.find(({ event_type }) => event_type === 'intent.suspension_expired');
    assert.equal(expired?.payload['fallback_value_valid'], false);
  });

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

  it('is active after a cancellation [AM-34]', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle);
    const cancel = {
      intent_id: view.intent_id,
      by: caller('agent-1'),
      reason: 'found out myself',
    } as const;
    const { record } = await world
      .suspension(view.id)
      .executeUpdate(cancelUpdate, { args: [cancel] });
    const { settled_at } = record;
    const { intent } = await snapshotOf(handle);
    const [, , cancelled, changed, ...rest] = await logOf(world, handle);
    assert.deepEqual(rest, []);
    assert.equal(cancelled?.event_type, 'intent.suspension_cancelled');
    assert.equal(cancelled.actor, 'agent-1');
    assert.deepEqual(cancelled.payload, {
      suspension_id: view.id,
      reason: 'found out myself',
      settled_by: 'agent',
      settled_at,
    });
    assert.equal(changed?.event_type, 'status_changed');
    assert.deepEqual(changed.payload, {
      status: 'active',
      version: 5,
      reason: 'suspension_cancelled',
    });
    assert.equal(intent.status, 'active');
  });

  it('has one ending for each question, however it ends [R25-19]', async () => {
    const handle = await world.openIntent();
    await respond(await world.ask(handle));
    const silent = await world.ask(handle, {
      timeout_seconds: 60,
      fallback_policy: 'complete_with_fallback',
    });
    await world.sleep('61 s');
    await world.suspension(silent.id).result();
    const withdrawn = await world.ask(handle);
    const cancel = {
      intent_id: withdrawn.intent_id,
      by: caller('agent-1'),
    } as const;
    await world.suspension(withdrawn.id).executeUpdate(cancelUpdate, { args: [cancel] });
    assert.deepEqual(typesOf(await logOf(world, handle)), [
      'intent_created',
      'intent.suspended',
      'intent.resumed',
      'intent.suspended',
      'intent.suspension_expired',
      'status_changed',
      'intent.suspended',
      'intent.suspension_cancelled',
      'status_changed',
    ]);
  });

  describe('with a ladder', () => {
    const LADDER: PartialRetryPolicy = {
      max_attempts: 3,
      interval_seconds: 600,
      escalation_ladder: [
        { attempt: 2, channel_hint: 'email' },
        { attempt: 3, channel_hint: 'pagerduty', notify_to: 'lead' },
        { attempt: 3, channel_hint: 'sms', notify_to: 'owner' },
      ],
      final_fallback_policy: 'complete_with_fallback',
    };

    it('logs each reminder before its escalations, suspended throughout [AM-26, R26-79]', async () => {
      const handle = await world.openIntent();
      const view = await world.ask(handle, { retry_policy: LADDER });
      const statuses: string[] = [];
      for (let attempt = 2; attempt <= 3; attempt += 1) {
        await world.sleep('605 s');
        statuses.push((await snapshotOf(handle)).intent.status);
      }
      const log = (await logOf(world, handle)).slice(2);
      assert.deepEqual(
        log.map(({ event_type, payload }) => [
          event_type.replace('intent.suspension_', ''),
          payload['attempt'],
          payload['channel_hint'],
        ]),
        [
          ['renotified', 2, 'email'],
          ['escalated', 2, 'email'],
          ['renotified', 3, 'sms'],
          ['escalated', 3, 'pagerduty'],
          ['escalated', 3, 'sms'],
        ],
      );
      assert.deepEqual(statuses, Array<string>(2).fill('suspended_awaiting_input'));
      assert.equal((await snapshotOf(handle)).intent.version, 3);
      await respond(view);
      const resumed = (await logOf(world, handle)).at(-1);
      assert.deepEqual([resumed?.event_type, resumed?.payload['attempt']], ['intent.resumed', 3]);
    });
  });
});
