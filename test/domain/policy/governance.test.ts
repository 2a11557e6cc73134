import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import {
  checkAllowedAgent,
  checkGovernedStatus,
  checkGovernedWrite,
} from '../../../domain/policy/governance.js';
import { refused } from '../samples.js';

const governed = (policy: JsonObject, assigned: readonly string[] = [], approvals = 0) => ({
  policy,
  assigned,
  approvals,
});
const ruleOf = (ruling: Ruling<true>) => (ruling.ok ? undefined : ruling.refusal.state?.['rule']);
const completion = { status: 'completed', reason: 'done' };

describe('a governance policy', () => {
  it('lets only assigned agents write, if it says so', () => {
    const policy = { write_scope: 'assigned_only' };
    assert.equal(ruleOf(checkGovernedWrite(governed(policy, ['a']), 'a')), undefined);
    assert.equal(ruleOf(checkGovernedWrite(governed(policy, ['a']), 'b')), 'write_scope');
    assert.equal(ruleOf(checkGovernedWrite(governed({ write_scope: 'any' }), 'b')), undefined);
  });

  it('lets only the agents that it names write, and be assigned', () => {
    const policy = { allowed_agents: ['a'] };
    assert.equal(ruleOf(checkGovernedWrite(governed(policy), 'a')), undefined);
    assert.equal(ruleOf(checkGovernedWrite(governed(policy), 'b')), 'allowed_agents');
    assert.equal(ruleOf(checkAllowedAgent({ policy }, 'b')), 'allowed_agents');
    assert.equal(ruleOf(checkAllowedAgent({ policy }, undefined)), 'allowed_agents');
    assert.equal(ruleOf(checkAllowedAgent({ policy: { allowed_agents: [] } }, 'b')), undefined);
    assert.equal(ruleOf(checkAllowedAgent({ policy: { allowed_agents: 'a' } }, 'b')), undefined);
  });

  it('demands a reason for each status', () => {
    const policy = governed({ require_status_reason: true });
    assert.equal(ruleOf(checkGovernedStatus(policy, completion)), undefined);
    assert.equal(
      ruleOf(checkGovernedStatus(policy, { status: 'active' })),
      'require_status_reason',
    );
    assert.equal(ruleOf(checkGovernedStatus(governed({}), { status: 'active' })), undefined);
  });

  it('demands approvals before an intent completes', () => {
    const one = { completion_mode: 'require_approval' };
    assert.equal(ruleOf(checkGovernedStatus(governed(one), completion)), 'completion_mode');
    assert.equal(ruleOf(checkGovernedStatus(governed(one, [], 1), completion)), undefined);
    assert.equal(ruleOf(checkGovernedStatus(governed(one), { status: 'abandoned' })), undefined);
    assert.equal(
      ruleOf(checkGovernedStatus(governed({ completion_mode: 'auto' }), completion)),
      undefined,
    );
  });

  it('counts a quorum over the assigned agents, of one at least', () => {
    const quorum = { completion_mode: 'quorum', quorum_threshold: 0.5 };
    const agents = ['a', 'b', 'c', 'd'];
    const missing = (assigned: readonly string[], approvals: number, policy: JsonObject = quorum) =>
      ruleOf(checkGovernedStatus(governed(policy, assigned, approvals), completion)) !== undefined;
    assert.deepEqual([missing(agents, 1), missing(agents, 2)], [true, false]);
    assert.deepEqual([missing([], 0), missing([], 1)], [true, false]);
    const all = { ...quorum, quorum_threshold: 1 };
    assert.deepEqual([missing(agents, 3, all), missing(agents, 4, all)], [true, false]);
    const usual = { completion_mode: 'quorum' };
    assert.deepEqual(
      [missing([...agents, 'e'], 2, usual), missing([...agents, 'e'], 3, usual)],
      [true, false],
    );
  });
});

describe('a violation of a governance policy', () => {
  it('says what would be no violation', () => {
    const violations = [
      checkGovernedWrite(governed({ write_scope: 'assigned_only' }), 'a'),
      checkAllowedAgent({ policy: { allowed_agents: ['b'] } }, 'a'),
      checkGovernedStatus(governed({ require_status_reason: true }), { status: 'active' }),
      checkGovernedStatus(governed({ completion_mode: 'require_approval' }), completion),
    ].map(refused);
    assert.deepEqual([...new Set(violations.map(({ code }) => code))], ['governance_violation']);
    assert.deepEqual(
      violations.map(({ accepted }) => accepted),
      [
        'an agent that is assigned to the intent',
        'an agent of allowed_agents',
        'a reason',
        'approvals of the action complete, granted by an operator',
      ],
    );
  });

  it('is counted with the usual share where the threshold is no number', () => {
    const policy = { completion_mode: 'quorum', quorum_threshold: 'most' };
    const agents = ['a', 'b', 'c', 'd', 'e'];
    const ruleWith = (approvals: number) =>
      ruleOf(checkGovernedStatus(governed(policy, agents, approvals), completion));
    assert.deepEqual([ruleWith(2), ruleWith(3)], ['completion_mode', undefined]);
  });
});
