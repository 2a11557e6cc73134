import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { operatorResponseSignal, recordQuery } from '../../../workflows/suspension/messages.js';
import {
  answerBy,
  intoNextRun,
  openDelivered,
  openSuspension,
  reportsOf,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { perSuite, perTest, World } from '../support/world.js';

const TWO = { timeout_seconds: 3_600, decision_rule: { quorum: 2, denials: ['deny'] } };

function namesIn(votes: readonly { readonly principal: string }[] | undefined): string[] {
  return (votes ?? []).map(({ principal }) => principal);
}

describe('votes on a suspension', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function openAtRest(body: Parameters<typeof openSuspension>[1] = TWO): Promise<Opened> {
    return openDelivered(world, body);
  }

  /** What the store was told of a suspension. */
  const rowsOf = (id: string): JournalRow[] =>
    world.activities.rows.filter((row) => 'suspension_id' in row && row.suspension_id === id);

  it('count, and settle the question when enough agree [AM-58]', async () => {
    const opened = await openAtRest();
    const first = await respond(opened, await answerBy(world, opened, 'alice'));
    assert.equal(first.verdict, 'counted');
    assert.equal(first.result.resolution, undefined);
    assert.deepEqual([first.result.approvals, first.result.required], [1, 2]);
    const view = await opened.handle.query(recordQuery);
    assert.deepEqual([view.state, namesIn(view.votes), view.approvals], ['pending', ['alice'], 1]);
    const second = await respond(opened, await answerBy(world, opened, 'bob'));
    assert.deepEqual([second.verdict, second.result.approvals], ['settled', 2]);
    const result = await opened.handle.result();
    assert.deepEqual([result.resolution, result.response], ['responded', 'approve']);
    assert.deepEqual(
      [namesIn(result.votes), result.attempt, result.rows],
      [['alice', 'bob'], 1, []],
    );
  });

  it('are in the timeline, in the rows and in the report', async () => {
    const opened = await openAtRest();
    await respond(opened, await answerBy(world, opened, 'alice'));
    const [counted] = await timelineOf(opened, 'vote_counted');
    assert.deepEqual(counted?.detail, {
      responded_by: 'alice',
      submitted_by: 'alice',
      value: 'approve',
      approvals: 1,
      required: 2,
    });
    await respond(opened, await answerBy(world, opened, 'bob', { value: 'deny' }));
    await opened.handle.result();
    const rows = rowsOf(opened.id);
    const progress = rows.flatMap((row) => (row.kind === 'suspension_progress' ? [row] : []));
    assert.deepEqual(
      progress.map(({ votes }) => namesIn(votes)),
      [['alice']],
    );
    const settled = rows.flatMap((row) => (row.kind === 'suspension_settled' ? [row] : []));
    assert.deepEqual(
      settled.map(({ answers }) => answers?.map(({ key }) => key)),
      [['r:alice', 'r:bob']],
    );
    const [report] = await reportsOf(opened);
    assert.ok(report?.kind === 'settled');
    assert.deepEqual(namesIn(report.record.votes), ['alice', 'bob']);
  });

  it('of two people sent together are counted both', async () => {
    const opened = await openAtRest();
    const votes = [await answerBy(world, opened, 'alice'), await answerBy(world, opened, 'bob')];
    await world.stopWorker();
    const sent = Promise.all(votes.map((one) => respond(opened, one)));
    await world.startWorker();
    const verdicts = (await sent).map(({ verdict }) => verdict);
    assert.deepEqual(verdicts.sort(), ['counted', 'settled']);
    assert.equal((await opened.handle.result()).resolution, 'responded');
  });

  describe('against the expiry', () => {
    it('keep one that came before it where the second came after', async () => {
      const opened = await openAtRest();
      const first = await answerBy(world, opened, 'alice');
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        await opened.handle.signal(operatorResponseSignal, first);
        const second = await answerBy(world, opened, 'bob');
        await opened.handle.signal(operatorResponseSignal, second);
      });
      const result = await opened.handle.result();
      assert.deepEqual([result.resolution, namesIn(result.votes)], ['expired', ['alice']]);
    });
  });
});

describe('votes in a later run', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  it('still count, and their answers are still known', async () => {
    const opened = await openSuspension(world, TWO, { history_limit: 40 });
    await world.sleep('1 s');
    const first = await respond(opened, await answerBy(world, opened, 'alice'));
    await intoNextRun(world, opened);
    const view = await opened.handle.query(recordQuery);
    assert.deepEqual([namesIn(view.votes), view.approvals, view.required], [['alice'], 1, 2]);
    assert.deepEqual(await respond(opened, await answerBy(world, opened, 'alice')), first);
    const { verdict } = await respond(opened, await answerBy(world, opened, 'bob'));
    assert.equal(verdict, 'settled');
    const result = await world.suspension(opened.id).result();
    assert.deepEqual(namesIn(result.votes), ['alice', 'bob']);
  });
});
