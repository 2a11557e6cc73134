import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { AUTO_APPROVER } from '../../../contracts/constants/approvals.js';
import type { ApprovalInput } from '../../../workflows/approval/messages.js';
import { approvalQuery, notedUpdate } from '../../../workflows/approval/messages.js';
import { eventsOf, openApproval, tierOf, vote } from '../support/approvals.js';
import type { ApprovalHandle, Rules } from '../support/approvals.js';
import { World } from '../support/world.js';

const DENIED = 'governance.approval_denied';
const ASKED: Partial<ApprovalInput> = { action: 'pay', asked_as: 'refunder' };

describe('the approval of an action', () => {
  let world: World;
  before(async () => {
    world = await World.start({ on: 'this process' });
  });
  after(() => world.close());

  const open = (rules: Rules = {}) => openApproval(world, rules, {}, ASKED);
  const noted = (handle: ApprovalHandle) => handle.executeUpdate(notedUpdate, { args: [{}] });
  /** What the log says once the approval has ended. */
  async function logOf(handle: ApprovalHandle) {
    const { proposal } = await handle.result();
    return eventsOf(world, proposal.run_id);
  }

  it('is in the log by its name, and its end once for governance', async () => {
    const handle = await open();
    assert.equal((await handle.query(approvalQuery)).action, 'pay');
    await vote(world, await tierOf(world, handle), 'alice');
    const events = await logOf(handle);
    assert.deepEqual(
      events.map(({ event_type }) => event_type),
      ['approval_requested', 'approval_vote', 'approval_resolved', 'governance.approval_granted'],
    );
    assert.equal(events[0]?.payload['action'], 'pay');
    const { action, decided_by, requested_by, status } = events.at(-1)?.payload ?? {};
    assert.deepEqual(
      [action, decided_by, requested_by, status],
      ['pay', 'alice', 'bot-key', 'approved'],
    );
    assert.equal(events.at(-1)?.actor, 'alice');
  });

  it('is denied by a person, by a rule and by silence, and the log tells which', async () => {
    const rejected = await open();
    await vote(world, await tierOf(world, rejected), 'alice', 'rejected');
    const ruled = await open({ rules: [{ tool: 'wire', verdict: 'deny' }] });
    const late = await open({ routes: { human_required: { tiers: [{ timeout_seconds: 60 }] } } });
    await tierOf(world, late);
    await world.sleep('61 seconds');
    for (const [handle, status, by, decided_by] of [
      [rejected, 'denied', 'people', 'alice'],
      [ruled, 'denied', 'policy', AUTO_APPROVER],
      [late, 'expired', 'timeout', undefined],
    ] as const) {
      const { event_type, payload } = (await logOf(handle)).at(-1) ?? {};
      const told = [event_type, payload?.['status'], payload?.['by'], payload?.['decided_by']];
      assert.deepEqual(told, [DENIED, status, by, decided_by]);
    }
  });

  it('without a name is no matter of governance', async () => {
    const handle = await openApproval(world);
    await vote(world, await tierOf(world, handle), 'alice');
    const types = (await logOf(handle)).map(({ event_type }) => event_type);
    assert.equal(types.at(-1), 'approval_resolved');
  });

  it('tells who waits when the log has what has happened', async () => {
    world.activities.storeIsDown = true;
    const handle = await open();
    let isNoted = false;
    const waiting = noted(handle).then((done) => {
      isNoted = true;
      return done;
    });
    const { proposal } = await handle.query(approvalQuery);
    assert.deepEqual([isNoted, eventsOf(world, proposal.run_id)], [false, []]);
    world.activities.storeIsDown = false;
    assert.equal(await waiting, true);
    const [event] = eventsOf(world, proposal.run_id);
    assert.equal(event?.event_type, 'approval_requested');
    await vote(world, await tierOf(world, handle), 'alice');
    await handle.result();
  });
});
