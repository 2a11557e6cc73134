import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { recordQuery } from '../../../workflows/suspension/messages.js';
import { HOUR, instantAfter, LADDER, openSuspension, respond } from '../support/suspensions.js';
import { assertArmed } from '../support/histories.js';
import { logOf, snapshotOf, typesOf } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

describe('suspension ladder', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** What was delivered of a suspension, by delivery: deliveries of one attempt run side by side. */
  function deliveriesOf(id: string) {
    return world.activities.notified
      .filter(({ suspension_id }) => suspension_id === id)
      .sort((one, other) => (one.delivery_id < other.delivery_id ? -1 : 1))
      .map(({ delivery_id, attempt, channel_hint, notify_to }) => [
        delivery_id,
        attempt,
        channel_hint,
        notify_to,
      ]);
  }

  function targetsOf(id: string) {
    return deliveriesOf(id).map(([, ...target]) => target);
  }

  it('reminds at each instant and resumes with the answer [R26-44, R26-50, R26-51, R26-89, R25-14, R25-15, AM-31]', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent, { channel_hint: 'slack', retry_policy: LADDER });
    await world.sleep('5400 s');
    const handle = world.suspension(view.id);
    const receipt = await respond({ handle }, await world.answer(view));
    assert.equal(receipt.result.choice_label, 'Approve refund');
    await handle.result();
    const { intent: record } = await snapshotOf(intent);
    assert.equal(record.status, 'active');
    assert.deepEqual(world.activities.attemptsOf(view.id), [1, 2]);
    assert.deepEqual(typesOf(await logOf(world, intent)), [
      'intent_created',
      'intent.suspended',
      'intent.suspension_renotified',
      'intent.suspension_escalated',
      'intent.resumed',
    ]);
  });

  it('acts at the instants of the schedule, never drifting [R26-43, R26-48, R26-49, R26-80, TM-03, TM-26]', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('10801 s');
    await opened.handle.result();
    const { record } = await opened.handle.query(recordQuery);
    const acts = world.activities
      .timelineOf(opened.id)
      .filter(({ kind }) => ['attempt', 'expired'].includes(kind));
    const planned = [0, 1, 2, 3].map((n) => instantAfter(opened, n * HOUR));
    assert.deepEqual(
      acts.map(({ kind, detail }) => [kind, detail['due_at']]),
      [...planned.slice(0, 3).map((at) => ['attempt', at]), ['expired', undefined]],
    );
    assert.ok(acts.every(({ at }, index) => at >= (planned[index] ?? '')));
    await assertArmed(opened.handle, planned.slice(1));
    assert.equal(record.expires_at, planned[3]);
  });

  it('delivers to each of several entries of one attempt [R26-45, R26-46, R26-56]', async () => {
    const intent = await world.openIntent();
    const escalation_ladder = [
      { attempt: 2, channel_hint: 'email' },
      { attempt: 2, channel_hint: 'sms', notify_to: 'lead@example.com' },
    ];
    const retry_policy = { max_attempts: 2, interval_seconds: 3_600, escalation_ladder };
    const view = await world.ask(intent, { channel_hint: 'slack', retry_policy });
    await world.sleep('3601 s');
    await world.respond(view);
    await world.suspension(view.id).result();
    assert.deepEqual(targetsOf(view.id), [
      [1, 'slack', null],
      [2, 'email', null],
      [2, 'sms', 'lead@example.com'],
    ]);
    assert.deepEqual(
      deliveriesOf(view.id).map(([deliveryId]) => deliveryId),
      [`${view.id}:1`, `${view.id}:2`, `${view.id}:2:2`],
    );
    const escalated = (await logOf(world, intent)).filter(
      ({ event_type }) => event_type === 'intent.suspension_escalated',
    );
    assert.deepEqual(
      escalated.map(({ payload }) => payload['escalated_to']),
      [null, 'lead@example.com'],
    );
  });

  it('walks the whole ladder unanswered, then falls back once [R26-01, TD-04, TD-05, R26-42, R26-47, R26-54, R26-55, R26-56, R26-57, R26-58, R26-59]', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent, { channel_hint: 'slack', retry_policy: LADDER });
    await world.sleep('10801 s');
    await world.suspension(view.id).result();
    await intent.result();
    assert.deepEqual(targetsOf(view.id), [
      [1, 'slack', null],
      [2, 'email', null],
      [3, 'pagerduty', 'supervisor@example.com'],
    ]);
    const suspension_id = view.id;
    const events = (await logOf(world, intent)).slice(2);
    assert.deepEqual(
      events.map(({ event_type }) => event_type),
      [
        'intent.suspension_renotified',
        'intent.suspension_escalated',
        'intent.suspension_renotified',
        'intent.suspension_escalated',
        'intent.suspension_expired',
        'status_changed',
      ],
    );
    assert.deepEqual(
      events.slice(0, 4).map(({ payload }) => payload),
      [
        {
          suspension_id,
          attempt: 2,
          max_attempts: 3,
          channel_hint: 'email',
          notify_to: null,
          next_attempt_at: instantAfter({ view }, 2 * HOUR),
        },
        { suspension_id, attempt: 2, channel_hint: 'email', escalated_to: null },
        {
          suspension_id,
          attempt: 3,
          max_attempts: 3,
          channel_hint: 'pagerduty',
          notify_to: 'supervisor@example.com',
          next_attempt_at: null,
        },
        {
          suspension_id,
          attempt: 3,
          channel_hint: 'pagerduty',
          escalated_to: 'supervisor@example.com',
        },
      ],
    );
    assert.equal(world.activities.intentOf(view.intent_id).status, 'abandoned');
  });
});
