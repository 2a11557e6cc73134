import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError, refusalOf } from '../../../../api/errors.js';
import { createNoted } from '../../../../api/gateway/approval/noted.js';
import { createResuming } from '../../../../api/gateway/approval/resuming.js';
import type { Outcome } from '../../../../api/gateway/calls/call.js';
import { READ_MS } from '../../../../api/gateway/calls/deadline.js';
import type { ApprovalView } from '../../../../contracts/approval.js';
import { notedUpdate, openedUpdate } from '../../../../workflows/approval/messages.js';
import {
  approvalWith,
  hashOfProposal,
  proposalWith,
  resolutionOf,
} from '../../../domain/approval/samples.js';
import { caller } from '../../../support/callers.js';
import { INTENT_ID, ManualClock, OTHER_SUSPENSION_ID, SUSPENSION_ID } from '../support.js';

const PROPOSAL = proposalWith();
const ENDING = { ...approvalWith(PROPOSAL), intent_id: INTENT_ID };
const ASKED = { ...ENDING, suspension_id: SUSPENSION_ID };
const DECIDED = { ...approvalWith(PROPOSAL, resolutionOf(PROPOSAL)), intent_id: INTENT_ID };

type Answer = (name: string) => Outcome<unknown>;
type Respond = (request: { readonly suspension_id: string }) => object;

const JUDGED = { accepted: true, result: { resolution: 'responded' } };

/** Decides on an approval that is read as these, one after another; the last stays. */
function rigWith(reads: readonly ApprovalView[], answer: Answer, respond: Respond = () => JUDGED) {
  const clock = new ManualClock();
  const sent: string[] = [];
  const answers: object[] = [];
  const touched: string[] = [];
  const left = [...reads];
  const temporal = {
    update: (_id: string, { name }: { readonly name: string }) => {
      sent.push(name);
      return Promise.resolve(answer(name));
    },
  } as never;
  const consistency = { touch: (id: string) => void touched.push(id) };
  const resuming = createResuming({
    clock,
    fromStore: () => Promise.resolve([] as never),
    temporal,
    readApproval: () => {
      const value = left.length > 1 ? left.shift() : left[0];
      return Promise.resolve({ value: value ?? ENDING, stale: false });
    },
    noted: createNoted({ temporal, consistency }),
    answers: {
      respond: async (_caller, _intent, request) => {
        answers.push(request);
        return Promise.resolve(respond(request) as never);
      },
    },
  });
  const decide = () =>
    resuming.resumeRequest(caller('alice', 'operator'), PROPOSAL.approval_id, {
      action: 'approve',
    });
  return { decide, clock, sent, answers, touched };
}

const done = (value: unknown) => ({ kind: 'done', value }) as const;
const UNKNOWN = new RefusalError({ code: 'suspension_not_found', detail: 'unknown' });

/** What a decision is refused with. */
const codeOf = (decided: Promise<unknown>): Promise<string | undefined> =>
  decided.then(
    () => undefined,
    (error: unknown) => refusalOf(error)?.code,
  );

describe('a decision about an approval', () => {
  it('waits for the next question where nobody is asked for a moment', async () => {
    const answer: Answer = (name) => done(name === openedUpdate.name ? ASKED : true);
    const rig = rigWith([ENDING, DECIDED], answer);
    assert.equal((await rig.decide()).status, 'approved');
    assert.deepEqual(rig.sent, [openedUpdate.name, notedUpdate.name]);
    const proposal_hash = hashOfProposal(PROPOSAL);
    const expected = { suspension_id: SUSPENSION_ID, value: 'approved', proposal_hash };
    assert.deepEqual(rig.answers, [expected]);
    assert.deepEqual(rig.touched, [INTENT_ID]);
  });

  it('is told how it was decided where the moment was its end', async () => {
    const rig = rigWith([ENDING], () => done(DECIDED));
    await assert.rejects(rig.decide(), (error: RefusalError) => {
      assert.equal(error.refusal.code, 'approval_decided');
      return true;
    });
    assert.deepEqual(rig.answers, []);
  });

  it('asks the next run too whether the log has it', async () => {
    const told = [false, true];
    const rig = rigWith([ASKED, DECIDED], () => done(told.shift()));
    await rig.decide();
    assert.deepEqual(rig.sent, [notedUpdate.name, notedUpdate.name]);
  });

  it('counts although the log follows later', async () => {
    const outcomes: readonly Answer[] = [
      () => ({ kind: 'gone' }),
      () => ({ kind: 'no_answer' }),
      () => {
        throw new RefusalError({ code: 'busy', detail: 'busy' });
      },
    ];
    for (const answer of outcomes) {
      const rig = rigWith([ASKED, DECIDED], answer);
      assert.equal((await rig.decide()).status, 'approved');
      assert.equal(rig.sent.length, 1);
    }
  });

  it('is not said to count before a worker has judged it', async () => {
    const kept = { accepted: false, suspension_id: SUSPENSION_ID };
    const rig = rigWith(
      [ASKED],
      () => done(true),
      () => kept,
    );
    const refusal = codeOf(rig.decide());
    await rig.clock.advance(READ_MS);
    assert.equal(await refusal, 'workflow_unavailable');
    assert.deepEqual(rig.touched, []);
    const late = rigWith(
      [ASKED, DECIDED],
      () => done(true),
      () => kept,
    );
    assert.equal((await late.decide()).status, 'approved');
  });

  it('waits for a question that has not begun, and is sent once more', async () => {
    const next = { ...ASKED, suspension_id: OTHER_SUSPENSION_ID };
    const answer: Answer = (name) => done(name === openedUpdate.name ? next : true);
    const rig = rigWith([ASKED, DECIDED], answer, ({ suspension_id }) => {
      if (suspension_id === SUSPENSION_ID) throw UNKNOWN;
      return JUDGED;
    });
    assert.equal((await rig.decide()).status, 'approved');
    assert.deepEqual(rig.sent, [openedUpdate.name, notedUpdate.name]);
    const asked = rig.answers.map((one) => (one as typeof next).suspension_id);
    assert.deepEqual(asked, [SUSPENSION_ID, OTHER_SUSPENSION_ID]);
    const gone = rigWith([ASKED], answer, () => {
      throw UNKNOWN;
    });
    assert.equal(await codeOf(gone.decide()), 'workflow_unavailable');
    assert.equal(gone.answers.length, 2);
  });

  it('waits for no log of an intent where it belongs to none', async () => {
    const own = { intent_id: null };
    const rig = rigWith(
      [
        { ...ASKED, ...own },
        { ...DECIDED, ...own },
      ],
      () => done(true),
    );
    await rig.decide();
    assert.deepEqual([rig.sent, rig.touched], [[], []]);
  });
});
