import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  engagementModeSchema,
  engagementSignalsSchema,
  type EngagementDecision,
  type EngagementMode,
} from '../../../contracts/suspension/engagement.js';
import { decide } from '../../../domain/suspension/telling/engagement.js';

function decideOn(confidence: number, risk: number, reversibility: number): EngagementDecision {
  return decide({ confidence, risk, reversibility, context: {} });
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe('the engagement decision', () => {
  const TABLE: readonly [number, number, number, EngagementMode, string][] = [
    [0.85, 0.2, 0.5, 'autonomous', 'R25-65'],
    [1, 0, 1, 'autonomous', 'R25-65'],
    [0.84, 0.2, 0.5, 'request_input', 'R25-65, R25-68'],
    [0.85, 0.21, 0.5, 'request_input', 'R25-65, R25-68'],
    [0.85, 0.2, 0.49, 'request_input', 'R25-65, R25-68'],
    [0.5, 0.5, 0.11, 'request_input', 'R25-66, R25-67, R25-68'],
    [0.49, 0.5, 0.11, 'require_input', 'R25-66'],
    [0.5, 0.51, 0.11, 'require_input', 'R25-66'],
    [0, 0, 1, 'require_input', 'R25-66'],
    [1, 0.79, 1, 'require_input', 'R25-66, R25-67'],
    [1, 0.8, 1, 'defer', 'R25-67, AM-07'],
    [1, 1, 1, 'defer', 'R25-67, AM-07'],
    [0, 0.9, 1, 'defer', 'R25-67, AM-07'],
    [1, 0, 0.1, 'defer', 'R25-67'],
    [0, 0, 0.1, 'defer', 'R25-67, AM-07'],
    [0, 0, 0.11, 'require_input', 'R25-66, R25-67'],
    [1, 0, 0.11, 'request_input', 'R25-67, R25-68'],
    [0.55, 0.6, 0.8, 'require_input', 'R25-92'],
  ];
  for (const [confidence, risk, reversibility, mode, ids] of TABLE) {
    it(`is ${mode} at ${confidence}, ${risk}, ${reversibility} [${ids}]`, () => {
      assert.equal(decideOn(confidence, risk, reversibility).mode, mode);
    });
  }

  const EFFECTS: readonly [EngagementMode, [number, number, number], boolean, boolean][] = [
    ['autonomous', [1, 0, 1], false, true],
    ['request_input', [0.7, 0.3, 0.5], true, false],
    ['require_input', [0.4, 0.3, 0.5], true, false],
    ['defer', [0.4, 0.9, 0.5], false, false],
  ];
  for (const [mode, signals, should_ask, may_act] of EFFECTS) {
    it(`says what ${mode} allows [R25-64, R25-65, R25-66, R25-67, R25-68, AM-08]`, () => {
      const decision = decideOn(...signals);
      assert.equal(decision.mode, mode);
      assert.deepEqual([decision.should_ask, decision.may_act], [should_ask, may_act]);
    });
  }

  it('lets an agent act for autonomous alone [AM-08]', () => {
    fc.assert(
      fc.property(unit, unit, unit, (confidence, risk, reversibility) => {
        const decision = decideOn(confidence, risk, reversibility);
        assert.equal(decision.may_act, decision.mode === 'autonomous');
        assert.ok(!(decision.may_act && decision.should_ask));
      }),
    );
  });

  it('defers whatever the confidence once the risk is high [AM-07, R25-67]', () => {
    fc.assert(
      fc.property(unit, fc.double({ min: 0.8, max: 1, noNaN: true }), unit, (c, risk, r) => {
        assert.equal(decideOn(c, risk, r).mode, 'defer');
      }),
    );
  });

  const RATIONALES: readonly [number, number, number, string][] = [
    [
      0.85,
      0.2,
      0.5,
      'Acting alone is within bounds: confidence 0.85 >= 0.85, risk 0.2 <= 0.2 and reversibility 0.5 >= 0.5.',
    ],
    [0.2, 0.8, 0.1, 'Neither act nor ask: risk 0.8 >= 0.8 and reversibility 0.1 <= 0.1.'],
    [0.2, 0.9, 0.5, 'Neither act nor ask: risk 0.9 >= 0.8.'],
    [0.4, 0.6, 0.5, 'A person must decide: confidence 0.4 < 0.5 and risk 0.6 > 0.5.'],
    [0.4, 0.5, 0.5, 'A person must decide: confidence 0.4 < 0.5.'],
    [0.85, 0.2, 0.4, 'Moderate uncertainty, so ask: reversibility 0.4 < 0.5.'],
    [0.85, 0.3, 0.5, 'Moderate uncertainty, so ask: risk 0.3 > 0.2.'],
    [0.5, 0.2, 0.5, 'Moderate uncertainty, so ask: confidence 0.5 < 0.85.'],
  ];
  for (const [confidence, risk, reversibility, rationale] of RATIONALES) {
    it(`names what decided at ${confidence}, ${risk}, ${reversibility} [AM-09]`, () => {
      assert.equal(decideOn(confidence, risk, reversibility).rationale, rationale);
    });
  }

  it('repeats the signals it was made from [AM-09]', () => {
    const signals = { confidence: 0.7, risk: 0.3, reversibility: 0.6, context: { sum: 9 } };
    assert.deepEqual(decide(signals).signals, signals);
  });
});

describe('engagement signals', () => {
  it('default to confident, harmless and reversible [R25-60, R25-61, R25-62, R25-63]', () => {
    const expected = { confidence: 1, risk: 0, reversibility: 1, context: {} };
    assert.deepEqual(engagementSignalsSchema.parse({}), expected);
  });

  it('lead to autonomous when left out [R25-69]', () => {
    assert.equal(decide(engagementSignalsSchema.parse({})).mode, 'autonomous');
  });

  const WRONG = [-0.01, 1.01, Number.NaN, Number.POSITIVE_INFINITY, '0.5', null, true];
  for (const name of ['confidence', 'risk', 'reversibility']) {
    it(`are refused, not clamped, where ${name} is no number from 0 to 1 [R25-70]`, () => {
      assert.ok(engagementSignalsSchema.safeParse({ [name]: 0 }).success);
      assert.ok(engagementSignalsSchema.safeParse({ [name]: 1 }).success);
      const accepted = WRONG.filter(
        (value) => engagementSignalsSchema.safeParse({ [name]: value }).success,
      );
      assert.deepEqual(accepted, []);
    });
  }

  it('know four modes [R25-64]', () => {
    assert.deepEqual(engagementModeSchema.options, [
      'autonomous',
      'request_input',
      'require_input',
      'defer',
    ]);
  });
});
