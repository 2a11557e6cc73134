import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  amendUpdate,
  claimUpdate,
  commentUpdate,
  recordQuery,
} from '../../../workflows/suspension/messages.js';
import { caller, sent } from '../../support/callers.js';
import { refusalOf } from '../support/intents.js';
import {
  withdrawn,
  answerBy,
  openDelivered,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

const ALICE = sent('alice', 'operator');
const NAMED = {
  timeout_seconds: 3_600,
  decision_rule: { eligible: { principals: ['alice', 'bob'] } },
};

/** What was done first stands, and what comes after it is judged by what it has left. */
describe('two things that are done to a question', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

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

  async function answer(opened: Opened, principal: string, ...groups: string[]) {
    const by = { ...caller(principal, 'operator'), groups };
    return respond(opened, await answerBy(world, opened, principal, { by, question_version: 1 }));
  }

  /** Keeps a settled question open for want of a store, so that what comes later is judged by it. */
  async function whileStoreIsDown<T>(run: () => Promise<T>): Promise<T> {
    world.activities.storeIsDown = true;
    const result = await run();
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    return result;
  }

  it('a claim of a version that was amended is refused', async () => {
    const opened = await openAtRest();
    await amend(opened);
    const { code, state } = await refusalOf(claim(opened));
    assert.deepEqual([code, state], ['question_version_mismatch', { question_version: 2 }]);
    assert.equal((await claim(opened, 2)).claim?.holder, 'alice');
    await withdrawn(opened);
  });

  it('a claim stays where the question is amended after it', async () => {
    const opened = await openAtRest();
    await claim(opened);
    const view = await amend(opened);
    assert.deepEqual([view.question_version, view.claim?.holder], [2, 'alice']);
    await withdrawn(opened);
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
    await withdrawn(opened);
  });
});
