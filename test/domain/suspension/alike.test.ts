import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { findingsOf } from '../../../domain/suspension/asking/findings.js';
import { LIMITS } from '../../../contracts/constants/limits.js';

type Choices = readonly { readonly value: string; readonly label: string }[];

const CAUSE =
  'are easily confused: they differ only in case, blanks, or characters that look alike or are invisible.';

function warningsOf(choices: Choices): readonly string[] {
  const record = { response_type: 'choice', choices, fallback_policy: 'fail' };
  return findingsOf(record as unknown as SuspensionRecord).warnings ?? [];
}

/** Choices with these values, whose labels are clear. */
const valued = (...values: readonly string[]): Choices =>
  values.map((value, index) => ({ value, label: `Plan ${index + 1} of the list` }));

describe('two choices whose values nobody tells apart', () => {
  for (const [one, other, shown] of [
    ['ok', 'ok ', '"ok" and "ok "'],
    ['ok', 'ok\u00a0', '"ok" and "ok[U+00A0]"'],
    ['a b', 'ab', '"a b" and "ab"'],
    ['go', 'g\u200bo', '"go" and "g[U+200B]o"'],
    ['Yes', 'yes', '"Yes" and "yes"'],
    ['IDLE', 'idle', '"IDLE" and "idle"'],
    ['straße', 'STRASSE', '"straße" and "STRASSE"'],
    ['caf\u00e9', 'cafe\u0301', '"caf\u00e9" and "cafe[U+0301]"'],
    ['caf\u00e9', 'cafe\u200b\u0301', '"caf\u00e9" and "cafe[U+200B][U+0301]"'],
    ['pay', 'p\u0430y', '"pay" and "p[U+0430]y"'],
    [
      `${'x'.repeat(200)}A${'y'.repeat(99)}`,
      `${'x'.repeat(200)}a${'y'.repeat(99)}`,
      `"…${'x'.repeat(30)}A${'y'.repeat(29)}…" and "…${'x'.repeat(30)}a${'y'.repeat(29)}…"`,
    ],
  ] as const) {
    it(`bring a warning that shows the difference: ${shown.slice(0, 60)}`, () => {
      assert.deepEqual(warningsOf(valued(one, other)), [`The values ${shown} ${CAUSE}`]);
    });
  }

  it('bring no warning where they differ', () => {
    assert.deepEqual(warningsOf(valued('yes', 'no', 'plan-1', 'plan-2', 'é', 'e', '2', '²')), []);
  });

  it('bring few warnings, however many they are', () => {
    const many = Array.from({ length: 50 }, (_none, index) => 'ok'.padEnd(index + 2));
    assert.equal(warningsOf(valued(...many)).length, 3);
    const long = 'ok'.repeat(LIMITS.contextBytes);
    assert.equal(warningsOf(valued(long, `${long} `)).length, 0);
  });
});

describe('two choices whose labels differ in case only', () => {
  it('bring one warning, about what people see', () => {
    const labelled = (value: string, label: string) => ({ value, label });
    const shown = warningsOf([labelled('a', 'Agree'), labelled('b', 'agree')]);
    assert.deepEqual(shown, [`The labels "Agree" and "agree" ${CAUSE}`]);
    const both = warningsOf([labelled('Yes', 'Yes'), labelled('yes', 'yes')]);
    assert.deepEqual(both, [`The values "Yes" and "yes" ${CAUSE}`]);
  });
});
