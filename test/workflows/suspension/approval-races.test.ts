import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  operatorResponseSignal,
  recordQuery,
  respondUpdate,
  type OperatorAnswer,
} from '../../../workflows/suspension/messages.js';
import {
  ALLOWED,
  LESS,
  editBy,
  hashNow,
  openApproval,
  voteBy,
} from '../support/approval-questions.js';
import { refusalOf } from '../support/intents.js';
import { respond, timelineOf, type Opened } from '../support/suspensions.js';
import { World } from '../support/world.js';

const namesIn = (votes: readonly { readonly principal: string }[] = []) =>
  votes.map(({ principal }) => principal);

/** Both orders of each pair. Without a cache, every task judges the votes before it again. */
describe('races of votes on an approval', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  /** Sends two votes while no worker is there, so that it gets both at once, in this order. */
  async function inOrder(opened: Opened, first: OperatorAnswer, second: OperatorAnswer) {
    await world.withoutWorker(async () => {
      await opened.handle.signal(operatorResponseSignal, first);
      await opened.handle.signal(operatorResponseSignal, second);
    });
    await world.sleep('1 s');
  }

  async function rejectedCodes(opened: Opened) {
    const entries = await timelineOf(opened, 'answer_rejected');
    return entries.map(({ detail }) => detail['code']);
  }

  describe('an edit against a vote', () => {
    it('the vote first: it no longer counts', async () => {
      const opened = await openApproval(world, 2);
      const vote = await voteBy(world, opened, 'alice', 'approved');
      await inOrder(opened, vote, await editBy(world, opened, 'bob'));
      const { state, votes } = await opened.handle.query(recordQuery);
      assert.deepEqual([state, namesIn(votes)], ['pending', ['bob']]);
      await opened.handle.cancel();
    });

    it('the edit first: the vote is refused, with the new hash [A54-20]', async () => {
      const opened = await openApproval(world, 2);
      const vote = await voteBy(world, opened, 'alice', 'approved');
      await inOrder(opened, await editBy(world, opened, 'bob'), vote);
      assert.deepEqual(await rejectedCodes(opened), ['proposal_hash_mismatch']);
      const refusal = await refusalOf(respond(opened, vote));
      assert.deepEqual(refusal.state, { proposal_hash: await hashNow(opened), version: 2 });
      assert.deepEqual(namesIn((await opened.handle.query(recordQuery)).votes), ['bob']);
      await opened.handle.cancel();
    });

    it('with the vote that settles it before: the edit is too late [A54-17]', async () => {
      const opened = await openApproval(world, 1);
      const vote = await voteBy(world, opened, 'alice', 'approved');
      await inOrder(opened, vote, await editBy(world, opened, 'bob'));
      const { approval, responded_by } = await opened.handle.result();
      assert.deepEqual([approval?.proposal.version, responded_by], [1, 'alice']);
      assert.deepEqual(await rejectedCodes(opened), ['suspension_settled']);
    });
  });

  describe('two edits', () => {
    const MORE = [{ ...LESS, arguments: { amount: 200, to: 'DE1' } }];

    for (const [first, second, amount] of [
      ['alice', 'bob', 100],
      ['bob', 'alice', 200],
    ] as const) {
      it(`of the same version: that of ${first} counts, which comes first [A54-17]`, async () => {
        const opened = await openApproval(world, 2);
        const edits = {
          alice: await editBy(world, opened, 'alice'),
          bob: await editBy(world, opened, 'bob', { edits: MORE, edits_allowed: ALLOWED }),
        };
        await inOrder(opened, edits[first], edits[second]);
        const { record, votes } = await opened.handle.query(recordQuery);
        const edited = record.approval?.proposal;
        assert.deepEqual([edited?.version, edited?.calls[0]?.arguments['amount']], [2, amount]);
        assert.deepEqual(namesIn(votes), [first]);
        assert.deepEqual(await rejectedCodes(opened), ['proposal_hash_mismatch']);
        await opened.handle.cancel();
      });
    }
  });

  describe('a rejection against an approval', () => {
    for (const [first, second] of [
      ['rejected', 'approved'],
      ['approved', 'rejected'],
    ] as const) {
      it(`that come at once: ${first} is first and wins, the other is told [A54-17]`, async () => {
        const opened = await openApproval(world, 1);
        const sent = [
          await voteBy(world, opened, 'alice', first),
          await voteBy(world, opened, 'bob', second),
        ] as const;
        await inOrder(opened, ...sent);
        const result = await opened.handle.result();
        assert.deepEqual([result.response, result.responded_by], [first, 'alice']);
        assert.deepEqual(await rejectedCodes(opened), ['suspension_settled']);
      });
    }

    it('ends it where one approval of two came before [AM-58]', async () => {
      const opened = await openApproval(world, 2);
      const approval = await voteBy(world, opened, 'alice', 'approved');
      await inOrder(opened, approval, await voteBy(world, opened, 'bob', 'rejected'));
      const { response, votes } = await opened.handle.result();
      assert.deepEqual([response, namesIn(votes)], ['rejected', ['alice', 'bob']]);
    });

    it('by Updates: the second is told how it ended [A54-17]', async () => {
      const opened = await openApproval(world, 1);
      const sent = [
        await voteBy(world, opened, 'alice', 'approved'),
        await voteBy(world, opened, 'bob', 'rejected'),
      ];
      await world.stopWorker();
      world.activities.storeIsDown = true;
      const replies = sent.map((answer) =>
        opened.handle.executeUpdate(respondUpdate, { args: [answer] }).then(
          ({ verdict }) => verdict,
          async (error: unknown) => (await refusalOf(Promise.reject(error as Error))).code,
        ),
      );
      await world.startWorker();
      const told = await Promise.all(replies);
      world.activities.storeIsDown = false;
      assert.deepEqual([...told].sort(), ['settled', 'suspension_settled']);
    });
  });

  describe('a vote against the timeout', () => {
    it('just before it: it counts', async () => {
      const opened = await openApproval(world, 2);
      await respond(opened, await voteBy(world, opened, 'alice', 'approved'));
      await world.sleep('3580 s');
      await respond(opened, await voteBy(world, opened, 'bob', 'approved'));
      assert.equal((await opened.handle.result()).resolution, 'responded');
    });

    it('just after it: one approval of two is none, and the other is told [AM-58]', async () => {
      const opened = await openApproval(world, 2);
      await respond(opened, await voteBy(world, opened, 'alice', 'approved'));
      world.activities.storeIsDown = true;
      await world.sleep('3600 s');
      const late = await voteBy(world, opened, 'bob', 'approved');
      const refusal = await refusalOf(respond(opened, late));
      assert.deepEqual(
        [refusal.code, refusal.state?.['resolution']],
        ['suspension_settled', 'expired'],
      );
      world.activities.storeIsDown = false;
      const { resolution, response, votes } = await opened.handle.result();
      assert.deepEqual([resolution, response, namesIn(votes)], ['expired', undefined, ['alice']]);
    });

    it('received before it and read after it, an edit counts', async () => {
      const opened = await openApproval(world, 1);
      const edit = await editBy(world, opened, 'alice');
      await world.withoutWorker(async () => {
        await world.sleep('3601 s');
        await opened.handle.signal(operatorResponseSignal, edit);
      });
      const { resolution, approval } = await opened.handle.result();
      assert.deepEqual([resolution, approval?.proposal.version], ['responded', 2]);
    });
  });
});
