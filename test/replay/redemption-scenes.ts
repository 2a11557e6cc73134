import assert from 'node:assert/strict';
import {
  claimCheckpointUpdate,
  completeUpdate,
  finishCheckpointUpdate,
  redeemUpdate,
  standingUpdate,
  withdrawApprovalUpdate,
  type ApprovalInput,
} from '../../workflows/approval/messages.js';
import { caller } from '../support/callers.js';
import { lookUntil } from '../support/looks.js';
import { openApproval, tierOf, vote, type ApprovalHandle } from '../workflows/support/approvals.js';
import { refusalOf } from '../workflows/support/intents.js';
import type { World } from '../workflows/support/world.js';
import type { Scene } from './scenes.js';

const BY = caller('bot-key');
const REDEEMABLE = { within_seconds: 30 * 86_400 };
const LEFT = {
  ...REDEEMABLE,
  sealed: { schema_version: 'composer_v1', content: 'json:{"step":3}' },
};

const lease = (holder: string) => ({ by: BY, holder, lease_seconds: 60 });
const redeem = (handle: ApprovalHandle, holder: string) =>
  handle.executeUpdate(redeemUpdate, { args: [lease(holder)] });
const complete = (handle: ApprovalHandle, token: number) =>
  handle.executeUpdate(completeUpdate, { args: [{ by: BY, token, result: 'paid' }] });

/** Opens an approval for an agent that is not on Temporal, on which a person decides. */
async function decided(
  world: World,
  value: 'approved' | 'rejected',
  input: Partial<ApprovalInput> = {},
): Promise<ApprovalHandle> {
  const handle = await openApproval(world, {}, {}, { redeemable: REDEEMABLE, ...input });
  await vote(world, await tierOf(world, handle), 'alice', value);
  return handle;
}

/** Sends an Update once the workflow has taken in what people decided. */
async function onceDecided<T>(update: () => Promise<T>): Promise<T> {
  const attempt = async () => {
    const sent = update();
    const [result] = await Promise.allSettled([sent]);
    if (result.status === 'fulfilled') return result.value;
    assert.equal((await refusalOf(sent)).code, 'approval_pending');
    return undefined;
  };
  return lookUntil(attempt, 'nobody has decided');
}

async function redeemed(handle: ApprovalHandle, holder: string): Promise<number> {
  return (await onceDecided(() => redeem(handle, holder))).token;
}

/** Approvals of agents that are not on Temporal, each to its end. */
export const REDEMPTION_SCENES: Readonly<Record<string, Scene>> = {
  async 'approval-redeemed'(world) {
    const handle = await openApproval(world, {}, {}, { redeemable: REDEEMABLE });
    await handle.executeUpdate(standingUpdate, { args: [{}] });
    await vote(world, await tierOf(world, handle), 'alice');
    await complete(handle, await redeemed(handle, 'p1'));
    await handle.result();
    return { 'approval-redeemed': handle };
  },
  async 'approval-redeemed-by-a-second-process'(world) {
    const handle = await decided(world, 'approved');
    await redeemed(handle, 'p1');
    await world.sleep('61 s');
    const { token } = await redeem(handle, 'p2');
    await complete(handle, token);
    await handle.result();
    return { 'approval-redeemed-by-a-second-process': handle };
  },
  async 'approval-with-a-checkpoint'(world) {
    const handle = await decided(world, 'approved', { redeemable: LEFT });
    const claim = () => handle.executeUpdate(claimCheckpointUpdate, { args: [lease('p1')] });
    const { token } = await onceDecided(claim);
    await handle.executeUpdate(finishCheckpointUpdate, { args: [{ by: BY, token }] });
    await complete(handle, await redeemed(handle, 'p1'));
    await handle.result();
    return { 'approval-with-a-checkpoint': handle };
  },
  async 'approval-rejected-with-a-checkpoint'(world) {
    const handle = await decided(world, 'rejected', { redeemable: LEFT });
    const claim = () => handle.executeUpdate(claimCheckpointUpdate, { args: [lease('p1')] });
    const { token } = await onceDecided(claim);
    await handle.executeUpdate(finishCheckpointUpdate, { args: [{ by: BY, token }] });
    await handle.result();
    return { 'approval-rejected-with-a-checkpoint': handle };
  },
  async 'approval-that-nobody-redeems'(world) {
    const handle = await decided(world, 'approved', { redeemable: { within_seconds: 600 } });
    await world.sleep('601 s');
    await handle.result();
    return { 'approval-that-nobody-redeems': handle };
  },
  async 'approval-withdrawn-before-it-is-redeemed'(world) {
    const handle = await openApproval(world, {}, {}, { redeemable: REDEEMABLE });
    await tierOf(world, handle);
    await handle.executeUpdate(withdrawApprovalUpdate, { args: [{ by: BY, reason: 'obsolete' }] });
    await handle.result();
    return { 'approval-withdrawn-before-it-is-redeemed': handle };
  },
  async 'approval-in-two-runs'(world) {
    const handle = await decided(world, 'approved', { redeemable: LEFT, history_limit: 60 });
    const { runId } = await handle.describe();
    await lookUntil(async () => {
      await redeem(handle, 'p1').catch(() => undefined);
      return (await handle.describe()).runId !== runId || undefined;
    }, 'the same run');
    const { token } = await redeem(handle, 'p1');
    const claim = await handle.executeUpdate(claimCheckpointUpdate, { args: [lease('p1')] });
    const finish = { by: BY, token: claim.token };
    await handle.executeUpdate(finishCheckpointUpdate, { args: [finish] });
    await complete(handle, token);
    await handle.result();
    const { workflowId } = handle;
    const first = world.client.getHandle(workflowId, runId);
    const last = world.client.getHandle(workflowId);
    return { 'approval-in-two-runs-1': first, 'approval-in-two-runs-2': last };
  },
};
