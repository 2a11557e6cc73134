import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { arrived } from '../support/arrivals.js';
import { logOf, refusalOf, snapshotOf, storyOf, typesOf, writeStatus } from '../support/intents.js';
import { IdleSuspension } from '../support/idle-suspension.js';
import { settledRecord } from '../support/suspensions.js';
import { settlementOf } from '../../../domain/suspension/record/state.js';
import { World } from '../support/world.js';
import { caller, sent } from '../../support/callers.js';

/** An operator may abandon what waits for operators. */
const BOB = sent('bob', 'operator');

describe('intent abandonment', () => {
  let world: World;
  let atOnce: World['activities']['deliver'];
  before(async () => {
    world = await World.start();
    atOnce = world.activities.deliver;
  });
  afterEach(() => {
    world.activities.deliver = atOnce;
  });
  after(() => world.close());

  it('withdraws the open question first [AM-34]', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle);
    const written = await writeStatus(handle, 'abandoned', { ...BOB, reason: 'no budget' });
    assert.equal(written.intent?.status, 'abandoned');
    assert.equal(written.intent.abandonment_reason, 'no budget');
    assert.equal(written.version, 5);
    const record = await settledRecord(world.suspension(view.id));
    assert.deepEqual([record.resolution, record.settled_by], ['cancelled', 'intent']);
    assert.deepEqual(written.intent.state['_suspension'], record);
    await handle.result();
    const [, , cancelled, changed, ...rest] = await logOf(world, handle);
    assert.deepEqual(rest, []);
    assert.deepEqual(
      [cancelled?.event_type, cancelled?.actor],
      ['intent.suspension_cancelled', 'bob'],
    );
    assert.deepEqual(cancelled?.payload, {
      suspension_id: view.id,
      reason: 'intent_abandoned',
      settled_by: 'intent',
      settled_at: record.settled_at,
    });
    assert.deepEqual([changed?.event_type, changed?.actor], ['status_changed', 'bob']);
    assert.deepEqual(changed?.payload, { status: 'abandoned', version: 5, reason: 'no budget' });
  });

  it('waits for a question that is just being opened', async () => {
    world.activities.deliver = world.activities.hang;
    const handle = await world.openIntent();
    await logOf(world, handle);
    await Promise.all([world.ask(handle), writeStatus(handle, 'abandoned', { if_match: 3 })]);
    await handle.result();
    assert.deepEqual(await storyOf(world, handle), [
      'intent.suspended',
      'intent.suspension_cancelled',
      'status_changed',
    ]);
  });

  it('counts an answer that came first, then abandons [R25-14, R25-19]', async () => {
    const puppet = await IdleSuspension.open(world);
    await answerBySignal(puppet);
    const abandoned = writeStatus(puppet.handle, 'abandoned', { ...BOB, reason: 'late' });
    await puppet.hears('withdraw');
    const settlement = settlementOf(await puppet.comeAlive());
    assert.equal(settlement.resolution, 'responded');
    const { intent, version } = await abandoned;
    assert.deepEqual([intent?.status, version], ['abandoned', 6]);
    assert.deepEqual(intent?.state['_suspension'], { ...puppet.record, ...settlement });
    const log = await logOf(world, puppet.handle);
    assert.deepEqual(typesOf(log), ['intent.resumed', 'status_changed']);
    assert.deepEqual(log[1]?.payload, { status: 'abandoned', version: 6, reason: 'late' });
  });

  it('does not count an answer that came second [R25-19]', async () => {
    const puppet = await IdleSuspension.open(world);
    const abandoned = writeStatus(puppet.handle, 'abandoned', BOB);
    await puppet.hears('withdraw');
    await answerBySignal(puppet);
    assert.equal((await puppet.comeAlive()).resolution, 'cancelled');
    assert.equal((await abandoned).version, 5);
    assert.deepEqual(typesOf(await logOf(world, puppet.handle)), [
      'intent.suspension_cancelled',
      'status_changed',
    ]);
  });

  it('refuses a second one, and other statuses, meanwhile [R25-86]', async () => {
    const puppet = await IdleSuspension.open(world);
    const abandoned = writeStatus(puppet.handle, 'abandoned', { ...BOB, reason: 'first' });
    await puppet.hears('withdraw');
    const before = await snapshotOf(puppet.handle);
    for (const status of ['abandoned', 'active'] as const) {
      const refusal = await refusalOf(writeStatus(puppet.handle, status, { reason: 'second' }));
      assert.equal(refusal.code, 'intent_closed');
    }
    assert.deepEqual(await snapshotOf(puppet.handle), before);
    await puppet.report(1, await puppet.withdrawn());
    assert.equal((await abandoned).intent?.abandonment_reason, 'first');
    await puppet.discard();
  });

  it('closes although the suspension was terminated', async () => {
    const handle = await world.openIntent();
    const view = await world.ask(handle);
    await logOf(world, handle);
    let abandoned: ReturnType<typeof writeStatus> | undefined;
    await world.withoutWorker(async () => {
      abandoned = writeStatus(handle, 'abandoned', { ...BOB, if_match: 3 });
      await arrived();
      await world.suspension(view.id).terminate();
    });
    const { intent } = (await abandoned) ?? assert.fail();
    await handle.result();
    assert.equal(intent?.status, 'abandoned');
    const record = intent.state['_suspension'] as Record<string, unknown>;
    assert.deepEqual(
      [record['resolution'], record['settled_by'], record['reason']],
      ['cancelled', 'system', 'suspension_lost'],
    );
    assert.deepEqual(await storyOf(world, handle), [
      'intent.suspended',
      'intent.suspension_cancelled',
      'status_changed',
    ]);
  });

  describe('by a cancellation through Temporal', () => {
    it('abandons an active intent', async () => {
      const handle = await world.openIntent();
      await handle.cancel();
      await handle.result();
      const changed = (await logOf(world, handle)).at(-1);
      assert.deepEqual([changed?.event_type, changed?.actor], ['status_changed', 'temporal']);
      assert.deepEqual(changed?.payload, {
        status: 'abandoned',
        version: 2,
        reason: 'cancelled through Temporal',
      });
    });

    it('lets a question finish opening before it goes', async () => {
      world.activities.deliver = world.activities.hang;
      const handle = await world.openIntent();
      await logOf(world, handle);
      let asked: ReturnType<World['ask']> | undefined;
      await world.withoutWorker(async () => {
        asked = world.ask(handle);
        await arrived();
        await handle.cancel();
      });
      const view = (await asked) ?? assert.fail();
      await handle.result();
      assert.equal((await world.suspension(view.id).result()).resolution, 'cancelled');
      assert.equal((await snapshotOf(handle)).intent.status, 'abandoned');
    });

    it('leaves an abandonment under way as it is', async () => {
      const puppet = await IdleSuspension.open(world);
      const abandoned = writeStatus(puppet.handle, 'abandoned', { ...BOB, reason: 'first' });
      await puppet.hears('withdraw');
      await puppet.handle.cancel();
      await snapshotOf(puppet.handle);
      await puppet.report(1, await puppet.withdrawn());
      assert.equal((await abandoned).intent?.abandonment_reason, 'first');
      await puppet.handle.result();
      const changed = (await logOf(world, puppet.handle)).at(-1);
      assert.equal(changed?.actor, 'bob');
      await puppet.discard();
    });
  });

  async function answerBySignal({ handle, record, suspension }: IdleSuspension): Promise<void> {
    const { intent } = await snapshotOf(handle);
    await suspension.signal(operatorResponseSignal, {
      intent_id: intent.id,
      value: 'approve',
      responded_by: 'alice',
      by: caller('alice', 'operator'),
      received_at: new Date(await world.now()).toISOString(),
      answer: { key: `a:${record.id}`, body_hash: 'hash' },
    });
  }
});
