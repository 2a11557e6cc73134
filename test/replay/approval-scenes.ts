import { entityIdOf } from '../../contracts/constants/names.js';
import { withdrawApprovalSignal } from '../../workflows/approval/messages.js';
import { recordQuery } from '../../workflows/suspension/messages.js';
import { openApproval, tierOf, vote } from '../workflows/support/approvals.js';
import { writeStatus } from '../workflows/support/intents.js';
import type { Scene } from './scenes.js';

const DUAL = { rules: [{ verdict: 'escalate', route: 'dual_approval' }] } as const;
const SLOW = { ...DUAL, routes: { dual_approval: { sla_seconds: 60 } } } as const;
const EDIT = {
  edits: [{ call_id: 'call-1', arguments: { amount: 5, to: 'ada' } }],
  edits_allowed: { risk_class: 'high' },
} as const;
const PACK = {
  rules: [{ verdict: 'escalate', route: 'policy_pack', pack: 'treasury' }],
  packs: {
    treasury: {
      stages: [
        { name: 'team', sla_seconds: 60, tiers: [{ timeout_seconds: 600 }, {}] },
        { name: 'treasurer', approvers: { principals: ['tina'] } },
      ],
    },
  },
} as const;

/** Approvals of a wire, each to its end. */
export const APPROVAL_SCENES: Readonly<Record<string, Scene>> = {
  async 'approval-by-one-person'(world) {
    const handle = await openApproval(world);
    await vote(world, await tierOf(world, handle), 'alice');
    await handle.result();
    return { 'approval-by-one-person': handle };
  },
  async 'approval-rejected-by-the-second'(world) {
    const handle = await openApproval(world, DUAL);
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice');
    await vote(world, tier, 'bob', 'rejected');
    await handle.result();
    return { 'approval-rejected-by-the-second': handle };
  },
  async 'approval-in-stages-and-tiers'(world) {
    const handle = await openApproval(world, PACK);
    await tierOf(world, handle);
    await world.sleep('601 s');
    await vote(world, await tierOf(world, handle, 2), 'alice');
    await vote(world, await tierOf(world, handle, 3), 'tina');
    await handle.result();
    return { 'approval-in-stages-and-tiers': handle };
  },
  async 'approval-edited-past-its-sla'(world) {
    const handle = await openApproval(world, SLOW);
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice');
    await world.sleep('61 s');
    await vote(world, tier, 'bob', 'approved', EDIT);
    const { record } = await world.suspension(tier.id).query(recordQuery);
    await vote(world, { ...tier, approval: record.approval ?? tier.approval }, 'alice');
    await handle.result();
    return { 'approval-edited-past-its-sla': handle };
  },
  async 'approval-that-shows-an-edit'(world) {
    const handle = await openApproval(world, DUAL);
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice', 'approved', EDIT);
    const { record } = await world.suspension(tier.id).query(recordQuery);
    await vote(world, { ...tier, approval: record.approval ?? tier.approval }, 'bob');
    await handle.result();
    return {
      'approval-that-shows-an-edit': handle,
      'suspension-that-tells-an-edit': world.suspension(tier.id),
    };
  },
  async 'approval-that-nobody-gives'(world) {
    const handle = await openApproval(world);
    await tierOf(world, handle);
    await world.sleep('86401 s');
    await handle.result();
    return { 'approval-that-nobody-gives': handle };
  },
  async 'approval-whose-intent-ends'(world) {
    const intent = await world.openIntent();
    const intent_id = entityIdOf(intent.workflowId, 'intent');
    const redeemable = { within_seconds: 3_600 };
    const waiting = await openApproval(world, {}, {}, { intent_id, redeemable });
    await tierOf(world, waiting);
    const approved = await openApproval(world, {}, {}, { intent_id, redeemable });
    await vote(world, await tierOf(world, approved), 'alice');
    await world.sleep('1 s');
    await writeStatus(intent, 'completed');
    await Promise.all([waiting.result(), approved.result(), intent.result()]);
    return {
      'approval-whose-intent-ends': waiting,
      'approval-whose-intent-ends-before-it-is-redeemed': approved,
      'intent-that-withdraws-approvals': intent,
    };
  },
  async 'approval-that-is-withdrawn'(world) {
    const handle = await openApproval(world);
    await tierOf(world, handle);
    await handle.signal(withdrawApprovalSignal, 'not needed any more');
    await handle.result();
    return { 'approval-that-is-withdrawn': handle };
  },
};
