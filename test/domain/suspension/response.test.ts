import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import {
  checkValue,
  fallbackOf,
  metadataWithNotes,
  respondResult,
  validChoices,
  withNotesInPlace,
} from '../../../domain/suspension/answering/response.js';
import { findingsOf } from '../../../domain/suspension/asking/findings.js';
import { asksOnceMore, isDangerous } from '../../../domain/suspension/form/once-more.js';
import { granted, ID, INTENT_ID, recordWith, refused, settledWith } from '../samples.js';

const APPROVE = {
  value: 'approve',
  label: 'Approve refund',
  description: 'Issue full refund to original payment method',
};
const DENY = { value: 'deny', label: 'Deny refund' };
const CHOICE = { response_type: 'choice' as const, choices: [APPROVE, DENY] };
const CONFIRM = { response_type: 'confirm' as const };
const TEXT = { response_type: 'text' as const };
const FORM = { response_type: 'form' as const };

const anyValue = fc.jsonValue() as fc.Arbitrary<JsonValue>;

describe('an answer to a choice question', () => {
  it('is one of the values, and finds its choice [R25-22, R25-75]', () => {
    assert.deepEqual(granted(checkValue(CHOICE, 'approve')), { choice: APPROVE });
    assert.deepEqual(granted(checkValue(CHOICE, 'deny')), { choice: DENY });
  });

  const WRONG: readonly JsonValue[] = [
    'Approve refund',
    'APPROVE',
    ' approve',
    'approve ',
    '',
    0,
    true,
    null,
    ['approve'],
    { value: 'approve' },
  ];
  for (const value of WRONG) {
    it(`is not ${JSON.stringify(value)} [R25-26, R25-75, R25-84, R25-85, AM-14]`, () => {
      const refusal = refused(checkValue(CHOICE, value));
      assert.equal(refusal.code, 'invalid_value');
      assert.equal(refusal.field, 'value');
      assert.deepEqual(refusal.valid_choices, ['approve', 'deny']);
    });
  }

  it('is never accepted unless it is listed [R25-75]', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        assert.equal(checkValue(CHOICE, value).ok, value === 'approve' || value === 'deny');
      }),
    );
  });
});

describe('an answer to a confirm question', () => {
  it('is yes or no, with labels even by default [R25-23, R25-76, R25-74]', () => {
    const yes = granted(checkValue(CONFIRM, 'yes'));
    const no = granted(checkValue(CONFIRM, 'no'));
    assert.deepEqual([yes.choice?.label, no.choice?.label], ['Yes', 'No']);
  });

  const WRONG: readonly JsonValue[] = [true, false, 'Yes', 'NO', 'y', '', 1, null];
  for (const value of WRONG) {
    it(`is not ${JSON.stringify(value)} [R25-76, R25-84, AM-14]`, () => {
      const refusal = refused(checkValue(CONFIRM, value));
      assert.equal(refusal.code, 'invalid_value');
      assert.deepEqual(refusal.valid_choices, ['yes', 'no']);
    });
  }

  it('stays binary where the agent dressed one side only [AM-12, R25-76]', () => {
    const dressed = { ...CONFIRM, choices: [{ value: 'yes', label: 'Ship it' }] };
    assert.equal(granted(checkValue(dressed, 'yes')).choice?.label, 'Ship it');
    assert.deepEqual(granted(checkValue(dressed, 'no')), {});
  });

  it('is yes or no whatever other choices are stored [AM-12, R25-76]', () => {
    const stored = { ...CONFIRM, choices: [{ value: 'maybe', label: 'Maybe' }] };
    assert.deepEqual(refused(checkValue(stored, 'maybe')).valid_choices, ['yes', 'no']);
  });
});

describe('an answer to a text question', () => {
  it('is any text but the empty one [R25-24, R25-77, AM-11]', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        assert.deepEqual(granted(checkValue(TEXT, text)), {});
      }),
    );
    assert.ok(checkValue(TEXT, ' \n\t').ok);
  });

  const WRONG: readonly JsonValue[] = ['', 0, 5, true, null, [], ['a'], {}];
  for (const value of WRONG) {
    it(`is not ${JSON.stringify(value)} [R25-77, R25-84, AM-11]`, () => {
      const refusal = refused(checkValue(TEXT, value));
      assert.equal(refusal.code, 'invalid_value');
      assert.equal('valid_choices' in refusal, false);
    });
  }
});

