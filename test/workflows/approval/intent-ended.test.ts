import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { endedAt } from '../../../domain/approval/record/details.js';
import { entityIdOf } from '../../../contracts/constants/names.js';
import {
  approvalQuery,
  completeUpdate,
  redeemUpdate,
  standingUpdate,
  type ApprovalInput,
} from '../../../workflows/approval/messages.js';
import { operatorResponseSignal, recordQuery } from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import {
  eventsOf,
  openApproval,
  tierOf,
  vote,
  voteOf,
  type ApprovalHandle,
  type Rules,
} from '../support/approvals.js';
import { insist, refusalOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { World, type WorldOptions } from '../support/world.js';

const BY = caller('bot-key');
const REDEEMABLE = { redeemable: { within_seconds: 30 * 86_400 } };
const TWO_CALLS = {
  calls: [
    { id: 'call-1', tool: 'wire', arguments: { amount: 500 } },
    { id: 'call-2', tool: 'mail', arguments: { to: 'ada' } },
  ],
};
/** By the question itself, or by Temporal, where that has ended before. */
const REFUSED = /^Workflow(UpdateFailed|NotFound)Error: /;
const ENDS = [
  ['completed', 'intent_completed'],
  ['abandoned', 'intent_abandoned'],
] as const;

const PLACES: readonly WorldOptions[] = [
  { on: 'this process' },
  { on: 'dev server', maxCachedWorkflows: 0 },
];

/** What takes time, or no server decides the order of, is shown in this process alone. */
for (const place of PLACES) {
  const here = place.on === 'this process' ? it : () => undefined;
  describe(`the end of an intent, on ${place.on}`, () => {
    let world: World;
    let intent: IntentHandle;
    beforeEach(async () => {
      world = await World.start(place);
      intent = await world.openIntent();
    });
    afterEach(() => world.close());

    /** Opens an approval that hangs on the intent, as the API does. */
    async function opened(
      fields: Partial<ApprovalInput> = REDEEMABLE,
      ask: Parameters<typeof openApproval>[2] = {},
      rules: Rules = {},
    ): Promise<ApprovalHandle> {
      const intent_id = entityIdOf(intent.workflowId, 'intent');
      const handle = await openApproval(world, rules, ask, { intent_id, ...fields });
      await handle.executeUpdate(standingUpdate, { args: [{}] });
      return handle;
    }

    async function approved(ask: Parameters<typeof openApproval>[2] = {}) {
      const handle = await opened(REDEEMABLE, ask);
      await vote(world, await tierOf(world, handle), 'alice');
      await lookUntil(async () => (await viewOf(handle)).status === 'approved', 'undecided');
      return handle;
    }

    const viewOf = (handle: ApprovalHandle) => handle.query(approvalQuery);
    const redeem = (handle: ApprovalHandle, holder = 'p1', call_id = 'call-1') =>
      handle.executeUpdate(redeemUpdate, {
        args: [{ by: BY, holder, lease_seconds: 60, call_id }],
      });
    const complete = (handle: ApprovalHandle, token: number, call_id = 'call-1') =>
      handle.executeUpdate(completeUpdate, { args: [{ by: BY, token, call_id, result: 'paid' }] });
    /** What the log of the run has once the approval is over. */
    async function logged(handle: ApprovalHandle) {
      const { proposal } = await handle.result();
      return eventsOf(world, proposal.run_id).map(({ event_type, payload }) => [
        event_type,
        payload['reason'],
      ]);
    }

    for (const [status, reason] of ENDS) {
      it(`withdraws an approval that waits, and its question: ${status}`, async () => {
        const handle = await opened();
        const tier = await tierOf(world, handle);
        await writeStatus(intent, status);
        await assert.rejects(vote(world, tier, 'alice'), REFUSED);
        const { resolution } = await handle.result();
        assert.deepEqual(
          [resolution.status, resolution.by, resolution.reason],
          ['cancelled', 'system', reason],
        );
        const { record } = await world.suspension(tier.id).query(recordQuery);
        assert.deepEqual(
          [record.resolution, record.settled_by, record.reason],
          ['cancelled', 'intent', reason],
        );
        assert.deepEqual((await logged(handle)).at(-1), ['approval_resolved', reason]);
      });

      it(`withdraws what was approved and not redeemed: ${status}`, async () => {
        const handle = await approved();
        await writeStatus(intent, status);
        const { resolution } = await handle.result();
        assert.deepEqual([resolution.status, resolution.respondent], ['approved', 'alice']);
        assert.deepEqual((await logged(handle)).at(-1), ['approval_withdrawn', reason]);
        const { approval } = world.activities.approvalRows(idOf(handle)).at(-1) ?? {};
        assert.deepEqual([approval?.status, approval?.withdrawn?.reason], ['approved', reason]);
        assert.equal(approval && endedAt(approval), approval?.withdrawn?.at);
      });
    }

    const idOf = ({ workflowId }: ApprovalHandle) => entityIdOf(workflowId, 'approval');

    it('hands out no call once its reply is out', async () => {
      const handle = await approved();
      await world.stopWorker();
      const closing = writeStatusOf(intent);
      await world.startWorker();
      await closing;
      await assert.rejects(redeem(handle), REFUSED);
      await handle.result();
    });

    /** Closes the intent while nobody works: the version is known. */
    const writeStatusOf = (handle: IntentHandle) =>
      writeStatus(handle, 'completed', { if_match: 1 });

    it('says to whoever redeems why it gets nothing', async () => {
      const handle = await approved(TWO_CALLS);
      const { token } = await redeem(handle);
      await writeStatus(intent, 'completed');
      const refusal = await refusalOf(redeem(handle, 'p1', 'call-2'));
      assert.deepEqual(
        [refusal.code, refusal.state?.['status'], refusal.state?.['reason']],
        ['approval_decided', 'cancelled', 'intent_completed'],
      );
      assert.match(refusal.detail, /intent_completed/);
      await complete(handle, token);
      await handle.result();
    });

    here('lets a call that is carried out be finished by its holder', async () => {
      const handle = await approved(TWO_CALLS);
      const { token } = await redeem(handle);
      await writeStatus(intent, 'completed');
      const { withdrawn, status } = await viewOf(handle);
      assert.deepEqual([status, withdrawn?.reason], ['approved', 'intent_completed']);
      await world.sleep(30_000);
      assert.equal((await redeem(handle)).token, token);
      await world.sleep(45_000);
      assert.equal((await refusalOf(redeem(handle, 'p2'))).code, 'approval_decided');
      assert.equal((await complete(handle, token)).result, 'paid');
      assert.equal((await handle.result()).resolution.status, 'approved');
      const [event] = eventsOf(world, (await handle.result()).proposal.run_id);
      assert.deepEqual(
        [event?.event_type, event?.payload['calls'], event?.payload['under_way']],
        ['approval_withdrawn', ['call-2'], ['call-1']],
      );
    });

    it('takes back an approval that came before it, and keeps the vote', async () => {
      const handle = await opened();
      const tier = await tierOf(world, handle);
      const answer = await voteOf(world, tier, 'alice');
      await world.stopWorker();
      await world.suspension(tier.id).signal(operatorResponseSignal, answer);
      const closing = writeStatusOf(intent);
      await world.startWorker();
      await closing;
      const { resolution } = await handle.result();
      const [approver] = resolution.approvers;
      assert.deepEqual([approver?.principal, approver?.decision], ['alice', 'approved']);
      const row = world.activities.approvalRows(idOf(handle)).at(-1);
      assert.equal(row?.approval.withdrawn?.reason, 'intent_completed');
    });

    it('reaches an approval that is opened after it', async () => {
      await writeStatus(intent, 'completed');
      await intent.result();
      const handle = await opened();
      const { resolution } = await handle.result();
      assert.deepEqual([resolution.status, resolution.reason], ['cancelled', 'intent_completed']);
    });

    it('reaches an approval whose request meets it', async () => {
      await world.stopWorker();
      const closing = writeStatusOf(intent);
      const handle = openApproval(
        world,
        {},
        {},
        {
          ...REDEEMABLE,
          intent_id: entityIdOf(intent.workflowId, 'intent'),
        },
      );
      await world.startWorker();
      await closing;
      assert.equal((await (await handle).result()).resolution.reason, 'intent_completed');
    });

    here('reaches each run of an approval', async () => {
      const handle = await opened({ ...REDEEMABLE, history_limit: 20 }, TWO_CALLS);
      await vote(world, await tierOf(world, handle), 'alice');
      await lookUntil(async () => (await viewOf(handle)).status === 'approved', 'undecided');
      const { token } = await insist(() => redeem(handle));
      await insist(() => complete(handle, token));
      await lookUntil(async () => isNextRun(handle), 'no second run');
      await writeStatus(intent, 'completed');
      const { withdrawn } = await lookUntil(async () => viewOf(handle), 'gone');
      assert.equal(withdrawn?.reason, 'intent_completed');
      await handle.result();
    });

    async function isNextRun({ workflowId }: ApprovalHandle): Promise<boolean> {
      const { events } = await world.client.getHandle(workflowId).fetchHistory();
      const [first] = events ?? [];
      return Boolean(first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId);
    }

    it('reaches more approvals than an intent signals itself', async () => {
      const handles = await Promise.all(Array.from({ length: 22 }, () => opened()));
      await writeStatus(intent, 'completed');
      for (const handle of handles) {
        assert.equal((await handle.result()).resolution.reason, 'intent_completed');
      }
    });
  });
}
