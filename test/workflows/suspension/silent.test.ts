import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { writersForAgent } from '../../../workflows/engine/row-duty.js';
import { eventKinds, replay } from '../support/histories.js';
import {
  ALONE,
  LADDER,
  LEAVING,
  openSuspension,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { perTest, World } from '../support/world.js';

const SILENT = { findings: { tells_nobody_at_first: true } } as const;

describe('a question that tells nobody at first', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  async function answer(opened: Opened): Promise<readonly string[]> {
    await respond(opened, await world.answer(opened.view));
    return (await opened.handle.result()).rows.map(({ kind }) => kind);
  }

  it('starts no delivery, says so, and ends in the task of its answer', async () => {
    const opened = await openSuspension(world, {}, { ...ALONE, ...SILENT });
    const rows = await answer(opened);
    const kinds = await eventKinds(opened.handle);
    assert.ok(!kinds.includes('activityTaskScheduled'), kinds.join());
    assert.equal(kinds.filter((kind) => kind === 'workflowTaskCompleted').length, 2);
    assert.deepEqual(rows, ['timeline', 'timeline', 'timeline', 'suspension_settled']);
    const [attempt] = await timelineOf(opened, 'attempt');
    assert.equal(attempt?.detail['told'], 'nobody');
    assert.deepEqual(world.activities.notified, []);
    await replay(opened.handle);
  });

  it('reminds as any other', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER }, { ...ALONE, ...SILENT });
    await world.sleep('61 min');
    await world.delivered(opened.id);
    assert.deepEqual(
      world.activities.notified.map(({ attempt }) => attempt),
      [2],
    );
    const told = (await timelineOf(opened, 'attempt')).map(({ detail }) => detail['told']);
    assert.deepEqual(told, ['nobody', undefined]);
    await answer(opened);
  });

  it('writes its opening itself for the workflow of an agent', async () => {
    const input = { ...LEAVING, asked_by: 'agent-1' };
    const { view } = await openSuspension(world, {}, { ...LEAVING, ...SILENT });
    const { record, schedule } = view;
    assert.equal(writersForAgent({ ...input, record, schedule }).opening, 'delivery');
    assert.equal(writersForAgent({ ...input, record, schedule, ...SILENT }).opening, 'self');
  });

  it('hands its last rows to who answers, in the receipt and in its result', async () => {
    const opened = await openSuspension(world, {}, { ...ALONE, ...SILENT });
    const receipt = await respond(opened, await world.answer(opened.view));
    const { rows } = await opened.handle.result();
    assert.ok(rows.length > 0);
    assert.deepEqual(receipt.rows, rows);
  });
});
