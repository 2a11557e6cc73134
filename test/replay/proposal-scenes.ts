import { commentUpdate, recordQuery } from '../../workflows/suspension/messages.js';
import { sent } from '../support/callers.js';
import { openApproval, tierOf, vote } from '../workflows/support/approvals.js';
import {
  editBy,
  hashNow,
  openApproval as askFor,
  voteBy,
} from '../workflows/support/approval-questions.js';
import { BY_DELIVERY, LADDER, openSuspension, respond } from '../workflows/support/suspensions.js';
import type { Scene } from './scenes.js';

/** Two people decide, who are told three times in a day. */
const DUAL = {
  rules: [{ verdict: 'escalate', route: 'dual_approval' }],
  routes: { dual_approval: { tiers: [{ attempts: 3 }] } },
} as const;
const EDIT = {
  edits: [{ call_id: 'call-1', arguments: { amount: 5, to: 'ada' } }],
  edits_allowed: { risk_class: 'high' },
} as const;
const REDEEMABLE = { within_seconds: 30 * 86_400 };

/** Questions whose messages show what is to be approved, as it is and as it was edited. */
export const PROPOSAL_SCENES: Readonly<Record<string, Scene>> = {
  async 'approval-whose-messages-show-it'(world) {
    const handle = await openApproval(world, DUAL, {}, { redeemable: REDEEMABLE });
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice');
    await world.sleep('28801 s');
    await vote(world, tier, 'bob', 'approved', EDIT);
    await world.sleep('28800 s');
    const { record } = await world.suspension(tier.id).query(recordQuery);
    await vote(world, { ...tier, approval: record.approval ?? tier.approval }, 'alice');
    await world.suspension(tier.id).result();
    await world.sleep(`${REDEEMABLE.within_seconds + 1} s`);
    await handle.result();
    return {
      'approval-whose-messages-show-it': handle,
      'suspension-whose-messages-show-its-proposal': world.suspension(tier.id),
    };
  },
  async 'suspension-that-shows-its-proposal-in-two-runs'(world) {
    const limit = { history_limit: 40 };
    const opened = await askFor(world, 2, {}, { retry_policy: LADDER }, limit);
    const { handle } = opened;
    const { runId } = await handle.describe();
    await respond(opened, await editBy(world, opened, 'bob'));
    for (let run = runId, n = 0; run === runId; run = (await handle.describe()).runId) {
      const remark = { ...sent('alice', 'operator'), text: `Still waiting: ${(n += 1)}.` };
      await handle.executeUpdate(commentUpdate, { args: [remark] }).catch(() => undefined);
    }
    await world.sleep('3601 s');
    const proposal_hash = await hashNow(opened);
    await respond(opened, await voteBy(world, opened, 'alice', 'approved', { proposal_hash }));
    await handle.result();
    return {
      'suspension-that-shows-its-proposal-in-two-runs-1': world.client.getHandle(
        handle.workflowId,
        runId,
      ),
      'suspension-that-shows-its-proposal-in-two-runs-2': handle,
    };
  },
  async 'suspension-whose-message-writes-no-opening'(world) {
    world.activities.knowsRows = false;
    const opened = await openSuspension(world, { retry_policy: LADDER }, BY_DELIVERY);
    await world.sleep('1 s');
    await respond(opened, await world.answer(opened.view));
    await opened.handle.result();
    return { 'suspension-whose-message-writes-no-opening': opened.handle };
  },
};
