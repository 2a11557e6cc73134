import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspendRequest } from '../../../contracts/suspension/requests.js';
import { resolveAmendment } from '../../../domain/suspension/asking/amended-question.js';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { granted, recordWith, refused, requestWith } from '../samples.js';

const LIMITS = { contextBytes: 64 * 1024 };

function rulingOn(fields: Partial<SuspendRequest>) {
  return resolveQuestion(requestWith(fields), null, LIMITS);
}

function choices(...pairs: readonly (readonly [value: string, label: string])[]) {
  return pairs.map(([value, label]) => ({ value, label }));
}

describe('the labels of choices', () => {
  for (const [yes, no] of [
    ['No', 'Yes'],
    [' NO ', 'Wait'],
    ['Ship it', 'Approve'],
    ['Ship it', 'approved'],
    ['Reject', 'Keep'],
    ['Cancelled', 'Keep'],
    ['Decline', 'Keep'],
    ['Nо', 'Wait'],
    ['N\u200bo', 'Wait'],
    ['Ｎｏ', 'Wait'],
    ['False', 'True'],
    ['Ship it', 'TRUE'],
  ] as const) {
    it(`do not turn a yes or no around: ${yes} and ${no}`, () => {
      for (const response_type of ['confirm', 'choice'] as const) {
        const turned = choices(['yes', yes], ['no', no]);
        const { code, field } = refused(rulingOn({ response_type, choices: turned }));
        assert.equal(code, 'invalid_choices');
        assert.match(field ?? '', /^choices\[[01]\]\.label$/);
      }
    });
  }

  for (const [value, label, denials] of [
    ['approve', 'Reject', undefined],
    ['rejected', 'Yes', undefined],
    ['false', 'True', undefined],
    ['true', 'False', undefined],
    ['ship', 'No', ['hold']],
    ['hold', 'Yes', ['hold']],
    ['no', 'Yes', ['hold']],
    ['yes', 'No', ['yes']],
  ] as const) {
    it(`do not say ${label} for ${value}, where ${denials?.join() ?? 'nothing'} denies`, () => {
      const asked = choices([value, label], ['hold', 'Hold'], ['ship', 'Ship']);
      const all = asked.filter((one, at) => at === 0 || one.value !== value);
      const declared = denials && { denials: [...denials] };
      const { code, field } = refused(rulingOn({ choices: all, ...declared }));
      assert.deepEqual([code, field], ['invalid_choices', 'choices[0].label']);
    });
  }

  for (const [one, other] of [
    ['Ship', 'Ship'],
    ['Ship', ' Ship '],
    ['Ship it', 'Ship  it'],
    ['Ship it', 'Ship\u00a0it'],
    ['Ship', 'Shi\u200bp'],
    ['Ship', 'Ship\u2060\ufe0f'],
    ['Café', 'Cafe\u0301'],
    ['Pay', 'Рау'],
    ['ABC', 'ΑВС'],
    ['Ship', 'Ｓhip'],
    ['AI', 'Al'],
    ['re-run', 're‑run'],
    ['modern', 'modem'],
    ['Burn', 'Bum'],
    ['close', 'dose'],
    ['wave', 'vvave'],
    ['Region O', 'Region 0'],
    ['Plan I', 'Plan l'],
    ['Plan 1', 'Plan I'],
    ['Plan l', 'Plan |'],
    ['Approve', 'Ꭺpprove'],
    ['DELETE', 'ᎠᎬᏞᎬᎢᎬ'],
    ['Pay', 'Ρay'],
    ['open', 'oρen'],
    ['via', 'νiα'],
    ['Cat', 'Ϲat'],
    ['ONE', 'ꓳꓠꓰ'],
    ['A – B', 'A - B'],
    ['A — B', 'A – B'],
    ['A—B', 'A--B'],
    ['and/or', 'and∕or'],
    ['don\u2019t', "don't"],
  ] as const) {
    it(`can be told apart: ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
      const asked = choices(['a', one], ['b', other]);
      const { code, field } = refused(rulingOn({ choices: asked }));
      assert.deepEqual([code, field], ['invalid_choices', 'choices[1].label']);
    });
  }

  for (const label of [' ', '\u200b', '\u2800\u3000', '\u00ad\ufe0f']) {
    it(`are seen: ${JSON.stringify(label)}`, () => {
      const { code, field } = refused(rulingOn({ choices: choices(['a', 'A'], ['b', label]) }));
      assert.deepEqual([code, field], ['invalid_choices', 'choices[1].label']);
    });
  }

  it('are compared with that of the no which is not listed', () => {
    const asked = choices(['yes', 'Nо']);
    const { field } = refused(rulingOn({ response_type: 'confirm', choices: asked }));
    assert.equal(field, 'choices[0].label');
  });

  for (const [what, response_type, said, denials] of [
    ['of a yes or no in words', 'confirm', 'yes=Ship it, no=Not today'],
    ['that say it and more', 'confirm', 'yes=Yes and cancel it, no=No and keep it'],
    [
      'with a word for the opposite among others',
      'confirm',
      'yes=Cancel the order, no=Approve later',
    ],
    ['of one meaning in another word', 'choice', 'approve=Yes, reject=Deny'],
    ['of values that say neither', 'choice', 'eu=No, us=Yes'],
    ['that differ by case', 'choice', 'us=US, us2=us'],
    ['that differ by a digit', 'choice', '1=Server 1, 7=Server 7'],
    ['with a raised digit', 'choice', 'm2=m2, sqm=m²'],
    ['of another alphabet', 'choice', 'yes=Да, no=Нет'],
    ['that a declaration explains', 'choice', 'cancel=Yes, keep=No', ['keep']],
    ['where any answer is a go', 'choice', 'none=No, all=Yes', []],
  ] as const) {
    it(`may be those ${what}`, () => {
      const pairs = said.split(', ').map((pair) => pair.split('=') as [string, string]);
      const declared = denials && { denials: [...denials] };
      granted(rulingOn({ response_type, choices: choices(...pairs), ...declared }));
    });
  }

  it('hold for a correction too', () => {
    const record = recordWith({ response_type: 'confirm', choices: choices(['yes', 'Go']) });
    const wanted = { choices: choices(['yes', 'No'], ['no', 'Yes']) };
    assert.equal(refused(resolveAmendment(record, wanted, LIMITS)).code, 'invalid_choices');
  });
});

describe('the text of a question', () => {
  for (const question of ['\u200b', ' \u2800\t', '\u00ad\u2060']) {
    it(`is seen: ${JSON.stringify(question)}`, () => {
      const { code, field } = refused(rulingOn({ question }));
      assert.deepEqual([code, field], ['invalid_request', 'question']);
      const amended = refused(resolveAmendment(recordWith(), { question }, LIMITS));
      assert.deepEqual([amended.code, amended.field], ['invalid_request', 'question']);
    });
  }
});

describe('a form', () => {
  const form = { response_type: 'form', choices: [] } as const;

  for (const [what, asked] of [
    ['nothing', {}],
    ['an empty schema', { response_schema: {} }],
    ['no field', { context: { fields: [] } }],
    ['fields without names', { context: { fields: [{ type: 'number' }, 'amount'] } }],
    ['fields that are no list', { context: { fields: { amount: 1 } } }],
  ] as const) {
    it(`says what is asked, and not ${what}`, () => {
      const asForm = { ...form, ...asked, choices: [] } as Partial<SuspendRequest>;
      const { code, field, accepted } = refused(rulingOn(asForm));
      assert.deepEqual([code, field], ['invalid_response_schema', 'response_schema']);
      assert.match(accepted ?? '', /context\.fields/);
    });
  }

  it('may name its fields in the context, or have a schema', () => {
    const context = { fields: [{ name: 'amount', type: 'number' }] };
    granted(rulingOn({ response_type: 'form', choices: [], context }));
    granted(rulingOn({ response_type: 'form', choices: [], response_schema: { type: 'object' } }));
  });

  it('has a name of its own for each of its fields', () => {
    for (const [field, fields] of [
      ['context.fields[1].name', [{ name: 'a' }, { name: 'a', label: 'Other' }]],
      ['context.fields[1].name', [{ name: 'a' }, { label: 'B' }]],
      ['context.fields[0].name', ['b', { name: 'a' }]],
      ['context.fields[0].name', [{ name: '' }, { name: 'a' }]],
    ] as const) {
      const context = { fields: fields.map((one) => one) };
      const told = refused(rulingOn({ response_type: 'form', choices: [], context }));
      assert.deepEqual([told.code, told.field], ['invalid_request', field]);
      const record = recordWith({ response_type: 'form', context: { fields: [{ name: 'a' }] } });
      assert.equal(refused(resolveAmendment(record, { context }, LIMITS)).field, field);
      // What the OpenIntent API has opened can still be corrected.
      const opened = recordWith({ response_type: 'form', context });
      granted(resolveAmendment(opened, { question: 'New?' }, LIMITS));
    }
  });

  it('keeps saying it when it is corrected', () => {
    const context = { fields: [{ name: 'amount' }] };
    const record = recordWith({ response_type: 'form', context });
    const emptied = refused(resolveAmendment(record, { context: { note: 'x' } }, LIMITS));
    assert.equal(emptied.code, 'invalid_response_schema');
    granted(resolveAmendment(recordWith({ response_type: 'form' }), { question: 'New?' }, LIMITS));
  });
});
