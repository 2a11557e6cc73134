import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { claimUpdate, recordQuery } from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { refusalOf } from '../support/intents.js';
import {
  intoNextRun,
  awaitOutcome,
  HOUR,
  instantAfter,
  LADDER,
  openSuspension,
  respond,
  timelineOf,
} from '../support/suspensions.js';
import { assertArmed } from '../support/histories.js';
import { perTest, World } from '../support/world.js';

/** Low enough for a few refused Signals to exceed it, high enough for a run's own start. */
const history_limit = 40;

describe('suspension continuation', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  it('keeps schedule, attempt and timeline over runs [TM-13]', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER }, { history_limit });
    await world.sleep('3605 s');
    const before = await opened.handle.query(recordQuery);
    const sent = await intoNextRun(world, opened);
    const moved = await opened.handle.query(recordQuery);
    assert.deepEqual({ ...moved, timeline: [] }, { ...before, timeline: [] });
    assert.deepEqual(moved.timeline.slice(0, before.timeline.length), before.timeline);
    assert.equal(moved.timeline.length, before.timeline.length + sent);
    await world.sleep('3600 s');
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 2, 3]);
    await world.sleep('3600 s');
    const settled = await world.suspension(opened.id).result();
    assert.equal(settled.resolution, 'expired');
    const timeline = world.activities.timelineOf(opened.id);
    assert.deepEqual(
      timeline.map(({ sequence }) => sequence),
      timeline.map((_entry, index) => index + 1),
    );
    const acts = timeline.filter(({ kind }) => kind === 'attempt' || kind === 'expired');
    const planned = [0, 1, 2, 3].map((n) => instantAfter(opened, n * HOUR));
    assert.deepEqual(
      acts.map(({ kind, detail }) => [kind, detail['due_at']]),
      [...planned.slice(0, 3).map((at) => ['attempt', at]), ['expired', undefined]],
    );
    assert.ok(acts.every(({ at }, index) => at >= (planned[index] ?? '')));
    await assertArmed(world.suspension(opened.id), planned.slice(2));
  });

  it('tells its waiters that it moved on', async () => {
    const opened = await openSuspension(world, {}, { history_limit });
    await world.sleep('1 s');
    const waiting = await awaitOutcome(opened);
    await intoNextRun(world, opened);
    assert.deepEqual(await waiting.result(), { moved: true });
    const again = await awaitOutcome(opened);
    await respond(opened, await world.answer(opened.view));
    assert.equal((await again.result()).moved, false);
    await world.suspension(opened.id).result();
  });

  it('carries what the store has not confirmed', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER }, { history_limit });
    await world.sleep('1 s');
    world.activities.storeIsDown = true;
    await world.sleep('3600 s');
    await intoNextRun(world, opened);
    await respond(opened, await world.answer(opened.view));
    world.activities.storeIsDown = false;
    await world.sleep('2 s');
    await world.suspension(opened.id).result();
    const timeline = world.activities.timelineOf(opened.id);
    assert.deepEqual(
      timeline.map(({ sequence }) => sequence),
      timeline.map((_entry, index) => index + 1),
    );
    assert.equal(timeline.at(-1)?.kind, 'answer_accepted');
    const settled = world.activities.rows.flatMap((row) =>
      row.kind === 'suspension_settled' && row.suspension_id === opened.id ? [row.revision] : [],
    );
    assert.deepEqual(settled, [2]);
  });

  it('carries deliveries that have not ended', async () => {
    const { deliver } = world.activities;
    world.activities.deliver = () => Promise.reject(new Error('the channel is down'));
    const opened = await openSuspension(world, { retry_policy: LADDER }, { history_limit });
    await world.sleep('1 s');
    await intoNextRun(world, opened);
    world.activities.deliver = deliver;
    await world.sleep('10 s');
    const delivered = await timelineOf(opened, 'delivered');
    assert.deepEqual(
      delivered.map(({ detail }) => detail['delivery_id']),
      [`${opened.id}:1`],
    );
    assert.equal((await timelineOf(opened, 'delivery_superseded')).length, 0);
    await respond(opened, await world.answer(opened.view));
    await world.suspension(opened.id).result();
  });

  it('carries a claim, which holds until its end', async () => {
    const body = { timeout_seconds: 7_200 };
    const opened = await openSuspension(world, body, { history_limit });
    const claim = (principal: string) => {
      const doing = { by: caller(principal, 'operator'), actor: principal };
      return opened.handle.executeUpdate(claimUpdate, { args: [doing] });
    };
    await world.sleep('1 s');
    const before = await claim('alice');
    await intoNextRun(world, opened);
    assert.deepEqual((await opened.handle.query(recordQuery)).claim, before.claim);
    assert.equal((await refusalOf(claim('bob'))).code, 'claimed_by_other');
    await world.sleep('1800 s');
    assert.equal((await claim('bob')).claim?.holder, 'bob');
    await respond(opened, { ...(await world.answer(opened.view)), despite_claim: true });
    await world.suspension(opened.id).result();
  });

  it('knows the key of an accepted answer in a later run [AM-47]', async () => {
    const opened = await openSuspension(world, {}, { history_limit });
    await intoNextRun(world, opened);
    world.activities.storeIsDown = true;
    const answer = await world.answer(opened.view, 'deny', 'r:carried');
    const first = await respond(opened, answer, 'r:carried');
    const again = await respond(opened, answer, 'r:another-update');
    assert.deepEqual(again, first);
    world.activities.storeIsDown = false;
    await world.sleep('2 s');
    await world.suspension(opened.id).result();
  });
});
