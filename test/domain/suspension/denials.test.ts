import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { decisionOf } from '../../../domain/suspension/answering/decision.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { granted, refused, requestWith } from '../samples.js';

const LIMITS = { contextBytes: 64 * 1024 };
const CHOICES = ['ship', 'hold', 'cancel'].map((value) => ({ value, label: value }));

function resolved(fields: Partial<SuspendRequest>) {
  return granted(resolveQuestion(requestWith({ choices: CHOICES, ...fields }), null, LIMITS));
}

function refusal(fields: Partial<SuspendRequest>) {
  return refused(resolveQuestion(requestWith({ choices: CHOICES, ...fields }), null, LIMITS));
}

describe('the denials of a question', () => {
  it('are kept as declared, each once, and are those of its rule', () => {
    const { draft } = resolved({ denials: ['hold', 'hold'], decision_rule: { quorum: 2 } });
    assert.deepEqual(draft.denials, ['hold']);
    assert.deepEqual(draft.decision_rule?.denials, ['hold']);
  });

  it('make no rule where the question has none, and stand in the rule as it is in force', () => {
    const { draft } = resolved({ denials: ['hold'] });
    assert.equal(draft.decision_rule, undefined);
    const record = { ...draft, id: 'x', suspended_at: '2026-11-20T10:05:00.000Z' };
    assert.deepEqual(decisionOf(record, 1).rule.denials, ['hold']);
  });

  it('are those of the rule where they are declared there', () => {
    const { draft } = resolved({ decision_rule: { denials: ['hold'] } });
    assert.deepEqual(draft.denials, ['hold']);
  });

  it('are absent where nothing is declared, whatever the values look like', () => {
    const { draft } = resolved({ decision_rule: { quorum: 2 } });
    assert.equal('denials' in draft, false);
    assert.deepEqual(draft.decision_rule?.denials, []);
    const confirm = resolved({ response_type: 'confirm', choices: [] });
    assert.equal('denials' in confirm.draft, false);
  });

  it('are not declared by an empty list in the rule alone', () => {
    for (const response_type of ['choice', 'confirm'] as const) {
      const choices = response_type === 'choice' ? CHOICES : [];
      const decision_rule = { denials: [] };
      const { draft, findings } = resolved({ response_type, choices, decision_rule });
      assert.equal('denials' in draft, false);
      assert.deepEqual(draft.decision_rule?.denials, []);
      assert.equal(findings.warnings, undefined);
      const both = resolved({ response_type, choices, denials: [], decision_rule });
      assert.deepEqual(both.draft.denials, []);
    }
  });

  it('may be none, for any type', () => {
    for (const response_type of ['choice', 'confirm', 'text'] as const) {
      const choices = response_type === 'choice' ? CHOICES : [];
      assert.deepEqual(resolved({ response_type, choices, denials: [] }).draft.denials, []);
    }
  });

  it('take the place of the no of a confirm question', () => {
    const { draft } = resolved({
      response_type: 'confirm',
      choices: [],
      denials: ['yes'],
      decision_rule: { quorum: 2 },
    });
    assert.deepEqual(draft.decision_rule?.denials, ['yes']);
  });

  for (const [what, fields, field] of [
    ['no choice', { denials: ['stop'] }, 'denials'],
    ['no choice, in the rule', { decision_rule: { denials: ['stop'] } }, 'decision_rule.denials'],
    ['a text', { response_type: 'text', choices: [], denials: ['no'] }, 'denials'],
    [
      'one of two lists that differ',
      { denials: ['hold'], decision_rule: { denials: ['cancel'] } },
      'denials',
    ],
  ] as const) {
    it(`are refused for what is ${what}`, () => {
      const { code, field: at } = refusal(fields as unknown as Partial<SuspendRequest>);
      assert.deepEqual([code, at], ['invalid_decision_rule', field]);
    });
  }

  it('may be said twice alike', () => {
    const decision_rule = { denials: ['cancel', 'hold'] };
    const { draft } = resolved({ denials: ['hold', 'cancel'], decision_rule });
    assert.deepEqual(draft.denials, ['hold', 'cancel']);
  });

  it('warn of a usual no that is not among them', () => {
    const { warnings } = resolved({ denials: ['hold'] }).findings;
    assert.deepEqual(warnings, [
      'The choice cancel is not among the denials: nothing says whether it is a go.',
    ]);
    assert.deepEqual(resolved({ denials: ['hold', 'cancel'] }).findings.warnings, undefined);
    assert.deepEqual(resolved({ denials: [] }).findings.warnings, undefined);
  });
});
