import assert from 'node:assert/strict';
import { findingsOf } from '../../../domain/suspension/asking/findings.js';
import { fallbackOf } from '../../../domain/suspension/answering/response.js';
import { recordWith } from '../samples.js';

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
