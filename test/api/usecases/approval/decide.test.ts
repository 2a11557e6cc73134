import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refusalOf, type RefusalError } from '../../../../api/errors.js';
import { resumeRequest } from '../../../../api/usecases/approval/decide.js';
import { READ_MS, WRITE_MS } from '../../../../api/parts/calls/deadline.js';
import type { ApprovalView } from '../../../../contracts/approval/approval.js';
import { standingUpdate, type Standing } from '../../../../workflows/approval/messages.js';
import {
  approvalWith,
  hashOfProposal,
  proposalWith,
  resolutionOf,
} from '../../../domain/approval/samples.js';
import { caller } from '../../../support/callers.js';
import {
  INTENT_ID,
  ManualClock,
  OTHER_SUSPENSION_ID,
  SUSPENSION_ID,
  closed,
  hanging,
  updateRefused,
  type Handler,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';
import { answerIn, questionOf, settledBy } from './support.js';

const PROPOSAL = proposalWith();
const ENDING = { ...approvalWith(PROPOSAL), intent_id: INTENT_ID };
const ASKED = { ...ENDING, suspension_id: SUSPENSION_ID };
const DECIDED = { ...approvalWith(PROPOSAL, resolutionOf(PROPOSAL)), intent_id: INTENT_ID };

/** What the approval answers to who asks how it stands, one after another; the last stays. */
type Standings = readonly (ApprovalView | Standing | Handler)[];
interface Case {
  readonly read: ApprovalView;
  readonly standing: Standings;
  readonly respond?: Handler;
}

/** Decides on an approval that is read, and stands, as given. */
function rigWith({ read, standing, respond = settledBy }: Case) {
  const clock = new ManualClock();
  const touched: string[] = [];
  const left = [...standing];
  const stands: Handler = (call) => {
    const next = left.length > 1 ? left.shift() : left[0];
    if (typeof next === 'function') return next(call);
    return next && 'approval' in next ? next : { approval: next, moved: false };
  };
  const fake = fakeParts({
    clock,
    answers: {
      approval: () => read,
      record: closed,
      operatorResponse: () => undefined,
      respond,
      [standingUpdate.name]: stands,
    },
  });
  const consistency = { touch: (id: string) => void touched.push(id) } as never;
  const call = { caller: caller('alice', 'operator'), parts: { ...fake.parts, consistency } };
  const decide = () => resumeRequest.run(call, PROPOSAL.approval_id, { action: 'approve' });
  const calls = (wanted: string) => fake.calls.filter(({ name }) => name === wanted);
  /** What the approval was asked to wait for. */
  const asked = () => calls(standingUpdate.name).map(({ args }) => args[0]);
  return { decide, clock, asked, answers: () => calls('respond'), touched };
}

/** What a decision is refused with. */
const codeOf = (decided: Promise<unknown>): Promise<string | undefined> =>
  decided.then(
    () => undefined,
    (error: unknown) => refusalOf(error)?.code,
  );

const PAST = { past: SUSPENSION_ID, logged: true };

describe('a decision about an approval', () => {
  it('is one Update to the question and one to the approval', async () => {
    const rig = rigWith({ read: ASKED, standing: [DECIDED] });
    assert.equal((await rig.decide()).status, 'approved');
    assert.deepEqual(rig.asked(), [PAST]);
    assert.equal(rig.answers().length, 1);
    assert.ok(rig.touched.includes(INTENT_ID));
  });

  it('waits for no other question while more people have to agree', async () => {
    const respond: Handler = (call) => {
      const { result, ...settled } = settledBy(call);
      const { resolution: _none, ...counted } = result;
      return { ...settled, verdict: 'counted', result: counted };
    };
    const rig = rigWith({ read: ASKED, standing: [ASKED], respond });
    assert.equal((await rig.decide()).status, 'pending');
    assert.deepEqual(rig.asked(), [{ logged: true }]);
  });

  it('waits for the next question where nobody is asked for a moment', async () => {
    const rig = rigWith({ read: ENDING, standing: [ASKED, DECIDED] });
    assert.equal((await rig.decide()).status, 'approved');
    assert.deepEqual(rig.asked(), [{}, PAST]);
    const [answer, ...more] = rig.answers();
    assert.ok(answer && more.length === 0);
    const { value, proposal_hash } = answerIn(answer);
    const expected = [SUSPENSION_ID, 'approved', hashOfProposal(PROPOSAL)];
    assert.deepEqual([questionOf(answer), value, proposal_hash], expected);
  });

  it('is told how it was decided where the moment was its end', async () => {
    const rig = rigWith({ read: ENDING, standing: [DECIDED] });
    await assert.rejects(rig.decide(), (error: RefusalError) => {
      assert.equal(error.refusal.code, 'approval_decided');
      return true;
    });
    assert.deepEqual(rig.answers(), []);
  });

  it('asks the next run too how the approval stands', async () => {
    const rig = rigWith({ read: ASKED, standing: [{ approval: ASKED, moved: true }, DECIDED] });
    assert.equal((await rig.decide()).status, 'approved');
    assert.deepEqual(rig.asked(), [PAST, PAST]);
  });

  it('counts although the log follows later', async () => {
    const busy = updateRefused({ code: 'busy', detail: 'busy' });
    for (const late of [hanging, () => Promise.reject(busy)]) {
      const rig = rigWith({ read: ASKED, standing: [late, DECIDED] });
      const decided = rig.decide();
      await rig.clock.advance(READ_MS);
      assert.equal((await decided).status, 'approved');
      assert.deepEqual(rig.asked(), [PAST, PAST]);
    }
    // One that is over has told its log everything; it is read.
    const over = rigWith({ read: ASKED, standing: [closed] });
    assert.deepEqual([await over.decide(), over.asked()], [ASKED, [PAST]]);
  });

  it('is not said to count before a worker has judged it', async () => {
    const rig = rigWith({ read: ASKED, standing: [hanging], respond: hanging });
    const refusal = codeOf(rig.decide());
    await rig.clock.advance(2 * WRITE_MS);
    assert.equal(await refusal, 'workflow_unavailable');
    assert.deepEqual(rig.touched, []);
    const late = rigWith({ read: ASKED, standing: [DECIDED], respond: hanging });
    const decided = late.decide();
    await late.clock.advance(WRITE_MS);
    assert.equal((await decided).status, 'approved');
  });

  it('waits for a question that has not begun, and is sent once more', async () => {
    const next = { ...ASKED, suspension_id: OTHER_SUSPENSION_ID };
    const rig = rigWith({
      read: ASKED,
      standing: [next, DECIDED],
      respond: (call) => (questionOf(call) === SUSPENSION_ID ? closed() : settledBy(call)),
    });
    assert.equal((await rig.decide()).status, 'approved');
    assert.deepEqual(rig.asked(), [{}, { ...PAST, past: OTHER_SUSPENSION_ID }]);
    assert.deepEqual(rig.answers().map(questionOf), [SUSPENSION_ID, OTHER_SUSPENSION_ID]);
    const gone = rigWith({ read: ASKED, standing: [next], respond: closed });
    assert.equal(await codeOf(gone.decide()), 'workflow_unavailable');
    assert.equal(gone.answers().length, 2);
  });
});
