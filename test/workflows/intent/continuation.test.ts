import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import {
  acquireLeaseUpdate,
  appendEventUpdate,
  intentQuery,
} from '../../../workflows/intent/messages.js';
import { IdleSuspension } from '../support/idle-suspension.js';
import {
  insist,
  isPassing,
  leasesOf,
  logOf,
  patch,
  refusalOf,
  snapshotOf,
  typesOf,
  writeStatus,
  type IntentHandle,
} from '../support/intents.js';
import { perTest, World } from '../support/world.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';

describe('intent continued as new', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  /** The key tells a note that is sent again, because its reply was cut off, from another. */
  async function note(handle: IntentHandle, index: number): Promise<void> {
    const key = `note ${index}`;
    const event = { ...sent('agent-1'), event_type: 'note', payload: { index }, key };
    await handle.executeUpdate(appendEventUpdate, { args: [event] });
  }

  async function runOf(handle: IntentHandle): Promise<string> {
    return (await handle.describe()).runId;
  }

  /** Appends notes until the intent has moved to another run. */
  async function driveToNextRun(handle: IntentHandle): Promise<number> {
    const first = await runOf(handle);
    for (let index = 0; index < 100; index += 1) {
      await insist(() => note(handle, index));
      if ((await runOf(handle)) !== first) return index + 1;
    }
    return assert.fail('it stays in its run');
  }

  it('keeps an open question with all that belongs to it', async () => {
    const handle = await world.openIntent({ history_limit: 60, creation_hash: 'hash' });
    const lease = await handle.executeUpdate(acquireLeaseUpdate, {
      args: [{ ...sent('agent-1'), scope: 'refund', duration_seconds: 600 }],
    });
    const ladder = [{ attempt: 2, channel_hint: 'email' }];
    const policy = { max_attempts: 3, interval_seconds: 3_600, escalation_ladder: ladder };
    const view = await world.ask(handle, { retry_policy: policy }, 'the key');
    const before = await snapshotOf(handle);
    const notes = await driveToNextRun(handle);
    const moved = await snapshotOf(handle);
    assert.deepEqual(moved, { ...before, last_sequence: before.last_sequence + notes });
    assert.deepEqual(await leasesOf(handle), [lease]);
    assert.equal((await refusalOf(world.ask(handle))).code, 'intent_suspended');
    assert.equal((await world.ask(handle, { retry_policy: policy }, 'the key')).id, view.id);
    await world.sleep('3601 s');
    await world.respond(view);
    const { intent } = await snapshotOf(handle);
    assert.deepEqual([intent.status, intent.version], ['active', 5]);
    const log = await logOf(world, handle);
    assert.deepEqual(typesOf(log), [
      'intent_created',
      'lease_acquired',
      'intent.suspended',
      ...Array<string>(notes).fill('note'),
      'intent.suspension_renotified',
      'intent.suspension_escalated',
      'intent.resumed',
    ]);
    assert.deepEqual(
      log.map(({ sequence }) => sequence),
      log.map((_, index) => index + 1),
    );
    const [resumed] = await leasesOf(handle);
    const { suspended_at } = view.record;
    const left = Date.parse(lease.expires_at) - Date.parse(suspended_at);
    assert.equal(Date.parse(resumed?.expires_at ?? '') - Date.parse(intent.updated_at), left);
  });

  it('lets its questions go and its writes end before a run hands over', async () => {
    const handle = await world.openIntent({ history_limit: 60 });
    const view = await world.ask(handle);
    const first = await runOf(handle);
    const releaseStore = world.activities.holdStore();
    const takesNotes = async (index: number): Promise<boolean> =>
      note(handle, index).then(
        () => true,
        (reason: unknown) => !isPassing(reason),
      );
    for (let index = 0; await takesNotes(index); index += 1) assert.ok(index < 60);
    releaseStore();
    await lookUntil(async () => (await runOf(handle)) !== first, 'it stays in its run');
    const { events } = await world.client.getHandle(handle.workflowId, first).fetchHistory();
    const given = events?.filter((event) => event.activityTaskCancelRequestedEventAttributes);
    assert.deepEqual(given, []);
    const attached = events?.filter(
      (event) => event.signalExternalWorkflowExecutionInitiatedEventAttributes,
    );
    assert.equal(attached?.length, 1);
    await world.respond(view);
    await writeStatus(handle, 'completed');
  });

  it('appends an event once under its key, also in a later run', async () => {
    const handle = await world.openIntent({ history_limit: 40 });
    const keyed = { ...sent('agent-1'), event_type: 'noted', payload: {}, key: 'the key' };
    const append = () => handle.executeUpdate(appendEventUpdate, { args: [keyed] });
    const first = await append();
    await driveToNextRun(handle);
    assert.deepEqual(await append(), first);
    const noted = typesOf(await logOf(world, handle)).filter((type) => type === 'noted');
    assert.deepEqual(noted, ['noted']);
  });

  it('ends a lease that an earlier run granted on time', async () => {
    const handle = await world.openIntent({ history_limit: 40 });
    await handle.executeUpdate(acquireLeaseUpdate, {
      args: [{ ...sent('agent-1'), scope: 'refund', duration_seconds: 600 }],
    });
    await driveToNextRun(handle);
    assert.equal((await leasesOf(handle)).length, 1);
    await world.sleep('601 s');
    assert.deepEqual(await leasesOf(handle), []);
    assert.equal(typesOf(await logOf(world, handle)).at(-1), 'lease_released');
  });

  it('carries rows that the store has not taken', async () => {
    const storeAnswers = new EventEmitter();
    const answering = once(storeAnswers, 'again');
    const write = world.activities.writeJournal;
    world.activities.writeJournal = async (rows) => {
      await answering;
      await write(rows);
    };
    await world.withoutWorker(() => Promise.resolve());
    const handle = await world.openIntent({ history_limit: 30 });
    const notes = await driveToNextRun(handle);
    const { intent, last_sequence } = await snapshotOf(handle);
    assert.equal(last_sequence, notes + 1);
    assert.deepEqual(world.activities.rows, []);
    storeAnswers.emit('again');
    const log = await logOf(world, handle);
    assert.deepEqual(
      log.map(({ sequence }) => sequence),
      Array.from({ length: notes + 1 }, (_, index) => index + 1),
    );
    assert.deepEqual(world.activities.intentOf(intent.id), intent);
  });

  it('stays in its run while an abandonment waits', async () => {
    const puppet = await IdleSuspension.open(world, { history_limit: 20 });
    const abandoned = writeStatus(puppet.handle, 'abandoned', sent('bob', 'operator'));
    await puppet.hears('withdraw');
    const run = await runOf(puppet.handle);
    for (let index = 0; index < 10; index += 1) await note(puppet.handle, index);
    assert.equal(await runOf(puppet.handle), run);
    await puppet.report(1, await puppet.withdrawn());
    assert.equal((await abandoned).intent?.status, 'abandoned');
    await puppet.handle.result();
    await puppet.discard();
  });

  it('takes no more writes while the rows to carry are too large', async () => {
    // They are so before the run is long enough to move.
    const handle = await world.openIntent({ history_limit: 50 });
    await logOf(world, handle);
    world.activities.storeIsDown = true;
    const run = await runOf(handle);
    let written = 0;
    for (let refused = false; !refused;) {
      assert.ok(written < 30, 'it takes writes without end');
      const value = String(written).repeat(220 * 1_024);
      const patched = patch(handle, [{ op: 'set', path: 'large', value }], written + 1);
      refused = await patched.then(
        () => false,
        (reason: unknown) => isPassing(reason),
      );
      if (!refused) written += 1;
    }
    // The history is too large by now to be looked at as a whole.
    const before = await handle.query(intentQuery);
    assert.equal((await refusalOf(note(handle, 0))).code, 'moving');
    assert.equal(await runOf(handle), run);
    assert.deepEqual(await handle.query(intentQuery), before);
    world.activities.storeIsDown = false;
    await world.sleep('30 s');
    await insist(() => note(handle, 1));
    const types = typesOf(await logOf(world, handle));
    assert.deepEqual(types, [
      'intent_created',
      ...Array<string>(written).fill('state_patched'),
      'note',
    ]);
    assert.notEqual(await runOf(handle), run);
  });
});
