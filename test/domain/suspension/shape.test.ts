import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspensionChoice } from '../../../contracts/suspension/suspension.js';
import { checkSameShape } from '../../../domain/suspension/form/shape.js';
import { granted, recordWith, refused, settledWith } from '../samples.js';

const choices = (...values: string[]) => ({
  response_type: 'choice' as const,
  choices: values.map((value) => ({ value, label: `to ${value}` })),
});
const relabelled = (change: Partial<SuspensionChoice>) => {
  const [first, ...rest] = choices('approve', 'deny').choices;
  return {
    ...choices(),
    choices: [{ value: 'approve', label: 'to approve', ...first, ...change }, ...rest],
  };
};
const FIRST = recordWith(choices('approve', 'deny'));

describe('questions that one answer is given to', () => {
  it('have the same type, choices and schema, in whatever order', () => {
    const other = recordWith({ ...choices('deny', 'approve'), question: 'Refund 7?' });
    other.choices?.forEach((choice) => (choice.description = 'another'));
    granted(checkSameShape([FIRST, other, FIRST]));
    granted(
      checkSameShape([
        recordWith({ response_type: 'confirm' }),
        recordWith({ response_type: 'confirm', choices: [{ value: 'no', label: 'No' }] }),
      ]),
    );
  });

  for (const [what, other] of [
    ['another type', recordWith({ response_type: 'text' })],
    ['other values', recordWith(choices('approve', 'later'))],
    ['another label', recordWith(relabelled({ label: 'to keep it' }))],
    ['another style', recordWith(relabelled({ style: 'danger' }))],
    ['more values', recordWith(choices('approve', 'deny', 'later'))],
    [
      'a schema',
      recordWith({ ...choices('approve', 'deny'), response_schema: { type: 'object' } }),
    ],
  ] as const) {
    it(`are refused if one has ${what}`, () => {
      const { code, field } = refused(checkSameShape([undefined, FIRST, FIRST, other]));
      assert.deepEqual([code, field], ['mixed_shapes', 'answers[3].suspension_id']);
    });
  }

  it('are refused if a yes means another thing', () => {
    const confirm = (label: string) =>
      recordWith({ response_type: 'confirm', choices: [{ value: 'yes', label }] });
    granted(checkSameShape([confirm('Keep it'), confirm('Keep it')]));
    const { code } = refused(checkSameShape([confirm('Keep it'), confirm('Delete it')]));
    assert.equal(code, 'mixed_shapes');
  });

  it('are looked at as far as they are known and open', () => {
    granted(checkSameShape([undefined, settledWith(), FIRST, settledWith()]));
    granted(checkSameShape([undefined]));
  });
});
