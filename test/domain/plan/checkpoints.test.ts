import assert from 'node:assert/strict';
import type { Checkpoint, CheckpointRequest } from '../../../contracts/plan/plan.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { tellingHere } from '../../../domain/directory/audience.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import {
  APPROVAL_CHOICES,
  APPROVE,
  checkPlanWriter,
  checkpointRule,
  judgedCheckpoints,
} from '../../../domain/plan/checkpoints.js';
import type { PlanRecord } from '../../../domain/plan/state.js';
import type { AccessLevel } from '../../../domain/policy/access-list.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { caller } from '../../support/callers.js';
import { granted, refused } from '../samples.js';
import { A_CHECKPOINT, AN_ESCALATION, aPlan, SECOND } from './plan-samples.js';

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

const RULE = { ...DEFAULT_RULE, denials: ['reject'] };

describe('who decides at a checkpoint', () => {
  it('approves or rejects', () => {
    assert.equal(APPROVE, 'approve');
    assert.deepEqual(APPROVAL_CHOICES, [
      { value: 'approve', label: 'Approve', style: 'primary' },
      { value: 'reject', label: 'Reject', style: 'danger' },
    ]);
  });

  it('is as always, if the checkpoint says nothing', () => {
    assert.equal(granted(checkpointRule({ approvers: [] })), undefined);
  });

  it('is one of its approvers, and a rejection denies', () => {
    assert.deepEqual(granted(checkpointRule({ approvers: ['ada', 'bob'] })), {
      ...RULE,
      eligible: { principals: ['ada', 'bob'] },
    });
  });

  it('is as its rule says, which goes before its approvers', () => {
    const decision_rule = { quorum: 2 };
    assert.deepEqual(granted(checkpointRule({ approvers: [], decision_rule })), {
      ...RULE,
      quorum: 2,
    });
    const approvers = ['ada', 'bob'];
    assert.deepEqual(granted(checkpointRule({ approvers, decision_rule })), {
      ...RULE,
      quorum: 2,
      eligible: { principals: approvers },
    });
    const eligible = { roles: ['admin' as const] };
    const named = granted(checkpointRule({ approvers, decision_rule: { eligible } }));
    assert.deepEqual(named?.eligible, eligible);
  });

  it('is refused if too few approvers could ever agree', () => {
    const rule = { approvers: ['ada'], decision_rule: { quorum: 2 } };
    assert.equal(refused(checkpointRule(rule)).code, 'invalid_decision_rule');
  });
});

const KEYS = [
  { space: 'default', principal: 'bob', groups: ['finance'] },
  { space: 'default', principal: 'ann', groups: [] },
];
const ALL = knownPeople('default', KEYS);
const SOME = knownPeople('default', KEYS, {}, false);

const checkpoint = (fields: Partial<CheckpointRequest>): CheckpointRequest => ({
  after_task: 'review',
  name: null,
  requires_approval: true,
  approvers: [],
  timeout_hours: null,
  on_timeout: 'escalate',
  ...fields,
});
const HERE = tellingHere(serverConfigSchema.parse({}), 'default', undefined);
const judged = (
  fields: Partial<CheckpointRequest>,
  { people = ALL, askers = [] as readonly string[], isLenient = false } = {},
) =>
  judgedCheckpoints([checkpoint({}), checkpoint(fields)], {
    people,
    telling: HERE,
    askers,
    isLenient,
  });
const rule = (eligible: object, more: object = {}) => ({ decision_rule: { eligible, ...more } });

describe('whom the checkpoints of a plan let approve', () => {
  it('may be anybody who is known, or nobody by name', () => {
    for (const fields of [
      {},
      { approvers: ['bob', 'ann'] },
      rule({ groups: ['finance'] }),
      // The rule takes the place of the approvers, and without an approval nobody is asked.
      { approvers: ['bobb'], ...rule({ principals: ['bob'] }) },
      { approvers: ['bobb'], requires_approval: false },
    ]) {
      assert.deepEqual(granted(judged(fields)), [checkpoint({}), checkpoint(fields)]);
    }
  });

  for (const [fields, field] of [
    [{ approvers: ['bob', 'bobb'] }, 'checkpoints[1].approvers[1]'],
    [{ approvers: ['bobb'], decision_rule: { quorum: 1 } }, 'checkpoints[1].approvers[0]'],
    [rule({ principals: ['bobb'] }), 'checkpoints[1].decision_rule.eligible.principals[0]'],
    [rule({ groups: ['legal'] }), 'checkpoints[1].decision_rule.eligible.groups[0]'],
  ] as const) {
    it(`is nobody unknown in ${field}: refused where all are known, else warned of`, () => {
      const own = fields as Partial<CheckpointRequest>;
      const refusal = refused(judged(own));
      assert.deepEqual([refusal.code, refusal.field], ['unknown_principal', field]);
      for (const where of [{ people: SOME }, { isLenient: true }]) {
        const { warnings = [] } = granted(judged(own, where))[1] ?? {};
        assert.match(
          warnings.join(),
          /^No key and no entry of the directory lets the (principal|group) /,
        );
      }
    });
  }

  it('is somebody else than who asks, where duties are separate', () => {
    const { code, field } = refused(judged({ approvers: ['ann'] }, { askers: ['ann'] }));
    assert.deepEqual([code, field], ['invalid_decision_rule', 'checkpoints[1].approvers']);
    granted(judged({ approvers: ['ann'] }));
    const told = granted(judged({ approvers: ['ann'] }, { askers: ['ann'], isLenient: true }))[1];
    assert.match(told?.warnings?.join() ?? '', /Duties are separate/);
  });

  it('is told of in two sentences at most, for a plan carries them', () => {
    const approvers = Array.from({ length: 20 }, (_, index) => `nobody-${index}`);
    assert.equal(granted(judged({ approvers }, { people: SOME }))[1]?.warnings?.length, 2);
  });

  it('is not judged where nobody is looked for', () => {
    const where = { people: undefined, telling: HERE, askers: [], isLenient: false };
    granted(judgedCheckpoints([checkpoint({ approvers: ['bobb'] })], where));
  });
});
