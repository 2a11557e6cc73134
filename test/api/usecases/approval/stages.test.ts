import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refusalOf } from '../../../../api/errors.js';
import { resumeRequest } from '../../../../api/usecases/approval/decide.js';
import type { ResumeRequest } from '../../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../../contracts/approval/approval.js';
import type { Refusal } from '../../../../contracts/kernel/problem.js';
import type { DecidedStage } from '../../../../domain/approval/deciding/meant-question.js';
import type { Standing, StandingInput } from '../../../../workflows/approval/messages.js';
import { AT, approvalWith, proposalWith } from '../../../domain/approval/samples.js';
import { caller } from '../../../support/callers.js';
import {
  ManualClock,
  OTHER_SUSPENSION_ID,
  SUSPENSION_ID,
  closed,
  settledView,
  updateRefused,
  type FakeCall,
} from '../../support/fakes.js';
import { fakeParts } from '../../support/parts.js';
import { questionOf, settledBy } from './support.js';

const PROPOSAL = proposalWith();
const WAITING = approvalWith(PROPOSAL);
const FIRST = { ...WAITING, suspension_id: SUSPENSION_ID };
const SECOND = { ...WAITING, suspension_id: OTHER_SUSPENSION_ID, stage: 1 };
/** The first stage has approved, and the second is not asked yet. */
const BETWEEN = { ...WAITING };
const VOTE = { principal: 'alice', actor: 'alice', decision: 'approved', at: AT } as const;
const BY_ALICE = [{ stage: 0, approvers: [VOTE] }];

interface Told {
  /** What a read returns, if that is behind. */
  readonly read?: ApprovalView;
  /** What the workflow says of its stages. */
  readonly decided?: readonly DecidedStage[];
}

/** An approval of two stages, each by one person; alice may decide in both. */
function twoStages(at: ApprovalView, { read, decided = BY_ALICE }: Told = {}) {
  const clock = new ManualClock();
  const counted: string[] = [];
  const waiting: (() => void)[] = [];
  let now = at;
  const standing = async ({ args: [until] }: FakeCall): Promise<Standing> => {
    const { past = null } = until as StandingInput;
    while (now.status === 'pending' && [null, past].includes(now.suspension_id)) {
      await new Promise<void>((resolve) => void waiting.push(resolve));
    }
    return { approval: { ...now, decided }, moved: false };
  };
  const respond = (sent: FakeCall) => {
    const id = questionOf(sent);
    if (counted.includes(id)) throw updateRefused({ code: 'suspension_settled', detail: '' });
    counted.push(id);
    return settledBy(sent);
  };
  const { parts } = fakeParts({
    clock,
    temporal: { describe: closed },
    answers: { standing, respond, record: () => settledView() },
  });
  const readApproval = async () => ({ value: read ?? now, stale: read !== undefined });
  return {
    /** The questions that have counted a vote. */
    counted,
    decide(fields: Partial<ResumeRequest> = {}, by = 'alice'): Promise<ApprovalView> {
      const request = { action: 'approve', ...fields } as const;
      const call = { caller: caller(by, 'operator'), parts: { ...parts, readApproval } };
      return resumeRequest.run(call, PROPOSAL.approval_id, request);
    },
    /** The approval goes on, once all who have come so far are as far as they get, and they see it. */
    async goesOn(to: ApprovalView): Promise<void> {
      await clock.advance(0);
      now = to;
      for (const wake of waiting.splice(0)) wake();
      await clock.advance(100);
    },
  };
}

/** What a decision is refused with. */
async function refusal(deciding: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await deciding.then(
    () => assert.fail('It counts.'),
    (thrown: unknown) => thrown,
  );
  return refusalOf(error) ?? assert.fail('It is no refusal.');
}

const OWN_VOTE = { stage: 0, decision: 'approved', at: AT };

/** The refusal that says which stage is open, what would be accepted, and what became of alice's vote. */
function saysWhatBecame({ code, detail, field, accepted, state }: Refusal): void {
  assert.deepEqual([code, field], ['stage_mismatch', 'suspension_id']);
  assert.match(detail, /Your earlier vote counts: approved in stage 0\. Stage 1 is open now/);
  assert.match(String(accepted), /the suspension_id that the approval has now/);
  assert.deepEqual(state, { status: 'pending', stage: 1, tier: 0, own_vote: OWN_VOTE });
}

describe('the same decision once more, about an approval of two stages', () => {
  it('decides nothing more where it meets the first question before its approval knows the end', async () => {
    const approval = twoStages(FIRST);
    const [first, again] = [approval.decide(), refusal(approval.decide())];
    await approval.goesOn(BETWEEN);
    await approval.goesOn(SECOND);
    assert.deepEqual([(await first).status, (await first).stage], ['pending', 1]);
    saysWhatBecame(await again);
    assert.deepEqual(approval.counted, [SUSPENSION_ID]);
  });

  it('decides nothing more between the stages', async () => {
    const approval = twoStages(BETWEEN);
    const again = refusal(approval.decide());
    await approval.goesOn(SECOND);
    assert.deepEqual(approval.counted, []);
    saysWhatBecame(await again);
  });

  it('decides nothing more once the second question is open', async () => {
    const approval = twoStages(SECOND);
    for (const fields of [{}, { suspension_id: SUSPENSION_ID }]) {
      const again = refusal(approval.decide(fields));
      await approval.goesOn(SECOND);
      assert.deepEqual(approval.counted, []);
      saysWhatBecame(await again);
    }
  });

  it('is told that the stage is over where somebody else decided', async () => {
    const { code, state, detail } = await refusal(twoStages(SECOND).decide({}, 'bella'));
    const expected = { status: 'pending', stage: 1, tier: 0 };
    assert.deepEqual([code, state], ['stage_mismatch', expected]);
    assert.doesNotMatch(detail, /Your earlier vote/);
  });
});

describe('a decision about a later stage', () => {
  it('counts where it names the open question, also while reads are behind', async () => {
    for (const read of [undefined, FIRST]) {
      const approval = twoStages(SECOND, { ...(read && { read }) });
      const deciding = approval.decide({ suspension_id: OTHER_SUSPENSION_ID });
      await approval.goesOn({ ...SECOND, status: 'approved', suspension_id: null });
      assert.deepEqual(approval.counted, [OTHER_SUSPENSION_ID]);
      if (read === undefined) assert.equal((await deciding).status, 'approved');
    }
  });

  it('waits between the stages for the question that it names', async () => {
    const approval = twoStages(BETWEEN);
    const deciding = approval.decide({ suspension_id: OTHER_SUSPENSION_ID });
    await approval.goesOn(SECOND);
    assert.deepEqual(approval.counted, [OTHER_SUSPENSION_ID]);
    await approval.goesOn({ ...SECOND, status: 'approved', suspension_id: null });
    assert.equal((await deciding).status, 'approved');
  });
});

describe('a decision that names no question', () => {
  it('counts in each tier of the first stage', async () => {
    const tier = { ...FIRST, suspension_id: OTHER_SUSPENSION_ID, tier: 1 };
    const approval = twoStages(BETWEEN);
    const deciding = approval.decide();
    await approval.goesOn(tier);
    assert.deepEqual(approval.counted, [OTHER_SUSPENSION_ID]);
    await approval.goesOn({ ...tier, status: 'approved', suspension_id: null });
    assert.equal((await deciding).status, 'approved');
  });
});
