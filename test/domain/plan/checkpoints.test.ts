import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Checkpoint } from '../../../contracts/plan/plan.js';
import { checkPlanWriter } from '../../../domain/plan/checkpoints.js';
import type { AccessLevel } from '../../../domain/policy/access-list.js';
import type { PlanRecord } from '../../../domain/plan/state.js';
import { caller } from '../../support/callers.js';
import { AN_ESCALATION, A_CHECKPOINT, SECOND, aPlan } from './plan-samples.js';

const AGENT = caller('agent-1');
const PEOPLE = [caller('alice', 'operator'), caller('root', 'admin')];
const STRICT: Checkpoint = {
  ...A_CHECKPOINT,
  approvers: ['alice', 'bob'],
  timeout_hours: 2,
  on_timeout: 'fail',
};

function codeOf(
  plan: Partial<PlanRecord>,
  write: Parameters<typeof checkPlanWriter>[2],
  by = AGENT,
  access: AccessLevel = 'write',
): string | undefined {
  const ruling = checkPlanWriter(aPlan(plan).plan, by, write, access);
  return ruling.ok ? undefined : ruling.refusal.code;
}

describe('who writes a plan', () => {
  const WEAKER: Readonly<Record<string, readonly Checkpoint[]>> = {
    'is gone': [],
    'is after another task': [{ ...STRICT, after_task: SECOND }],
    'needs no approval': [{ ...STRICT, requires_approval: false }],
    'has another rule': [{ ...STRICT, decision_rule: { veto: false } }],
    'has more approvers': [{ ...STRICT, approvers: ['alice', 'bob', 'agent-1'] }],
    'has any approver': [{ ...STRICT, approvers: [] }],
    'waits for another time': [{ ...STRICT, timeout_hours: 1 }],
    'approves itself': [{ ...STRICT, on_timeout: 'auto_approve' }],
  };
  for (const [how, checkpoints] of Object.entries(WEAKER)) {
    it(`is no agent if a checkpoint ${how} afterwards`, () => {
      assert.equal(codeOf({ checkpoints: [STRICT] }, { checkpoints }), 'forbidden');
      for (const by of PEOPLE)
        assert.equal(codeOf({ checkpoints: [STRICT] }, { checkpoints }, by), undefined);
    });
  }

  it('is no agent whom the access list of the intent lets only read', () => {
    const asking = { escalations: [AN_ESCALATION] };
    for (const by of [AGENT, caller('planner')]) {
      assert.equal(codeOf({}, { state: 'paused' }, by, 'read'), 'forbidden');
      assert.equal(codeOf(asking, { state: 'active' }, caller('planner'), 'read'), 'forbidden');
    }
  });

  it('may be an agent that adds checkpoints, renames one, or demands an approval', () => {
    const loose = { ...STRICT, requires_approval: false };
    const writes: readonly (readonly [Checkpoint, readonly Checkpoint[]])[] = [
      [STRICT, [STRICT, { ...STRICT, id: 'more' }]],
      [STRICT, [{ ...STRICT, id: 'other', name: 'renamed', approvers: ['bob', 'alice'] }]],
      [loose, [STRICT]],
      [loose, [{ ...loose, approvers: [], on_timeout: 'auto_approve' }]],
    ];
    for (const [before, checkpoints] of writes) {
      assert.equal(codeOf({ checkpoints: [before] }, { checkpoints }), undefined);
    }
  });

  it('leaves one checkpoint for each that was there', () => {
    const twice = [STRICT, { ...STRICT, id: 'again' }];
    assert.equal(codeOf({ checkpoints: twice }, { checkpoints: [STRICT] }), 'forbidden');
  });

  it('does not touch a checkpoint that was reached', () => {
    for (const status of ['reached', 'approved', 'rejected'] as const) {
      assert.equal(
        codeOf({ checkpoints: [{ ...STRICT, status }] }, { checkpoints: [] }),
        undefined,
      );
    }
  });

  it('is who made it, or a person, if it goes on past an open question', () => {
    const asking = { escalations: [AN_ESCALATION] };
    assert.equal(codeOf(asking, { state: 'active' }), 'forbidden');
    for (const by of [caller('planner'), ...PEOPLE]) {
      assert.equal(codeOf(asking, { state: 'active' }, by), undefined);
    }
    assert.equal(codeOf(asking, { state: 'cancelled' }), undefined);
    const decided = { escalations: [{ ...AN_ESCALATION, status: 'decided' as const }] };
    assert.equal(codeOf(decided, { state: 'active' }), undefined);
  });

  it('is a person where only a part of the write is for people', () => {
    const plan = { escalations: [AN_ESCALATION], checkpoints: [STRICT] };
    const write = { state: 'active', checkpoints: [] } as const;
    assert.equal(codeOf(plan, write, caller('planner')), 'forbidden');
    assert.equal(codeOf(plan, write, caller('alice', 'operator')), undefined);
  });

  it('is no operator otherwise, and nobody who only reads', () => {
    assert.equal(codeOf({}, { state: 'active' }), undefined);
    for (const role of ['operator', 'auditor'] as const) {
      assert.equal(codeOf({}, { state: 'active' }, caller('x', role)), 'forbidden');
    }
  });
});