describe('an answer to a form question', () => {
  it('is any JSON value [R25-25, R25-78, AM-13]', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        assert.deepEqual(granted(checkValue(FORM, value)), {});
      }),
    );
  });
});

describe('the reply to an accepted answer', () => {
  it('names the label and description of the choice [R25-74, R25-50, R25-51]', () => {
    const metadata = { channel: 'slack' };
    const record = settledWith({ ...CHOICE, response: 'approve', metadata });
    assert.deepEqual(respondResult(INTENT_ID, record), {
      intent_id: INTENT_ID,
      suspension_id: ID,
      resolution: 'responded',
      value: 'approve',
      choice_label: 'Approve refund',
      choice_description: 'Issue full refund to original payment method',
      responded_by: 'alice@example.com',
      responded_at: '2026-03-24T10:30:00.000Z',
      metadata,
    });
  });

  it('has no label for a text that reads like one of the usual choices', () => {
    const result = respondResult(INTENT_ID, settledWith({ response: 'yes' }));
    assert.equal('choice_label' in result, false);
  });

  it('leaves out a description the choice lacks [R25-74]', () => {
    const result = respondResult(INTENT_ID, settledWith({ ...CHOICE, response: 'deny' }));
    assert.equal(result.choice_label, 'Deny refund');
    assert.equal('choice_description' in result, false);
  });

  it('has no label where nothing matches [R25-74]', () => {
    const result = respondResult(INTENT_ID, settledWith());
    assert.equal('choice_label' in result || 'choice_description' in result, false);
    assert.equal('metadata' in result, false);
  });

  it('tells when the operator answered, not when that was written [R25-51]', () => {
    const record = settledWith({ settled_at: '2026-03-24T10:30:09.000Z' });
    assert.equal(respondResult(INTENT_ID, record).responded_at, '2026-03-24T10:30:00.000Z');
  });

  it('falls back on who settled it and when, where the record names nobody', () => {
    const { responded_at: _, responded_by: __, ...record } = settledWith();
    const result = respondResult(INTENT_ID, record);
    assert.equal(result.responded_by, 'operator');
    assert.equal(result.responded_at, record.settled_at);
  });

  it('gives a form back as it came [R25-78]', () => {
    const response = { amount: '007', ok: null, tags: [] };
    const record = settledWith({ response_type: 'form', response });
    assert.deepEqual(respondResult(INTENT_ID, record).value, response);
    const empty = settledWith({ response_type: 'form', response: null });
    assert.equal(respondResult(INTENT_ID, empty).value, null);
  });
});

describe('the choices that an answer can take', () => {
  const YES = { value: 'yes', label: 'Yes' };
  const NO = { value: 'no', label: 'No' };

  it('are those that a choice question lists', () => {
    assert.deepEqual(validChoices(CHOICE), [APPROVE, DENY]);
  });

  it('are yes and no for confirm, whatever it lists [R25-33]', () => {
    assert.deepEqual(validChoices(CONFIRM), [YES, NO]);
    const listed = [DENY, { value: 'no', label: 'Never' }];
    assert.deepEqual(validChoices({ ...CONFIRM, choices: listed }), [YES, listed[1]]);
  });

  it('are none for text and form', () => {
    assert.deepEqual([validChoices(TEXT), validChoices(FORM)], [[], []]);
  });

  it('leave any value open where a choice question lists none', () => {
    for (const value of ['anything', 7, null]) {
      assert.deepEqual(granted(checkValue({ response_type: 'choice' }, value)), {});
    }
  });
});

describe('a refused text', () => {
  it('names the field and no choices', () => {
    const { code, field, valid_choices } = refused(checkValue(TEXT, ''));
    assert.deepEqual([code, field, valid_choices], ['invalid_value', 'value', undefined]);
  });
});

describe('the notes of an answer', () => {
  it('are moved out of the metadata', () => {
    const answer = { value: 'yes', metadata: { comment: 'ok', data: { a: 1 }, via: 'cli' } };
    assert.deepEqual(withNotesInPlace(answer), {
      value: 'yes',
      comment: 'ok',
      data: { a: 1 },
      metadata: { via: 'cli' },
    });
  });

  it('leave no empty metadata behind', () => {
    assert.deepEqual(withNotesInPlace({ metadata: { comment: 'ok' } }), { comment: 'ok' });
  });

  for (const answer of [
    { value: 'yes' },
    { metadata: { via: 'cli' } },
    { metadata: { comment: 5, data: [1] } },
    { comment: 'mine', data: {}, metadata: { comment: 'other', data: { a: 1 } } },
  ]) {
    it(`leave ${JSON.stringify(answer)} as it is`, () => {
      assert.deepEqual(withNotesInPlace(answer), answer);
    });
  }

  it('are metadata to the OpenIntent API', () => {
    const record = { comment: 'ok', data: { a: 1 }, metadata: { via: 'cli' } };
    assert.deepEqual(metadataWithNotes(record), { via: 'cli', comment: 'ok', data: { a: 1 } });
    assert.deepEqual(metadataWithNotes({ comment: 'ok' }), { comment: 'ok' });
    assert.deepEqual(metadataWithNotes({ metadata: {} }), {});
    assert.equal(metadataWithNotes({}), undefined);
  });
});

