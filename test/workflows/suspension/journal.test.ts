import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Runtime } from '@temporalio/worker';
import { describe, it } from 'mocha';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { LADDER, openSuspension, reportsOf, respond } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

describe('suspension journal', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** Rows of a suspension as `kind:sequence-or-revision`, in the order of their arrival. */
  function rowsOf(id: string): string[] {
    return world.activities.rows.flatMap((row) => {
      const name = nameOf(row, id);
      return name === undefined ? [] : [name];
    });
  }

  it('waits for nothing while the store is down, and loses nothing', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('1 s');
    world.activities.storeIsDown = true;
    await world.sleep('3605 s');
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 2]);
    await world.sleep('60 s');
    await respond(opened, await world.answer(opened.view));
    await world.sleep('60 s');
    assert.equal((await opened.handle.describe()).status.name, 'RUNNING');
    const before = rowsOf(opened.id);
    assert.deepEqual(before, ['opened', 'timeline:1', 'timeline:2']);
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    assert.equal((await opened.handle.result()).resolution, 'responded');
    assert.deepEqual(rowsOf(opened.id), [
      ...before,
      'progress:1',
      'timeline:3',
      'timeline:4',
      'timeline:5',
      'timeline:6',
      'settled:2',
    ]);
    assert.deepEqual(
      world.activities.timelineOf(opened.id).map(({ kind }) => kind),
      ['opened', 'attempt', 'delivered', 'attempt', 'delivered', 'answer_accepted'],
    );
  });

  it('keeps an answer that cannot be reported', async () => {
    const warned = mock.method(Runtime.instance().logger, 'log');
    const opened = await openSuspension(world);
    await world.sleep('1 s');
    const { result } = await respond(opened, await world.answer(opened.view));
    const settled = await opened.handle.result();
    warned.mock.restore();
    assert.equal(settled.response, result.value);
    assert.equal((await reportsOf(opened)).length, 1);
    const messages = warned.mock.calls.map((call) => call.arguments[1]);
    assert.ok(messages.includes('report_undeliverable'), messages.join(', '));
    const rows = ['timeline:1', 'timeline:2', 'timeline:3', 'timeline:4', 'settled:1'];
    assert.deepEqual(rowsOf(opened.id).toSorted(), ['opened', ...rows].toSorted());
  });
});

function nameOf(row: JournalRow, id: string): string | undefined {
  switch (row.kind) {
    case 'suspension_opened':
      return row.record.id === id ? 'opened' : undefined;
    case 'suspension_progress':
      return row.suspension_id === id ? `progress:${row.revision}` : undefined;
    case 'suspension_settled':
      return row.suspension_id === id ? `settled:${row.revision}` : undefined;
    case 'timeline':
      return row.suspension_id === id ? `timeline:${row.entry.sequence}` : undefined;
    default:
      return undefined;
  }
}
