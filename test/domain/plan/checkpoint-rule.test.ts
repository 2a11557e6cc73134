import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { APPROVAL_CHOICES, APPROVE, checkpointRule } from '../../../domain/plan/checkpoints.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { granted, refused } from '../samples.js';

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
