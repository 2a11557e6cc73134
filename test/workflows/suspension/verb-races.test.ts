import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import {
  amendUpdate,
  claimUpdate,
  commentUpdate,
  delegateUpdate,
  recordQuery,
  releaseUpdate,
  withdrawSignal,
} from '../../../workflows/suspension/messages.js';
import { caller, sent } from '../../support/callers.js';
import { refusalOf } from '../support/intents.js';
import { openDelivered, respond, timelineOf } from '../support/suspensions.js';
import type { Opened } from '../support/suspensions.js';
import { World } from '../support/world.js';

const ALICE = sent('alice', 'operator');
const NAMED = {
  timeout_seconds: 3_600,
  decision_rule: { eligible: { principals: ['alice', 'bob'] } },
};

/** What was done first stands, and what comes after it is judged by what it has left. */
describe('two things that are done to a question', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  async function openAtRest(): Promise<Opened> {
    return openDelivered(world, NAMED);
  }

  const claim = ({ handle }: Opened, question_version = 1) =>
    handle.executeUpdate(claimUpdate, { args: [{ ...ALICE, question_version }] });
  const amend = ({ handle }: Opened) =>
    handle.executeUpdate(amendUpdate, {
      args: [
        { ...sent('agent-1', 'agent'), question_version: 1, amendment: { question: 'In part?' } },
      ],
    });
  const comment = ({ handle }: Opened) =>
    handle.executeUpdate(commentUpdate, { args: [{ ...ALICE, text: 'She called.' }] });
  const delegate = ({ handle }: Opened) =>
    handle.executeUpdate(delegateUpdate, { args: [{ ...ALICE, to: 'carol', reason: 'away' }] });
  const delegateToGroup = ({ handle }: Opened) =>
    handle.executeUpdate(delegateUpdate, {
      args: [{ ...ALICE, to_group: 'finance', reason: 'away' }],
    });
  const claimAs = ({ handle }: Opened, principal: string, ...groups: string[]) => {
    const { by, actor } = sent(principal, 'operator');
    return handle.executeUpdate(claimUpdate, { args: [{ by: { ...by, groups }, actor }] });
  };
  const release = ({ handle }: Opened) => handle.executeUpdate(releaseUpdate, { args: [ALICE] });

  async function answer(opened: Opened, principal: string, ...groups: string[]) {
    const answer = await world.answer(opened.view, 'approve', `r:${principal}`);
    const by = { ...caller(principal, 'operator'), groups };
    return respond(opened, { ...answer, responded_by: principal, by, question_version: 1 });
  }

  /** Keeps a settled question open for want of a store, so that what comes later is judged by it. */
  async function whileStoreIsDown<T>(run: () => Promise<T>): Promise<T> {
    world.activities.storeIsDown = true;
    const result = await run();
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    return result;
  }

  async function end({ handle }: Opened): Promise<void> {
    await handle.signal(withdrawSignal, { cancelled_by: 'agent-1', settled_by: 'agent' });
    await handle.result();
  }

  it('a claim of a version that was amended is refused', async () => {
    const opened = await openAtRest();
    await amend(opened);
    const { code, state } = await refusalOf(claim(opened));
    assert.deepEqual([code, state], ['question_version_mismatch', { question_version: 2 }]);
    assert.equal((await claim(opened, 2)).claim?.holder, 'alice');
    await end(opened);
  });

  it('a claim stays where the question is amended after it', async () => {
    const opened = await openAtRest();
    await claim(opened);
    const view = await amend(opened);
    assert.deepEqual([view.question_version, view.claim?.holder], [2, 'alice']);
    await end(opened);
  });

  it('a claim before the expiry does not put it off', async () => {
    const opened = await openAtRest();
    await world.sleep('3590 s');
    assert.equal((await claim(opened)).claim?.holder, 'alice');
    await world.sleep('10 s');
    assert.equal((await opened.handle.result()).resolution, 'expired');
  });

  it('a claim after the expiry is refused', async () => {
    const opened = await openAtRest();
    const { code } = await whileStoreIsDown(async () => {
      await world.sleep('3600 s');
      return refusalOf(claim(opened));
    });
    assert.equal(code, 'suspension_settled');
    assert.equal((await opened.handle.result()).resolution, 'expired');
  });

  it('a comment before the answer is kept', async () => {
    const opened = await openAtRest();
    await comment(opened);
    await answer(opened, 'bob');
    await opened.handle.result();
    const kinds = (await timelineOf(opened, 'commented')).length;
    assert.equal(kinds, 1);
  });

  it('a comment after the answer is refused', async () => {
    const opened = await openAtRest();
    const refusal = await whileStoreIsDown(async () => {
      await answer(opened, 'bob');
      return refusalOf(comment(opened));
    });
    assert.equal(refusal.code, 'suspension_settled');
    await opened.handle.result();
  });

  it('an answer of whom it was passed on to counts before it is taken back', async () => {
    const opened = await openAtRest();
    await delegate(opened);
    const refusal = await whileStoreIsDown(async () => {
      await answer(opened, 'carol');
      return refusalOf(release(opened));
    });
    assert.equal(refusal.code, 'suspension_settled');
    assert.equal((await opened.handle.result()).responded_by, 'carol');
  });

  it('an answer of whom it was passed on to is refused once that is taken back', async () => {
    const opened = await openAtRest();
    await delegate(opened);
    await release(opened);
    assert.equal((await refusalOf(answer(opened, 'carol'))).code, 'not_eligible');
    await answer(opened, 'bob');
    assert.equal((await opened.handle.result()).responded_by, 'bob');
  });

  it('an answer of a member of the group counts once it was delegated there, and not before', async () => {
    const opened = await openAtRest();
    const early = await refusalOf(answer(opened, 'dave', 'finance'));
    assert.equal(early.code, 'not_eligible');
    await delegateToGroup(opened);
    const refusal = await whileStoreIsDown(async () => {
      await answer(opened, 'dave', 'finance');
      return refusalOf(delegateToGroup(opened));
    });
    assert.equal(refusal.code, 'suspension_settled');
    assert.equal((await opened.handle.result()).responded_by, 'dave');
  });

  it('a claim keeps others from delegating to a group, and comes free for the group after it', async () => {
    const claimed = await openAtRest();
    await claimAs(claimed, 'bob');
    assert.equal((await refusalOf(delegateToGroup(claimed))).code, 'claimed_by_other');
    await end(claimed);
    const opened = await openAtRest();
    assert.equal((await refusalOf(claimAs(opened, 'dave', 'finance'))).code, 'not_eligible');
    await claim(opened);
    assert.equal((await delegateToGroup(opened)).claim, undefined);
    assert.equal((await claimAs(opened, 'dave', 'finance')).claim?.holder, 'dave');
    assert.equal((await refusalOf(claim(opened))).code, 'claimed_by_other');
    await end(opened);
  });

  it('an answer of a member of the group counts before it is taken back, and not after', async () => {
    const first = await openAtRest();
    await delegateToGroup(first);
    const refusal = await whileStoreIsDown(async () => {
      await answer(first, 'dave', 'finance');
      return refusalOf(release(first));
    });
    assert.equal(refusal.code, 'suspension_settled');
    await first.handle.result();
    const second = await openAtRest();
    await delegateToGroup(second);
    await claimAs(second, 'dave', 'finance');
    assert.equal((await release(second)).claim, undefined);
    assert.equal((await refusalOf(answer(second, 'dave', 'finance'))).code, 'not_eligible');
    await answer(second, 'bob');
    assert.equal((await second.handle.result()).responded_by, 'bob');
  });

  it('two amendments of one version that meet leave the one that came first', async () => {
    const opened = await openAtRest();
    await world.stopWorker();
    const questions = ['In part?', 'Not at all?'];
    const outcomes = questions.map((question) => {
      const args = { ...sent('agent-1', 'agent'), question_version: 1, amendment: { question } };
      const amending = opened.handle.executeUpdate(amendUpdate, { args: [args] });
      const refusal = refusalOf(amending).catch(() => undefined);
      return Promise.all([amending.catch(() => undefined), refusal]);
    });
    await world.startWorker();
    const done = await Promise.all(outcomes);
    const won = done.flatMap(([view]) => view?.record.question ?? []);
    const lost = done.flatMap(([, refusal]) => refusal?.code ?? []);
    assert.deepEqual([won.length, lost], [1, ['question_version_mismatch']]);
    const { record, question_version } = await opened.handle.query(recordQuery);
    assert.deepEqual([record.question, question_version], [won[0], 2]);
    await end(opened);
  });
});
