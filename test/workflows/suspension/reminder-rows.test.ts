import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RowOf } from '../../../contracts/log/journal.js';
import { claimUpdate } from '../../../workflows/suspension/messages.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { LADDER, openSuspension, respond, type Opened } from '../support/suspensions.js';
import { perTest, World } from '../support/world.js';

describe('the row of a question that is reminded of', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  function progress(): readonly RowOf<'suspension_progress'>[] {
    return world.activities.rows.filter((row) => row.kind === 'suspension_progress');
  }

  async function startedBy({ handle }: Opened): Promise<readonly string[]> {
    const { events } = await handle.fetchHistory();
    return (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: activity }) => activity?.activityType?.name ?? [],
    );
  }

  it('is written by the reminder, and needs no activity of its own', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('1 s');
    const before = await startedBy(opened);
    await world.sleep('7201 s');
    assert.deepEqual((await startedBy(opened)).slice(before.length), ['notify', 'notify']);
    assert.deepEqual(
      progress().map(({ attempt, revision }) => [attempt, revision]),
      [
        [2, 1],
        [3, 2],
      ],
    );
  });

  for (const [how, channels, changes] of [
    ['not where it stays on its channel', [], 0],
    ['once where its second reminder goes over another channel', ['pager'], 1],
  ] as const) {
    it(`changes the list of workflows ${how}`, async () => {
      const escalation_ladder = channels.map((channel_hint) => ({ attempt: 3, channel_hint }));
      const retry_policy = { max_attempts: 3, interval_seconds: 3_600, escalation_ladder };
      const { handle } = await openSuspension(world, { channel_hint: 'email', retry_policy });
      await world.sleep('7202 s');
      const { events } = await handle.fetchHistory();
      const upserts = (events ?? []).flatMap(
        ({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => upsert ?? [],
      );
      assert.deepEqual(
        progress().map(({ attempt }) => attempt),
        [2, 3],
      );
      assert.deepEqual(
        upserts.map(({ searchAttributes }) => Object.keys(searchAttributes?.indexedFields ?? {})),
        Array.from({ length: changes }, () => ['HoldpointChannel']),
      );
    });
  }

  it('is not lost to a later change while a reminder is under way', async () => {
    world.activities.knowsRows = false;
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('1 s');
    const { deliver } = world.activities;
    world.activities.deliver = () => Promise.reject(new Error('the channel is down'));
    await world.sleep('3601 s');
    assert.deepEqual(progress(), []);
    await opened.handle.executeUpdate(claimUpdate, { args: [sent('alice', 'operator')] });
    await lookUntil(async () => progress().length > 1, 'the claim is not stored');
    assert.deepEqual(
      progress().map(({ revision, claim }) => [revision, claim?.holder]),
      [
        [1, undefined],
        [2, 'alice'],
      ],
    );
    world.activities.deliver = deliver;
  });

  it('goes with the last rows if the answer comes while the reminder is under way', async () => {
    world.activities.knowsRows = false;
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('1 s');
    world.activities.deliver = () => Promise.reject(new Error('the channel is down'));
    await world.sleep('3601 s');
    await respond(opened, await world.answer(opened.view));
    await opened.handle.result();
    assert.deepEqual(
      progress().map(({ attempt }) => attempt),
      [2],
    );
  });
});
