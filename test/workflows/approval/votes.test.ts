import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import type { ApprovalPart } from '../../../contracts/approval/approval.js';
import { approvalQuery } from '../../../workflows/approval/messages.js';
import { operatorResponseSignal, recordQuery } from '../../../workflows/suspension/messages.js';
import { lookUntil } from '../../support/looks.js';
import {
  eventsOf,
  openApproval,
  tierOf,
  vote,
  voteOf,
  type ApprovalHandle,
  type AskedTier,
  type Rules,
} from '../support/approvals.js';
import { perSuite, World } from '../support/world.js';

const DUAL: Rules = { rules: [{ verdict: 'escalate', route: 'dual_approval' }] };
const EDIT = {
  edits: [{ call_id: 'call-1', arguments: { amount: 5, to: 'ada' } }],
  edits_allowed: { risk_class: 'high' as const },
};

describe('votes in the log', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** What the log says, in short, once it has so many events. */
  async function logOf(handle: ApprovalHandle, count: number): Promise<readonly string[]> {
    const { proposal } = await handle.query(approvalQuery);
    return logIn(proposal.run_id, count);
  }

  async function logIn(runId: string, count: number): Promise<readonly string[]> {
    const log = () => eventsOf(world, runId).map(inShort);
    return lookUntil(
      async () => log().length >= count && log(),
      () => `only ${log().join(', ')}`,
    );
  }

  /** The question as it is now: an edit has changed what is approved. */
  async function again(tier: AskedTier): Promise<AskedTier> {
    const { record } = await world.suspension(tier.id).query(recordQuery);
    return { ...tier, approval: record.approval as ApprovalPart };
  }

  it('are there as soon as they count, while others still have to agree [A54-06] [AM-67]', async () => {
    const handle = await openApproval(world, DUAL);
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice');
    assert.deepEqual(await logOf(handle, 2), ['approval_requested', 'alice 1']);
    assert.equal((await handle.query(approvalQuery)).status, 'pending');
    await vote(world, tier, 'bob');
    await handle.result();
    const whole = ['approval_requested', 'alice 1', 'bob 1', 'approval_resolved'];
    assert.deepEqual(await logOf(handle, 4), whole);
  });

  it('stay when an edit cancels them, which the log says too', async () => {
    const handle = await openApproval(world, DUAL);
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice');
    await vote(world, tier, 'bob', 'approved', EDIT);
    const edited = ['approval_requested', 'alice 1', 'not alice 1', 'bob 2'];
    assert.deepEqual(await logOf(handle, 4), edited);
    await vote(world, await again(tier), 'alice');
    const { proposal } = await handle.result();
    assert.deepEqual(await logOf(handle, 6), [...edited, 'alice 2', 'approval_resolved']);
    const [, first, cancelled, second] = eventsOf(world, proposal.run_id);
    const { proposal_hash: before } = first?.payload ?? {};
    const { proposal_hash: after } = second?.payload ?? {};
    assert.notEqual(before, after);
    const { proposal_hash, edited_hash } = cancelled?.payload ?? {};
    assert.deepEqual([proposal_hash, edited_hash], [before, after]);
  });

  it('are sent to the log once, whichever run of the approval has them', async () => {
    const run_id = `run-${randomUUID()}`;
    const handle = await openApproval(world, DUAL, { run_id }, { history_limit: 10 });
    const tier = await tierOf(world, handle);
    await vote(world, tier, 'alice');
    await logIn(run_id, 2);
    await lookUntil(async () => {
      const { events } = await handle.fetchHistory();
      return events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId;
    }, 'no new run');
    const sent = world.activities.notes;
    await vote(world, tier, 'bob');
    await handle.result();
    const whole = ['approval_requested', 'alice 1', 'bob 1', 'approval_resolved'];
    assert.deepEqual(await logIn(run_id, 4), whole);
    assert.equal(world.activities.notes - sent, 2);
  });
});

describe('votes that come while the worker is away', () => {
  it('are in the log once, each', async () => {
    const world = await World.start();
    const handle = await openApproval(world, DUAL);
    const tier = await tierOf(world, handle);
    const votes = [await voteOf(world, tier, 'alice'), await voteOf(world, tier, 'bob')];
    await world.withoutWorker(async () => {
      for (const one of votes) await world.suspension(tier.id).signal(operatorResponseSignal, one);
    });
    const { proposal } = await handle.result();
    const whole = ['approval_requested', 'alice 1', 'bob 1', 'approval_resolved'];
    assert.deepEqual(eventsOf(world, proposal.run_id).map(inShort), whole);
    await world.close();
  });
});

/** A vote with its version, or the type of any other event. */
function inShort({ event_type, payload }: ReturnType<typeof eventsOf>[number]): string {
  const vote = `${payload['principal'] as string} ${payload['version'] as number}`;
  if (event_type === 'approval_vote') return vote;
  if (event_type === 'approval_vote_cancelled') return `not ${vote}`;
  return event_type;
}
