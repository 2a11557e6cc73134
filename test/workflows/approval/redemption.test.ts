import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import {
  approvalQuery,
  claimCheckpointUpdate,
  completeUpdate,
  finishCheckpointUpdate,
  mutationUpdate,
  redeemUpdate,
  type ApprovalInput,
} from '../../../workflows/approval/messages.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { eventsOf, openApproval, tierOf, vote, type ApprovalHandle } from '../support/approvals.js';
import { refusalOf } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

const BY = caller('bot-key');
const SEALED = { schema_version: 'composer_v1', content: 'json:{"step":3}' };
const DAYS_30 = 30 * 86_400;
const lease = (holder: string, lease_seconds = 60) => ({ by: BY, holder, lease_seconds });

describe('an approval of an agent that is not on Temporal', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** Opens one, which an operator may have decided. */
  async function opened(
    value?: 'approved' | 'rejected',
    { sealed, ...input }: Partial<ApprovalInput> & { sealed?: typeof SEALED } = {},
  ): Promise<ApprovalHandle> {
    const redeemable = { within_seconds: DAYS_30, ...(sealed && { sealed }) };
    const handle = await openApproval(world, {}, {}, { redeemable, ...input });
    if (value === undefined) return handle;
    await vote(world, await tierOf(world, handle), 'alice', value, {
      comment: 'looked at it',
    });
    await lookUntil(async () => (await viewOf(handle)).status === value || undefined, 'undecided');
    return handle;
  }

  const viewOf = (handle: ApprovalHandle): Promise<ApprovalView> => handle.query(approvalQuery);
  const redeem = (handle: ApprovalHandle, holder: string, by = BY) =>
    handle.executeUpdate(redeemUpdate, { args: [{ ...lease(holder), by }] });
  const complete = (handle: ApprovalHandle, token: number, result = 'paid') =>
    handle.executeUpdate(completeUpdate, { args: [{ by: BY, token, result }] });
  const claim = (handle: ApprovalHandle, holder: string) =>
    handle.executeUpdate(claimCheckpointUpdate, { args: [lease(holder)] });
  const finish = (handle: ApprovalHandle, token: number) =>
    handle.executeUpdate(finishCheckpointUpdate, { args: [{ by: BY, token }] });

  it('gives each process that redeems a call the same key and arguments [P3-23]', async () => {
    const handle = await opened('approved');
    const first = await redeem(handle, 'p1');
    const again = await redeem(handle, 'p1');
    assert.deepEqual(first.arguments, { amount: 500, to: 'ada' });
    assert.deepEqual(
      [again.arguments, again.idempotency_key, again.token],
      [first.arguments, first.idempotency_key, 1],
    );
    const refusal = await refusalOf(redeem(handle, 'p2'));
    assert.equal(refusal.code, 'approval_in_use');
    await world.sleep(61_000);
    const second = await redeem(handle, 'p2');
    assert.deepEqual([second.token, second.idempotency_key], [2, first.idempotency_key]);
    const stale = await refusalOf(complete(handle, 1));
    assert.deepEqual([stale.code, stale.state], ['stale_token', { token: 2 }]);
    await complete(handle, 2);
    await handle.result();
  });

  it('gives its call to no other tool, and logs what its agent has found [A54-32]', async () => {
    const handle = await opened('approved');
    const redeemAs = (tool: string) =>
      handle.executeUpdate(redeemUpdate, { args: [{ ...lease('p1'), tool }] });
    const refusal = await refusalOf(redeemAs('mail'));
    assert.deepEqual([refusal.code, refusal.field], ['proposal_mutation_detected', 'tool']);
    const { run_id } = (await viewOf(handle)).proposal;
    const found = (by = BY, call_id = 'call-1') =>
      handle.executeUpdate(mutationUpdate, { args: [{ by, call_id, tool: 'mail' }] });
    assert.equal((await refusalOf(found(caller('other')))).code, 'forbidden');
    assert.equal((await refusalOf(found(BY, 'call-9'))).field, 'call_id');
    assert.equal((await found()).noted, true);
    await found();
    const typesIn = () =>
      eventsOf(world, run_id).map(({ event_type, payload }) => [event_type, payload['tool']]);
    await lookUntil(
      async () => typesIn().some(([type]) => type === 'proposal_mutation_detected'),
      'no event',
    );
    const view = await viewOf(handle);
    assert.deepEqual([view.status, view.redemption?.calls], ['approved', []]);
    const { token } = await redeemAs('wire');
    await complete(handle, token);
    await handle.result();
    const mutations = typesIn().filter(([type]) => type === 'proposal_mutation_detected');
    assert.deepEqual(mutations, [['proposal_mutation_detected', 'mail']]);
  });

  it('ends once its call has run, and its last row has the result', async () => {
    const handle = await opened('approved');
    const { token } = await redeem(handle, 'p1');
    const done = await complete(handle, token);
    assert.equal(done.result, 'paid');
    const { resolution, proposal } = await handle.result();
    assert.equal(resolution.status, 'approved');
    const rows = world.activities.rows.filter(
      (row) => row.kind === 'approval' && row.approval.approval_id === proposal.approval_id,
    );
    const last = rows.at(-1);
    assert.ok(last?.kind === 'approval');
    assert.deepEqual(last.approval.redemption?.calls[0]?.result, 'paid');
    const revisions = rows.map((row) => (row.kind === 'approval' ? row.revision : 0));
    assert.deepEqual(
      revisions,
      [...new Set(revisions)].sort((a, b) => a - b),
    );
  });

  it('gives the checkpoint to one of two processes, in both orders [JC-54] [JC-66] [TM-15]', async () => {
    for (const order of [
      ['p1', 'p2'],
      ['p2', 'p1'],
    ] as const) {
      const handle = await opened('approved', { sealed: SEALED });
      const [first, second] = order;
      const won = await claim(handle, first);
      assert.deepEqual([won.status, won.token, won.sealed], ['resuming', 1, SEALED]);
      assert.equal((await refusalOf(claim(handle, second))).code, 'approval_in_use');
      assert.equal((await finish(handle, 1)).status, 'resumed');
      const late = await refusalOf(claim(handle, second));
      assert.deepEqual(late.state, { checkpoint_status: 'resumed' });
      await redeem(handle, first);
      await complete(handle, 1);
      await handle.result();
    }
  });

  it('gives the checkpoint to exactly one of two that come together [JC-66]', async () => {
    const handle = await opened('approved', { sealed: SEALED });
    const outcomes = await Promise.allSettled([claim(handle, 'p1'), claim(handle, 'p2')]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    await handle.terminate('test');
  });

  it('carries the lease and the checkpoint into its next run', async () => {
    const handle = await opened('approved', { sealed: SEALED, history_limit: 60 });
    const firstRun = (await handle.describe()).runId;
    const { token } = await claim(handle, 'p1');
    await lookUntil(async () => {
      await redeem(handle, 'p1').catch(() => undefined);
      return (await handle.describe()).runId !== firstRun || undefined;
    }, 'the same run');
    assert.equal((await refusalOf(claim(handle, 'p2'))).code, 'approval_in_use');
    assert.equal((await redeem(handle, 'p1')).token, 1);
    await finish(handle, token);
    await complete(handle, 1);
    const latest = world.client.getHandle(
      workflowIdOf('approval', (await viewOf(handle)).approval_id),
    );
    await latest.result();
  });

  it('waits 30 days for its call, and no longer', async () => {
    const handle = await opened('approved');
    await world.sleep((DAYS_30 - 60) * 1_000);
    assert.equal((await viewOf(handle)).redemption?.calls.length, 0);
    await redeem(handle, 'p1');
    await world.sleep(120_000);
    const { resolution } = await handle.result();
    assert.equal(resolution.status, 'approved');
  });
});