const CHOICES = { response_type: 'choice' as const, choices: [{ value: 'deny', label: 'Deny' }] };
const RETURNING = ['complete_with_fallback', 'use_default_and_continue'] as const;

describe('the fallback of an unanswered question', () => {
  it('abandons on fail, whatever value there is [R25-07, R25-56, AM-02]', () => {
    const record = recordWith({ fallback_policy: 'fail', fallback_value: 'unused' });
    assert.deepEqual(fallbackOf(record), { status: 'abandoned', fallback_policy: 'fail' });
  });

  for (const fallback_policy of RETURNING) {
    it(`goes on with the value for ${fallback_policy} [R25-57, R25-58, AM-03, AM-04]`, () => {
      const record = recordWith({ ...CHOICES, fallback_policy, fallback_value: 'deny' });
      const expected = { status: 'active', fallback_policy, value: 'deny' };
      assert.deepEqual(fallbackOf(record), expected);
    });

    it(`goes on with null for ${fallback_policy} without a value [AM-05]`, () => {
      const record = recordWith({ response_type: 'form', fallback_policy });
      assert.deepEqual(fallbackOf(record), { status: 'active', fallback_policy, value: null });
    });
  }

  it('returns false, zero, an empty text and null as they are [R25-45, R25-57]', () => {
    for (const fallback_value of [false, 0, '', null]) {
      const record = recordWith({
        response_type: 'form',
        fallback_policy: 'complete_with_fallback',
        fallback_value,
      });
      assert.equal(fallbackOf(record).value, fallback_value);
    }
  });

  it('marks a value that no operator could give [AM-06]', () => {
    const fallback_policy = 'complete_with_fallback';
    const wrong = [
      recordWith({ ...CHOICES, fallback_policy, fallback_value: 'Deny' }),
      recordWith({ response_type: 'confirm', fallback_policy, fallback_value: true }),
      recordWith({ response_type: 'text', fallback_policy, fallback_value: '' }),
      recordWith({ ...CHOICES, fallback_policy }),
    ];
    for (const record of wrong) {
      assert.equal(findingsOf(record).fallback_value_valid, false);
      assert.equal(fallbackOf(record).status, 'active');
    }
  });

  it('finds nothing about a value that counts, or that no policy returns', () => {
    const value = { ...CHOICES, fallback_value: 'deny', timeout_seconds: 60 };
    for (const fallback_policy of RETURNING) {
      assert.deepEqual(findingsOf(recordWith({ ...value, fallback_policy })), {});
    }
    const unused = { ...value, fallback_policy: 'fail', fallback_value: 'Deny' } as const;
    assert.equal('fallback_value_valid' in findingsOf(recordWith(unused)), false);
  });

  it('is the same for the same record each time [R25-02]', () => {
    const record = recordWith({ ...CHOICES, fallback_policy: 'use_default_and_continue' });
    assert.deepEqual(fallbackOf(record), fallbackOf({ ...record }));
  });
});

describe('what asks once more before it is sent', () => {
  const choices = [
    { value: 'keep', style: 'primary' },
    { value: 'delete', style: 'danger' },
    { value: 'later' },
  ] as const;

  it('is a choice that its asker calls dangerous, and no other', () => {
    const asked = choices.filter(({ value }) => asksOnceMore({ choices }, value));
    assert.deepEqual(
      asked.map(({ value }) => value),
      ['delete'],
    );
    assert.deepEqual([isDangerous(choices[1]), isDangerous(undefined)], [true, false]);
  });

  it('is no answer that is none of its choices', () => {
    assert.equal(asksOnceMore({}, 'delete'), false);
    assert.equal(asksOnceMore({ choices }, 'destroy'), false);
  });

  it('is each decision on an approval', () => {
    assert.equal(asksOnceMore({ approval: {}, choices }, 'keep'), true);
  });
});
