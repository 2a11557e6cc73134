import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { submittedFindings, unknownInRecord } from '../../../domain/openintent/submitted-rule.js';
import { recordWith } from '../samples.js';

function told(fields: Partial<SuspensionRecord>): readonly string[] {
  return submittedFindings(recordWith(fields)).warnings ?? [];
}

describe('what is found about a question of the OpenIntent API', () => {
  for (const [what, fields, expected] of [
    ['a blank question', { question: '\u200b' }, /question is blank/],
    [
      'a label that says the opposite',
      {
        response_type: 'confirm',
        choices: [
          { value: 'yes', label: 'No' },
          { value: 'no', label: 'Yes' },
        ],
      },
      /label of yes says the opposite: No/,
    ],
    ['a form that asks nothing', { response_type: 'form' }, /form does not say what is asked/],
    [
      'a field without a name that people see',
      { response_type: 'form', context: { fields: [{ name: 'a' }, { name: '\u200b' }] } },
      /name of a field is blank/,
    ],
    [
      'two fields of one name',
      { response_type: 'form', context: { fields: [{ name: 'a' }, { name: 'a' }] } },
      /Two fields have the name a\./,
    ],
    [
      'a field without a name',
      { response_type: 'form', context: { fields: [{ name: 'a' }, { label: 'B' }] } },
      /Field 2 of the form has no name\./,
    ],
    [
      'an impossible fallback',
      {
        response_type: 'confirm',
        timeout_seconds: 60,
        fallback_policy: 'complete_with_fallback',
        fallback_value: 'maybe',
      },
      /No person could answer with the fallback value "maybe"/,
    ],
  ] as const) {
    it(`marks ${what}`, () => {
      const [first = '', ...more] = told(fields as Partial<SuspensionRecord>);
      assert.match(first, expected);
      assert.deepEqual(more, []);
    });
  }

  it('is nothing for a usual question', () => {
    assert.deepEqual(submittedFindings(recordWith()), {});
  });

  it('names whom nobody knows, and passes over what has another form', () => {
    const installation = {
      people: knownPeople('default', [{ space: 'default', principal: 'bob', groups: [] }]),
      directory: { people: {}, groups: {} },
      space: 'default',
    };
    const eligible = { principals: ['bob', 'bobb'] };
    const escalation_ladder = [{ attempt: 1, notify_to: 'nobody', eligible: { groups: ['none'] } }];
    const record = { decision_rule: { eligible }, retry_policy: { escalation_ladder } };
    assert.deepEqual(unknownInRecord(record, installation), [
      'No key and no entry of the directory lets the principal bobb answer.',
      'No key and no entry of the directory lets the group none answer.',
      'The directory does not know nobody, whom the ladder is to notify.',
    ]);
    for (const odd of [
      undefined,
      'text',
      null,
      { decision_rule: 7, retry_policy: [] },
      {
        decision_rule: { eligible: { principals: 'bob' } },
        retry_policy: { escalation_ladder: 1 },
      },
      { retry_policy: { escalation_ladder: [null, 'x', { notify_to: 7 }] } },
    ]) {
      assert.deepEqual(unknownInRecord(odd, installation), []);
    }
  });
});
