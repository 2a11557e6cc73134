import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { AUTO_APPROVER, type ApprovalStatus } from '../../../contracts/constants/approvals.js';
import { openingOf } from '../../../domain/approval/asking/opening.js';
import {
  actionOf,
  requestOf,
  type AskedAction,
} from '../../../domain/openintent/action-approval.js';
import { AT, approvalWith, proposalWith, resolutionOf } from '../approval/samples.js';
import { ID, granted } from '../samples.js';

const INTENT = '4f0f6a52-6f2c-4f7e-9a4e-0d8f4f6c1a11';
const ASKED: AskedAction = {
  action: 'pay',
  reason: 'the invoice is due',
  context: { amount: 500 },
  requested_by: 'refunder',
};

/** How the rules judge an action. */
function judged(rules: object[] = [], asked = ASKED) {
  const ask = { ...requestOf(INTENT, 'bot', asked), approval_id: ID, agent: 'bot' };
  return granted(openingOf(ask, approvalsConfigSchema.parse({ rules }), true));
}

describe('an action that needs approval', () => {
  it('waits for one person without any rule, neither of them its agent [A54-05] [AM-66]', () => {
    const { verdict, proposal, plan } = judged();
    assert.deepEqual([verdict, proposal.route], ['escalate', 'human_required']);
    const { decision_rule } = plan?.stages[0]?.tiers[0]?.question ?? {};
    assert.deepEqual([decision_rule?.quorum, decision_rule?.excluded], [1, ['bot']]);
  });

  it('is a call that people see whole, with its reason', () => {
    const { proposal } = judged();
    assert.deepEqual(proposal.calls, [{ id: 'action', tool: 'pay', arguments: { amount: 500 } }]);
    assert.deepEqual([proposal.kind, proposal.prompt], ['tool_approval', 'May bot do this: pay?']);
    const { reason, requested_by } = ASKED;
    assert.deepEqual(proposal.visible_context, { reason, requested_by });
    const bare = judged([], { action: 'pay', reason: '', context: {} });
    assert.deepEqual(bare.proposal.visible_context, {});
  });

  const RULES = [
    [{ tool: 'pay', verdict: 'allow' }, 'escalate', 'human_required'],
    [{ tool: 'pay', verdict: 'escalate', route: 'auto' }, 'escalate', 'human_required'],
    [{ tool: 'pay', verdict: 'escalate', route: 'dual_approval' }, 'escalate', 'dual_approval'],
    [{ arguments: { amount: { at_least: 500 } }, verdict: 'deny' }, 'deny', 'auto'],
  ] as const;
  for (const [rule, verdict, route] of RULES) {
    it(`goes by a rule only where that is stricter: ${JSON.stringify(rule)}`, () => {
      const opening = judged([rule]);
      assert.deepEqual([opening.verdict, opening.proposal.route], [verdict, route]);
    });
  }
});

describe('an approval in the words of OpenIntent', () => {
  const { proposal } = judged();

  it('is read as it was asked for', () => {
    const read = actionOf(approvalWith(proposal), INTENT);
    const expected = { ...ASKED, id: ID, intent_id: INTENT, status: 'pending', created_at: AT };
    assert.deepEqual(read, expected);
  });

  it('goes by the principal of a key that gives no name', () => {
    const anonymous = { ...proposal, visible_context: {} };
    const { requested_by, reason } = actionOf(approvalWith(anonymous), INTENT);
    assert.deepEqual([requested_by, reason], ['bot', '']);
  });

  const STATUSES = [
    ['approved', 'approved'],
    ['rejected', 'denied'],
    ['expired', 'expired'],
    ['cancelled', 'denied'],
    ['failed', 'denied'],
  ] as const satisfies readonly (readonly [ApprovalStatus, string])[];
  for (const [status, word] of STATUSES) {
    it(`is ${word} where it is ${status}`, () => {
      const resolution = resolutionOf(proposal, { status });
      assert.equal(actionOf(approvalWith(proposal, resolution), INTENT).status, word);
    });
  }

  it('says who decided, when, and what they said', () => {
    const resolution = resolutionOf(proposal, { respondent: 'alice', comment: 'fine' });
    const read = actionOf(approvalWith(proposal, resolution), INTENT);
    const { decided_by, decided_at, decision_notes } = read;
    assert.deepEqual([decided_by, decided_at, decision_notes], ['alice', AT, 'fine']);
    const silent = actionOf(approvalWith(proposal, resolutionOf(proposal)), INTENT);
    assert.ok(!('decision_notes' in silent));
  });

  it('was decided by the rule where a rule did, and by nobody where time did', () => {
    const { respondent: _nobody, ...ending } = resolutionOf(proposal, { reason: 'no wires' });
    const byRule = { ...ending, by: 'policy' } as const;
    const read = actionOf(approvalWith(proposal, byRule), INTENT);
    assert.deepEqual([read.decided_by, read.decision_notes], [AUTO_APPROVER, 'no wires']);
    const late = { ...ending, by: 'timeout', status: 'expired' } as const;
    assert.equal(actionOf(approvalWith(proposal, late), INTENT).decided_by, null);
  });

  it('shows what another API opened, whatever it asks for', () => {
    const calls = ['a', 'b'].map((id) => ({ id, tool: `tool-${id}`, arguments: { to: id } }));
    const view = approvalWith(proposalWith({ calls, visible_context: { reason: 3 } }));
    const { action, context, reason } = actionOf(view, INTENT);
    assert.deepEqual([action, context, reason], ['tool-a, tool-b', { calls }, '']);
    const consent = actionOf(approvalWith(proposalWith({ kind: 'consent', calls: [] })), INTENT);
    assert.deepEqual([consent.action, consent.context], ['consent', { calls: [] }]);
  });
});
