import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { entityIdOf } from '../../../contracts/constants/names.js';
import { AUTO_APPROVER } from '../../../contracts/constants/approvals.js';
import {
  approvalQuery,
  standingUpdate,
  type ApprovalInput,
  type StandingInput,
} from '../../../workflows/approval/messages.js';
import {
  eventsOf,
  openApproval,
  tierOf,
  vote,
  type ApprovalHandle,
  type Rules,
} from '../support/approvals.js';
import { logOf, typesOf } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

const DENIED = 'governance.approval_denied';
const ASKED: Partial<ApprovalInput> = { action: 'pay', asked_as: 'refunder' };

describe('the approval of an action', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const open = (rules: Rules = {}) => openApproval(world, rules, {}, ASKED);
  const standing = (handle: ApprovalHandle, until: StandingInput = {}) =>
    handle.executeUpdate(standingUpdate, { args: [until] });
  /** What the log says once the approval has ended. */
  async function runLogOf(handle: ApprovalHandle) {
    const { proposal } = await handle.result();
    return eventsOf(world, proposal.run_id);
  }

  it('is in the log by its name, and its end once for governance', async () => {
    const handle = await open();
    assert.equal((await handle.query(approvalQuery)).action, 'pay');
    await vote(world, await tierOf(world, handle), 'alice');
    const events = await runLogOf(handle);
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
      const { event_type, payload } = (await runLogOf(handle)).at(-1) ?? {};
      const told = [event_type, payload?.['status'], payload?.['by'], payload?.['decided_by']];
      assert.deepEqual(told, [DENIED, status, by, decided_by]);
    }
  });

  it('says how it stands once the log of its intent has what has happened', async () => {
    const intent = await world.openIntent();
    const intent_id = entityIdOf(intent.workflowId, 'intent');
    world.activities.storeIsDown = true;
    const handle = await openApproval(world, {}, {}, { ...ASKED, intent_id });
    let hasSaid = false;
    const waiting = standing(handle, { logged: true }).then((said) => {
      hasSaid = true;
      return said;
    });
    const { approval } = await standing(handle);
    assert.deepEqual([approval.status, hasSaid], ['pending', false]);
    world.activities.storeIsDown = false;
    await world.sleep('90 s');
    assert.equal((await waiting).moved, false);
    assert.ok(typesOf(await logOf(world, intent)).includes('approval_requested'));
    await vote(world, await tierOf(world, handle), 'alice');
    await handle.result();
  });

  it('says how it stands before the log of its run has that', async () => {
    world.activities.storeIsDown = true;
    const handle = await open();
    const { moved, approval } = await standing(handle, { logged: true });
    assert.deepEqual([moved, eventsOf(world, approval.proposal.run_id)], [false, []]);
    world.activities.storeIsDown = false;
    await vote(world, await tierOf(world, handle), 'alice');
    await handle.result();
  });
});
