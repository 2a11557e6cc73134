import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { findingsOf } from '../../../domain/suspension/asking/findings.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { granted, recordWith, requestWith } from '../samples.js';

const CHOICES = ['eu', 'us'].map((value) => ({ value, label: value }));
const USED = { fallback_policy: 'complete_with_fallback', timeout_seconds: 60 } as const;

function warningsOf(fields: Partial<SuspendRequest>): readonly string[] {
  const request = requestWith({ choices: CHOICES, ...fields });
  const { findings } = granted(resolveQuestion(request, null, { contextBytes: 64 * 1024 }));
  return findings.warnings ?? [];
}

describe('a warning for an unusual fallback', () => {
  const impossible = (value: string) => `No person could answer with the fallback value ${value}.`;
  const NEVER = 'The fallback value is never used: ';
  const confirm = { response_type: 'confirm', choices: [] } as const;

  for (const [what, fields, expected] of [
    ['none of the choices', { fallback_value: 'mars' }, impossible('"mars"')],
    ['neither yes nor no', { ...confirm, fallback_value: 'maybe' }, impossible('"maybe"')],
    ['null', { fallback_value: null }, impossible('null')],
    [
      'a number for a text',
      { response_type: 'text', choices: [], fallback_value: 7 },
      impossible('7'),
    ],
    [
      'what does not fit the schema',
      {
        response_type: 'form',
        choices: [],
        response_schema: { type: 'number' },
        fallback_value: 'x',
      },
      impossible('"x"'),
    ],
  ] as const) {
    it(`says that it is ${what}`, () => {
      assert.deepEqual(warningsOf({ ...USED, ...fields } as Partial<SuspendRequest>), [expected]);
    });
  }

  it('says that nothing ends the question but an answer', () => {
    const fields = { fallback_policy: 'complete_with_fallback', fallback_value: 'eu' } as const;
    const [warning, ...more] = warningsOf(fields);
    assert.equal(warning, `${NEVER}without timeout_seconds only an answer ends the question.`);
    assert.deepEqual(more, []);
    const retry_policy = { max_attempts: 2, interval_seconds: 60 };
    const kept = {
      ...fields,
      retry_policy: { ...retry_policy, final_fallback_policy: fields.fallback_policy },
    };
    assert.deepEqual(warningsOf(kept), []);
  });

  it('says that the policy is fail', () => {
    const fields = { fallback_value: 'eu', timeout_seconds: 60 };
    assert.deepEqual(warningsOf(fields), [`${NEVER}the fallback policy is fail.`]);
  });

  it('says all of it', () => {
    assert.equal(warningsOf({ fallback_value: 'mars' }).length, 3);
  });

  it('is not there for a usual one, nor for a policy without a value', () => {
    assert.deepEqual(warningsOf({ ...USED, fallback_value: 'eu' }), []);
    assert.deepEqual(warningsOf(USED), []);
    assert.deepEqual(warningsOf({ fallback_policy: 'complete_with_fallback' }), []);
  });

  it('is not there for a null that is never used, which clients send for none', () => {
    for (const fields of [{}, { timeout_seconds: 60 }, confirm, { fallback_policy: 'fail' }]) {
      assert.deepEqual(
        warningsOf({ fallback_value: null, ...fields } as Partial<SuspendRequest>),
        [],
      );
    }
  });

  it('shows a value on one line, cut, and with nothing hidden', () => {
    const [warning = ''] = warningsOf({ ...USED, fallback_value: `a\u202eb\n${'x'.repeat(500)}` });
    assert.match(warning, /\[U\+202E\]/);
    assert.ok(warning.length < 200, warning);
  });

  it('is the same for a question of the OpenIntent API, and never of an approval', () => {
    const record = recordWith({
      response_type: 'choice',
      choices: CHOICES,
      fallback_value: 'mars',
    });
    assert.equal(findingsOf(record).warnings?.length, 3);
  });
});
