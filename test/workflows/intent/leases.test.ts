import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Lease } from '../../../contracts/intent/intent.js';
import {
  acquireLeaseUpdate,
  releaseLeaseUpdate,
  renewLeaseUpdate,
} from '../../../workflows/intent/messages.js';
import {
  type IntentHandle,
  everythingOf,
  historyOf,
  leasesOf,
  logOf,
  refusalOf,
  snapshotOf,
  storyOf,
} from '../support/intents.js';
import { assertArmed } from '../support/histories.js';
import { perTest, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

describe('intent leases', () => {
  /** One for each test: timers of other intents would fall into its waits. */
  let world: World;
  perTest(World, (one) => (world = one));

  const acquire = (handle: IntentHandle, seconds: number, scope = 'refund', actor = 'agent-1') =>
    handle.executeUpdate(acquireLeaseUpdate, {
      args: [{ ...sent(actor), scope, duration_seconds: seconds }],
    });
  const renew = (handle: IntentHandle, lease: Lease, seconds: number, actor = 'agent-1') =>
    handle.executeUpdate(renewLeaseUpdate, {
      args: [{ ...sent(actor), lease_id: lease.id, duration_seconds: seconds }],
    });
  const release = (handle: IntentHandle, lease: Lease, actor = 'agent-1') =>
    handle.executeUpdate(releaseLeaseUpdate, { args: [{ ...sent(actor), lease_id: lease.id }] });

  async function timersOf(handle: IntentHandle): Promise<number> {
    const events = await historyOf(handle);
    return events.filter((event) => event.timerStartedEventAttributes).length;
  }

  it('is acquired, renewed and released with an event each', async () => {
    const handle = await world.openIntent();
    const lease = await acquire(handle, 60);
    assert.deepEqual(await leasesOf(handle), [lease]);
    await world.sleep('20 s');
    const renewed = await renew(handle, lease, 120);
    assert.equal(renewed.id, lease.id);
    assert.ok(Date.parse(renewed.expires_at) >= Date.parse(lease.acquired_at) + 140_000);
    const released = await release(handle, lease);
    assert.deepEqual(await leasesOf(handle), []);
    assert.equal(released.status, 'released');
    const log = (await logOf(world, handle)).slice(1);
    assert.deepEqual(
      log.map(({ event_type, actor, payload }) => ({ event_type, actor, payload })),
      [
        ['lease_acquired', lease.expires_at],
        ['lease_renewed', renewed.expires_at],
        ['lease_released', renewed.expires_at],
      ].map(([event_type, expires_at]) => ({
        event_type,
        actor: 'agent-1',
        payload: { lease_id: lease.id, agent_id: 'agent-1', scope: 'refund', expires_at },
      })),
    );
    assert.equal((await snapshotOf(handle)).intent.version, 1);
  });

  it('expires by a durable timer, also without a worker', async () => {
    const handle = await world.openIntent();
    const lease = await acquire(handle, 60);
    await logOf(world, handle);
    await world.withoutWorker(() => world.sleep('61 s'));
    assert.deepEqual(await leasesOf(handle), []);
    const { event_type, actor, payload } = (await logOf(world, handle)).at(-1) ?? assert.fail();
    assert.deepEqual([event_type, actor], ['lease_released', 'holdpoint']);
    assert.deepEqual(payload, {
      lease_id: lease.id,
      agent_id: 'agent-1',
      scope: 'refund',
      reason: 'expired',
    });
  });

  it('arms one timer and none at a renewal', async () => {
    const handle = await world.openIntent();
    const lease = await acquire(handle, 100);
    for (let renewal = 0; renewal < 3; renewal += 1) {
      await world.sleep('20 s');
      await renew(handle, lease, 100);
    }
    assert.equal(await timersOf(handle), 1);
    await world.sleep('50 s');
    assert.equal((await leasesOf(handle)).length, 1);
    assert.equal(await timersOf(handle), 2);
    await world.sleep('60 s');
    assert.deepEqual(await leasesOf(handle), []);
    assert.equal(await timersOf(handle), 2);
  });

  it('ends an earlier second lease on time', async () => {
    const handle = await world.openIntent();
    const long = await acquire(handle, 1_000, 'long');
    const short = await acquire(handle, 10, 'short');
    await world.sleep('30 s');
    assert.deepEqual(await leasesOf(handle), [long]);
    const ended = (await logOf(world, handle)).at(-1);
    assert.equal(ended?.payload['lease_id'], short.id);
    assert.ok(ended.created_at >= short.expires_at);
    await assertArmed(handle, [short.expires_at]);
  });

  it('refuses what is not the holder’s, and changes nothing [R25-86]', async () => {
    const handle = await world.openIntent();
    const lease = await acquire(handle, 600);
    const before = await everythingOf(world, handle);
    const stranger = { ...lease, id: '0e2a54f5-6a52-4a6c-8b0e-14a4c0b6f0aa' };
    const codes = [
      await refusalOf(acquire(handle, 60)),
      await refusalOf(renew(handle, lease, 60, 'agent-2')),
      await refusalOf(release(handle, lease, 'agent-2')),
      await refusalOf(renew(handle, stranger, 60)),
      await refusalOf(release(handle, stranger)),
    ].map(({ code }) => code);
    assert.deepEqual(codes, ['lease_held', ...Array<string>(4).fill('lease_not_found')]);
    assert.deepEqual(await everythingOf(world, handle), before);
  });

  it('refuses a renewal that waited past the expiry', async () => {
    const handle = await world.openIntent();
    const lease = await acquire(handle, 60);
    await logOf(world, handle);
    let waiting: Promise<unknown> = Promise.resolve();
    await world.withoutWorker(async () => {
      await world.sleep('61 s');
      waiting = renew(handle, lease, 60);
      waiting.catch(() => undefined);
      await handle.describe();
    });
    assert.equal((await refusalOf(waiting)).code, 'lease_not_found');
    assert.deepEqual(await storyOf(world, handle), ['lease_acquired', 'lease_released']);
  });

  it('ends a lease before it grants the scope to who waited', async () => {
    const handle = await world.openIntent();
    await acquire(handle, 60);
    await logOf(world, handle);
    let waiting: Promise<unknown> = Promise.resolve();
    await world.withoutWorker(async () => {
      await world.sleep('61 s');
      waiting = acquire(handle, 60, 'refund', 'agent-2');
      await handle.describe();
    });
    await waiting;
    const log = (await logOf(world, handle)).slice(1);
    assert.deepEqual(
      log.map(({ event_type, payload }) => [event_type, payload['agent_id']]),
      [
        ['lease_acquired', 'agent-1'],
        ['lease_released', 'agent-1'],
        ['lease_acquired', 'agent-2'],
      ],
    );
  });

  describe('of a suspended intent', () => {
    it('never expires and keeps its scope [R25-10, R25-12, TM-06]', async () => {
      const handle = await world.openIntent();
      const lease = await acquire(handle, 60);
      await world.ask(handle);
      await world.sleep('3600 s');
      assert.deepEqual(await leasesOf(handle), [lease]);
      const taken = acquire(handle, 60, 'refund', 'agent-2');
      assert.equal((await refusalOf(taken)).code, 'lease_held');
      assert.deepEqual(await storyOf(world, handle), ['lease_acquired', 'intent.suspended']);
    });

    it('gets back what was left when the question opened [R25-12]', async () => {
      const handle = await world.openIntent();
      const lease = await acquire(handle, 100);
      await world.sleep('40 s');
      const view = await world.ask(handle);
      await world.sleep('500 s');
      await world.respond(view);
      const [resumed, ...others] = await leasesOf(handle);
      assert.deepEqual(others, []);
      assert.equal(resumed?.id, lease.id);
      const { intent } = await snapshotOf(handle);
      const left = Date.parse(lease.expires_at) - Date.parse(view.record.suspended_at);
      assert.equal(Date.parse(resumed.expires_at) - Date.parse(intent.updated_at), left);
      await world.sleep(Math.floor(left / 1_000) * 1_000 - 5_000);
      assert.deepEqual(await leasesOf(handle), [resumed]);
      await world.sleep('7 s');
      assert.deepEqual(await leasesOf(handle), []);
    });
  });
});
