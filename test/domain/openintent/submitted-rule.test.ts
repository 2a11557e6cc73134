import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { submittedQuestion } from '../../../domain/openintent/submitted-question.js';
import { granted, ID, OPENED_AT, refused } from '../samples.js';

const NOW = Date.parse(OPENED_AT);

const given = (fields: JsonObject): JsonObject => ({
  id: ID,
  question: 'Refund?',
  response_type: 'confirm',
  suspended_at: OPENED_AT,
  ...fields,
});
const read = (fields: JsonObject) => submittedQuestion(given(fields), NOW, LIMITS);

describe('who decides a question that an agent wrote', () => {
  it('is one person, if it says nothing', () => {
    for (const fields of [{}, { decision_rule: null, on_behalf_of: null }]) {
      const { record } = granted(read(fields));
      assert.ok(!('decision_rule' in record) && !('on_behalf_of' in record));
    }
  });

  it('is read and completed', () => {
    const decision_rule = {
      eligible: { principals: ['ann', 'ben'], groups: ['finance'] },
      quorum: 2,
      veto: null,
    };
    const { record } = granted(read({ decision_rule, on_behalf_of: 'carol' }));
    assert.deepEqual(record.decision_rule, {
      eligible: { principals: ['ann', 'ben'], groups: ['finance'] },
      excluded: [],
      quorum: 2,
      denials: ['no'],
      veto: true,
    });
    assert.equal(record.on_behalf_of, 'carol');
  });

  it('may differ by attempt', () => {
    const eligible = { roles: ['admin'] };
    const escalation_ladder = [{ attempt: 2, channel_hint: '', eligible }, { attempt: 3 }];
    const retry_policy = { max_attempts: 3, interval_seconds: 60, escalation_ladder };
    const { record } = granted(read({ retry_policy }));
    const ladder = record.retry_policy?.escalation_ladder.map((entry) => entry.eligible);
    assert.deepEqual(ladder, [eligible, undefined]);
  });

  const faults: readonly (readonly [string, string, JsonObject])[] = [
    ['a rule that is no object', 'decision_rule', { decision_rule: ['ann'] }],
    ['a part that no rule has', 'decision_rule', { decision_rule: { quorom: 2 } }],
    ['no list of people', 'decision_rule.eligible', rule({ eligible: { principals: 'ann' } })],
    ['null for a list', 'decision_rule.eligible', rule({ eligible: { principals: null } })],
    ['an empty name', 'decision_rule.eligible', rule({ eligible: { groups: [' '] } })],
    ['agents as voters', 'decision_rule.eligible', rule({ eligible: { roles: ['agent'] } })],
    ['no names', 'decision_rule.excluded', rule({ excluded: [7] })],
    ['a quorum of nobody', 'decision_rule.quorum', rule({ quorum: 0 })],
    ['half a person', 'decision_rule.quorum', rule({ quorum: 1.5 })],
    ['a quorum beyond the limit', 'decision_rule.quorum', rule({ quorum: LIMITS.votes + 1 })],
    ['a quorum that two choices cannot have', 'decision_rule.quorum', rule({ quorum: 14 })],
    ['a denial that cannot be given', 'decision_rule.denials', rule({ denials: ['never'] })],
    ['a denial that is no text', 'decision_rule.denials', rule({ denials: [0] })],
    ['a veto that is no truth value', 'decision_rule.veto', rule({ veto: 'yes' })],
    ['nobody it is for', 'on_behalf_of', { on_behalf_of: '' }],
    ['a name that is too long', 'on_behalf_of', { on_behalf_of: 'x'.repeat(201) }],
  ];
  for (const [what, field, fields] of faults) {
    it(`is refused with ${what}`, () => {
      const refusal = refused(read(fields));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_patch', `_suspension.${field}`]);
      assert.notEqual(refusal.accepted, '');
    });
  }

  it('is refused with a level of the ladder that cannot be read', () => {
    const escalation_ladder = [{ attempt: 2, eligible: ['ann'] }];
    const refusal = refused(read({ retry_policy: { escalation_ladder } }));
    assert.equal(refusal.field, '_suspension.retry_policy.escalation_ladder');
  });

  function rule(decision_rule: JsonObject): JsonObject {
    return { decision_rule };
  }
});
