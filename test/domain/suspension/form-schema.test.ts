import assert from 'node:assert/strict';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type {
  SuspensionChoice,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { contextParts } from '../../../domain/suspension/asking/context-beside.js';
import { findingsOf } from '../../../domain/suspension/asking/findings.js';
import { fieldSchema, listedFields } from '../../../domain/suspension/form/form-schema.js';
import { checkSameShape } from '../../../domain/suspension/form/shape.js';
import { granted, recordWith, refused, settledWith } from '../samples.js';

describe('the schema of a field that a context lists', () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['a number', { type: 'number' }, { type: 'number' }],
    ['a date', { type: 'date' }, { type: 'string', format: 'date' }],
    ['an address', { type: 'url' }, { type: 'string', format: 'uri' }],
    ['text, for a type that nobody knows', { type: 'constructor' }, { type: 'string' }],
    ['text, without a type', { name: 'who' }, { type: 'string' }],
    [
      'one of several, with its words',
      { label: 'Size', description: 'Of the shirt', options: ['S', 'M'] },
      { type: 'string', title: 'Size', description: 'Of the shirt', enum: ['S', 'M'] },
    ],
    ['text, where nothing is offered', { options: [] }, { type: 'string' }],
    [
      'one of several numbers, which may stand there as texts',
      { type: 'number', options: ['1', 2, '2.50', '2.5'] },
      { type: 'number', enum: [1, 2, 2.5] },
    ],
    ['a whole number', { type: 'integer', options: ['1'] }, { type: 'integer', enum: [1] }],
    [
      'yes or no',
      { type: 'boolean', options: ['true', false] },
      { type: 'boolean', enum: [true, false] },
    ],
    [
      'one of several texts',
      { type: 'text', options: [1, true] },
      { type: 'string', enum: ['1', 'true'] },
    ],
    ['one of what is offered, where no type is said', { options: [1, 'a'] }, { enum: [1, 'a'] }],
    [
      'one of what is offered, where that has another type',
      { type: 'number', options: ['1', 'few'] },
      { enum: ['1', 'few'] },
    ],
    [
      'no number that would become another one',
      { type: 'number', options: ['9007199254740993'] },
      { enum: ['9007199254740993'] },
    ],
  ];
  for (const [what, field, schema] of cases) {
    it(`is ${what}`, () => assert.deepEqual(fieldSchema(field), schema));
  }
});

describe('the fields that a context lists', () => {
  it('are there with their names, in their order', () => {
    const [b, a] = [{ name: 'b' }, { name: 'a', type: 'number' }];
    assert.deepEqual(listedFields([b, a]), [
      ['b', b],
      ['a', a],
    ]);
  });

  it('are none where inputs would not be all of them', () => {
    for (const listed of [
      undefined,
      'a',
      {},
      [],
      [{ name: 'a' }, 'b'],
      [{ name: 'a' }, { label: 'B' }],
      [{ name: 'a' }, { name: '' }],
      [{ name: ' \u200b' }],
      [{ name: 'a' }, { name: 'b' }, { name: 'a' }],
    ]) {
      assert.equal(listedFields(listed), undefined, JSON.stringify(listed));
    }
  });
});

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

type Asked = Parameters<typeof contextParts>[0];

const FORM: Asked = { response_type: 'form' };
const FIELDS = [{ name: 'zip' }];

function parts(asked: Asked) {
  const { beside, elsewhere } = contextParts(asked);
  return { beside: Object.keys(beside), elsewhere: Object.keys(elsewhere) };
}

function approval(calls: number, reason?: string): Asked['approval'] {
  const call = { id: 'a', tool: 'pay', arguments: {} };
  const proposal = { calls: Array.from({ length: calls }, () => call) };
  return { proposal, ...(reason !== undefined && { reason }) } as unknown as Asked['approval'];
}

describe('the context beside a question', () => {
  it('leaves out nothing by its name alone', () => {
    const context = {
      _note: 'mind',
      fields: FIELDS,
      __proto: 1,
      id: 'x',
      reason: 'y',
      tool_call: {},
    };
    const names = Object.keys(context);
    assert.deepEqual(parts({ response_type: 'confirm', context }), {
      beside: names,
      elsewhere: [],
    });
  });

  it('has the fields elsewhere only where the form is made of them', () => {
    const context = { fields: FIELDS, note: 1 };
    assert.deepEqual(parts({ ...FORM, context }), { beside: ['note'], elsewhere: ['fields'] });
    const judged = parts({ ...FORM, context, response_schema: { type: 'object' } });
    assert.deepEqual(judged, { beside: ['fields', 'note'], elsewhere: [] });
    const unnamed = { ...context, fields: [...FIELDS, { label: 'Town' }] };
    assert.deepEqual(parts({ ...FORM, context: unnamed }), {
      beside: ['fields', 'note'],
      elsewhere: [],
    });
  });

  it('has apart what only says which program asks for an approval', () => {
    const plumbing = { agent_id: 'a', agent_module: 'm', node_name: 'n', on_reject: 'cancel_task' };
    const context = { ...plumbing, metadata: {}, note: 1 };
    const asked = { response_type: 'choice', context } as const;
    const split = contextParts({ ...asked, approval: approval(1) });
    assert.deepEqual(split, {
      beside: { note: 1 },
      elsewhere: {},
      plumbing: { ...plumbing, metadata: {} },
    });
    const said = { ...asked, context: { metadata: { owner: 'ops' } }, approval: approval(1) };
    assert.deepEqual(contextParts(said).beside, { metadata: { owner: 'ops' } });
    assert.deepEqual(contextParts(asked).plumbing, {});
  });

  it('has elsewhere what an approval says again, as far as its proposal shows it', () => {
    const context = { note: 1, tool_call: {}, reason: 'why', stage: 0, fields: FIELDS };
    const asked = { response_type: 'choice', context } as const;
    assert.deepEqual(parts({ ...asked, approval: approval(1, 'why') }), {
      beside: ['note', 'fields'],
      elsewhere: ['tool_call', 'reason', 'stage'],
    });
    assert.deepEqual(parts({ ...asked, approval: approval(2) }), {
      beside: ['note', 'tool_call', 'reason', 'fields'],
      elsewhere: ['stage'],
    });
  });

  it('loses nothing between its two parts', () => {
    const context = { a: 1, fields: FIELDS };
    const { beside, elsewhere } = contextParts({ ...FORM, context });
    assert.deepEqual({ ...beside, ...elsewhere }, context);
    assert.deepEqual(contextParts(FORM), { beside: {}, elsewhere: {}, plumbing: {} });
  });
});

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
