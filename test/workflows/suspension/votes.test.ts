import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { JournalRow } from '../../../contracts/log/journal.js';
import {
  cancelUpdate,
  changeEligibilityUpdate,
  operatorResponseSignal,
  recordQuery,
  withdrawSignal,
  type OperatorAnswer,
} from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../support/intents.js';
import {
  openDelivered,
  openSuspension,
  reportsOf,
  respond,
  timelineOf,
} from '../support/suspensions.js';
import type { Opened } from '../support/suspensions.js';
import { World } from '../support/world.js';
import { caller } from '../../support/callers.js';

const TWO = { timeout_seconds: 3_600, decision_rule: { quorum: 2, denials: ['deny'] } };

async function vote(
  world: World,
  { view }: Pick<Opened, 'view'>,
  principal: string,
  value = 'approve',
  key = `r:${principal}`,
): Promise<OperatorAnswer> {
  const answer = await world.answer(view, value, key);
  return { ...answer, responded_by: principal, by: caller(principal, 'operator') };
}

function namesIn(votes: readonly { readonly principal: string }[] | undefined): string[] {
  return (votes ?? []).map(({ principal }) => principal);
}

describe('votes on a suspension', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function openAtRest(body: Parameters<typeof openSuspension>[1] = TWO): Promise<Opened> {
    return openDelivered(world, body);
  }

  const withdrawal = {
    cancelled_by: 'agent-1',
    settled_by: 'agent',
    by: caller('agent-1', 'agent'),
  } as const;

  /** What the store was told of a suspension. */
  const rowsOf = (id: string): JournalRow[] =>
    world.activities.rows.filter((row) => 'suspension_id' in row && row.suspension_id === id);

  it('count, and settle the question when enough agree [AM-58]', async () => {
    const opened = await openAtRest();
    const first = await respond(opened, await vote(world, opened, 'alice'));
    assert.equal(first.verdict, 'counted');
    assert.equal(first.result.resolution, undefined);
    assert.deepEqual([first.result.approvals, first.result.required], [1, 2]);
    const view = await opened.handle.query(recordQuery);
    assert.deepEqual([view.state, namesIn(view.votes), view.approvals], ['pending', ['alice'], 1]);
    const second = await respond(opened, await vote(world, opened, 'bob'));
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
    await respond(opened, await vote(world, opened, 'alice'));
    const [counted] = await timelineOf(opened, 'vote_counted');
    assert.deepEqual(counted?.detail, {
      responded_by: 'alice',
      submitted_by: 'alice',
      value: 'approve',
      approvals: 1,
      required: 2,
    });
    await respond(opened, await vote(world, opened, 'bob', 'deny'));
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
    const votes = [await vote(world, opened, 'alice'), await vote(world, opened, 'bob')];
    await world.stopWorker();
    const sent = Promise.all(votes.map((one) => respond(opened, one)));
    await world.startWorker();
    const verdicts = (await sent).map(({ verdict }) => verdict);
    assert.deepEqual(verdicts.sort(), ['counted', 'settled']);
    assert.equal((await opened.handle.result()).resolution, 'responded');
  });

  it('of one person are one vote, and another value is refused', async () => {
    const opened = await openAtRest();
    const first = await respond(opened, await vote(world, opened, 'alice'));
    const again = await respond(opened, await vote(world, opened, 'alice', 'approve', 'r:again'));
    assert.deepEqual(again, first);
    const other = await vote(world, opened, 'alice', 'deny', 'r:other');
    assert.equal((await refusalOf(respond(opened, other))).code, 'already_voted');
    await opened.handle.signal(operatorResponseSignal, other);
    await world.sleep('1 s');
    const [rejected] = await timelineOf(opened, 'answer_rejected');
    assert.equal(rejected?.detail['code'], 'already_voted');
    await opened.handle.signal(withdrawSignal, withdrawal);
    assert.deepEqual(namesIn((await opened.handle.result()).votes), ['alice']);
  });

  it('of agents, and of whom the rule does not name, do not count', async () => {
    const decision_rule = { eligible: { principals: ['bob'] }, excluded: ['eve'] };
    const opened = await openAtRest({ ...TWO, decision_rule });
    const refused = async (principal: string, role: 'agent' | 'operator') => {
      const one = await vote(world, opened, principal, 'approve', `r:${principal} ${role}`);
      return (await refusalOf(respond(opened, { ...one, by: caller(principal, role) }))).code;
    };
    assert.equal(await refused('bob', 'agent'), 'forbidden');
    assert.equal(await refused('alice', 'operator'), 'not_eligible');
    assert.equal(await refused('eve', 'operator'), 'not_eligible');
    const { verdict } = await respond(opened, await vote(world, opened, 'bob'));
    assert.equal(verdict, 'settled');
  });

  it('are of those whom an admin, or the ladder, makes eligible', async () => {
    const escalation_ladder = [
      { attempt: 2, channel_hint: 'slack', eligible: { principals: ['carol'] } },
    ];
    const opened = await openAtRest({
      decision_rule: { eligible: { principals: ['alice'] } },
      retry_policy: { max_attempts: 2, interval_seconds: 3_600, escalation_ladder },
    });
    const codeFor = async (principal: string) =>
      (await refusalOf(respond(opened, await vote(world, opened, principal)))).code;
    const change = (...roles: Parameters<typeof caller>[1][]) =>
      opened.handle.executeUpdate(changeEligibilityUpdate, {
        args: [{ by: caller('root', ...roles), eligible: { principals: ['bob'] }, reason: 'away' }],
      });
    assert.equal((await refusalOf(change('operator'))).code, 'forbidden');
    const view = await change('admin');
    assert.deepEqual(view.rule.eligible, { principals: ['bob'] });
    assert.equal(await codeFor('alice'), 'not_eligible');
    const [changed] = await timelineOf(opened, 'eligibility_changed');
    assert.deepEqual(changed?.detail, {
      changed_by: 'root',
      eligible: { principals: ['bob'] },
      before: { principals: ['alice'] },
      reason: 'away',
    });
    await world.sleep('3601 s');
    assert.equal(await codeFor('bob'), 'not_eligible');
    const { verdict } = await respond(opened, await vote(world, opened, 'carol'));
    assert.equal(verdict, 'settled');
    const rows = rowsOf(opened.id).flatMap((row) =>
      row.kind === 'suspension_progress' ? [row.eligibility?.attempt] : [],
    );
    assert.deepEqual(rows, [1, 1]);
  });

  it('are not of who asked, where duties are separate', async () => {
    const opened = await openSuspension(
      world,
      { ...TWO, on_behalf_of: 'bob' },
      { asked_by: 'alice', asked_as: 'helper' },
    );
    for (const principal of ['alice', 'helper', 'bob']) {
      const one = { ...(await vote(world, opened, principal)), separation_of_duties: true };
      assert.equal((await refusalOf(respond(opened, one))).code, 'not_eligible');
    }
    const { verdict } = await respond(opened, await vote(world, opened, 'bob'));
    assert.equal(verdict, 'counted');
    await opened.handle.signal(withdrawSignal, withdrawal);
    await opened.handle.result();
  });

  describe('against the expiry', () => {
    it('settle the question just before it', async () => {
      const opened = await openAtRest();
      await respond(opened, await vote(world, opened, 'alice'));
      await world.sleep('3580 s');
      await respond(opened, await vote(world, opened, 'bob'));
      assert.equal((await opened.handle.result()).resolution, 'responded');
    });

    it('are as good as none where too few came [AM-58]', async () => {
      const opened = await openAtRest();
      await respond(opened, await vote(world, opened, 'alice'));
      world.activities.storeIsDown = true;
      await world.sleep('3600 s');
      const late = await refusalOf(respond(opened, await vote(world, opened, 'bob')));
      assert.deepEqual([late.code, late.state?.['resolution']], ['suspension_settled', 'expired']);
      const again = await respond(opened, await vote(world, opened, 'alice'), 'again');
      assert.equal(again.verdict, 'counted');
      world.activities.storeIsDown = false;
      await world.sleep('10 s');
      const result = await opened.handle.result();
      assert.deepEqual([result.resolution, namesIn(result.votes)], ['expired', ['alice']]);
    });

    it('count by Signal if they came before it, though they are read after it', async () => {
      const opened = await openAtRest();
      const votes = [await vote(world, opened, 'alice'), await vote(world, opened, 'bob')];
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        for (const one of votes) await opened.handle.signal(operatorResponseSignal, one);
      });
      const result = await opened.handle.result();
      assert.deepEqual([result.resolution, namesIn(result.votes)], ['responded', ['alice', 'bob']]);
    });

    it('keep one that came before it where the second came after', async () => {
      const opened = await openAtRest();
      const first = await vote(world, opened, 'alice');
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        await opened.handle.signal(operatorResponseSignal, first);
        const second = await vote(world, opened, 'bob');
        await opened.handle.signal(operatorResponseSignal, second);
      });
      const result = await opened.handle.result();
      assert.deepEqual([result.resolution, namesIn(result.votes)], ['expired', ['alice']]);
    });
  });

  describe('against a withdrawal', () => {
    for (const [first, resolution] of [
      ['the second vote', 'responded'],
      ['the withdrawal', 'cancelled'],
    ] as const) {
      it(`end as what came first says: ${first}`, async () => {
        const opened = await openAtRest();
        await respond(opened, await vote(world, opened, 'alice'));
        const second = await vote(world, opened, 'bob');
        const signals = [
          () => opened.handle.signal(operatorResponseSignal, second),
          () => opened.handle.signal(withdrawSignal, withdrawal),
        ];
        if (resolution === 'cancelled') signals.reverse();
        await world.withoutWorker(async () => {
          for (const signal of signals) await signal();
        });
        assert.equal((await opened.handle.result()).resolution, resolution);
      });
    }

    it('do not hold it up', async () => {
      const opened = await openAtRest();
      await respond(opened, await vote(world, opened, 'alice'));
      const { record } = await opened.handle.executeUpdate(cancelUpdate, { args: [withdrawal] });
      assert.deepEqual([record.resolution, namesIn(record.votes)], ['cancelled', ['alice']]);
    });
  });
});

describe('votes in a later run', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(() => world.close());

  it('still count, and their answers are still known', async () => {
    const opened = await openSuspension(world, TWO, { history_limit: 40 });
    await world.sleep('1 s');
    const first = await respond(opened, await vote(world, opened, 'alice'));
    const { runId } = await opened.handle.describe();
    const invalid = await world.answer(opened.view, 'neither');
    for (let sent = 0; (await opened.handle.describe()).runId === runId; sent += 1) {
      assert.ok(sent < 40, 'no new run');
      await opened.handle.signal(operatorResponseSignal, invalid);
      await world.sleep('1 s');
    }
    const view = await opened.handle.query(recordQuery);
    assert.deepEqual([namesIn(view.votes), view.approvals, view.required], [['alice'], 1, 2]);
    assert.deepEqual(await respond(opened, await vote(world, opened, 'alice')), first);
    const { verdict } = await respond(opened, await vote(world, opened, 'bob'));
    assert.equal(verdict, 'settled');
    const result = await world.suspension(opened.id).result();
    assert.deepEqual(namesIn(result.votes), ['alice', 'bob']);
  });
});
