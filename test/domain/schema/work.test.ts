import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { checkSchema } from '../../../domain/schema/checks.js';
import { faultsBySchema, judgeBySchema } from '../../../domain/schema/judge.js';
import { leastCpuMs } from '../../support/cpu-time.js';
import { granted, refused } from '../samples.js';

/** An answer is judged twice in the task that takes it, which may last 200 ms in all. */
const MOST_MS = 80;

function list<T>(length: number, of: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => of(index));
}

function entries<T>(length: number, of: (index: number) => T, name = 'k'): Record<string, T> {
  return Object.fromEntries(list(length, (index) => [`${name}${index}`, of(index)]));
}

const CHAIN = list(80, (index) => `${String.fromCharCode(0x4e00 + index)}*`).join('');
const COUNTS = [1, 3, 10, 30, 80, 100, 160, 250, 400, 700, 990];

/** Schemas and values that grow in one way each, with what makes judging them slow. */
const GROWING: readonly (readonly [string, (count: number) => readonly [JsonObject, JsonValue]])[] =
  [
    ...(['anyOf', 'allOf', 'oneOf'] as const).flatMap((keyword) => [
      [
        `the names of a value and ${keyword}`,
        (count: number) =>
          [
            { propertyNames: { [keyword]: list(1_000, () => ({ const: 1 })) } },
            entries(count, () => 1),
          ] as const,
      ] as const,
      [
        `the entries of a list and ${keyword}`,
        (count: number) =>
          [
            { items: { [keyword]: list(900, () => ({ const: 1 })) } },
            list(count, () => 'x'),
          ] as const,
      ] as const,
      [
        `objects under ${keyword}`,
        (count: number) =>
          [
            { [keyword]: list(count, () => ({ additionalProperties: { type: 'number' } })) },
            entries(200, () => 'x'),
          ] as const,
      ] as const,
    ]),
    [
      'long lists of values',
      (count) => [{ items: { enum: list(1_400, (nth) => `text ${nth}`) } }, list(count, () => 'x')],
    ],
    [
      'lists of which some have to fit',
      (count) => [
        { contains: { enum: list(1_400, (nth) => `text ${nth}`) }, minContains: 2 },
        list(count, () => 'x'),
      ],
    ],
    [
      'entries that have to differ',
      (count) => [{ uniqueItems: true }, list(count / 2, (nth) => ({ [`n${nth}`]: 1 }))],
    ],
    [
      'texts that have to differ',
      (count) => [{ uniqueItems: true }, list(count, (nth) => `${'x'.repeat(60)}${10_000 + nth}`)],
    ],
    [
      'names that are missing',
      (count) => [
        { additionalProperties: { required: list(count, (nth) => `r${nth}`) } },
        entries(450, () => ({})),
      ],
    ],
    [
      'exact divisions',
      (count) => [
        { items: { allOf: list(count, () => ({ multipleOf: 5e-324 })) } },
        list(100, () => Number.MAX_VALUE),
      ],
    ],
    [
      'patterns for a long text',
      (count) => [
        { allOf: list(count, () => ({ pattern: `^${CHAIN}$` })) },
        `${'一'.repeat(20_000)}!`,
      ],
    ],
    [
      'formats of a long text',
      (count) => [{ allOf: list(count, () => ({ format: 'date-time' })) }, 't'.repeat(60_000)],
    ],
    [
      'lengths of a long text',
      (count) => [{ allOf: list(count, () => ({ minLength: 1e9 })) }, 'x'.repeat(60_000)],
    ],
    [
      'much below a long name',
      (count) => [
        { additionalProperties: { anyOf: list(count, () => ({ items: { type: 'string' } })) } },
        { ['😀'.repeat(15_000)]: list(count, () => 1) },
      ],
    ],
    [
      'patterns of long names',
      (count) => [
        { patternProperties: entries(count, () => false, '^a*') },
        entries(60, () => 1, 'a'.repeat(1_000)),
      ],
    ],
    [
      'references',
      (count) => [
        { $defs: { a: { const: 1 } }, items: { anyOf: list(400, () => ({ $ref: '#/$defs/a' })) } },
        list(count, () => 'x'),
      ],
    ],
  ];

/** A reference to what names the next, and so on. */
function chained(length: number): JsonObject {
  const $defs = Object.fromEntries(
    list(length, (nth) => [`d${nth}`, { not: { $ref: `#/$defs/d${nth + 1}` } }]),
  );
  return { $ref: '#/$defs/d0', $defs: { ...$defs, [`d${length}`]: {} } };
}

const NAMED = ['properties', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLE = ['propertyNames', 'additionalProperties', 'items', 'contains', 'not', 'if', 'then'];

/** Schemas with a few keywords, whose schemas are these. */
function schemaOf(
  within: fc.Arbitrary<JsonValue>,
  value: fc.Arbitrary<JsonValue>,
  name: fc.Arbitrary<string>,
): fc.Arbitrary<JsonValue> {
  const few = fc.array(within, { minLength: 1, maxLength: 2 });
  const named = fc.dictionary(name, within, { maxKeys: 2 });
  const keywords: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
    ['const', value],
    ['enum', fc.array(value, { minLength: 1, maxLength: 2 })],
    ['examples', fc.array(value, { maxLength: 2 })],
    ['pattern', fc.constantFrom('^a*$', '^\\u{1F600}?$', '^[^a]*a$')],
    ['patternProperties', fc.constant({ '^[a-z]*$': {} })],
    ['dependentRequired', fc.dictionary(name, fc.constant(['a']), { maxKeys: 2 })],
    ['unevaluatedProperties', fc.boolean()],
    ['$ref', fc.constantFrom('#/$defs/a', '#/$defs/b')],
    ...NAMED.map((keyword) => [keyword, named] as const),
    ...LISTS.map((keyword) => [keyword, few] as const),
    ...SINGLE.map((keyword) => [keyword, within] as const),
  ];
  const one = fc.oneof(
    ...keywords.map(([keyword, of]) => of.map((given) => ({ [keyword]: given }) as JsonObject)),
  );
  return fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((all) => Object.assign({}, ...all) as JsonObject);
}

describe('the work of judging a value by a schema', () => {
  for (const [what, grown] of GROWING) {
    it(`is bounded for ${what}`, () => {
      let isRefused = false;
      for (const count of COUNTS) {
        const [schema, value] = grown(count);
        if (!checkSchema(schema).ok) continue;
        let judged: ReturnType<typeof judgeBySchema> | undefined;
        const ms = leastCpuMs(() => (judged = judgeBySchema(schema, value, 'value')), MOST_MS);
        isRefused ||=
          judged?.ok === false && judged.refusal.accepted !== 'what response_schema describes';
        assert.ok(ms < MOST_MS, `${count}: ${ms} ms`);
      }
      assert.ok(isRefused, 'the largest of them is to be refused');
    });
  }

  it('refuses a value by a clear code before it is judged, and marks no part of it', () => {
    const schema = { propertyNames: { anyOf: list(1_000, () => ({ const: 1 })) } };
    granted(checkSchema(schema));
    const value = entries(990, () => 1);
    const { code, field, accepted } = refused(judgeBySchema(schema, value, 'value'));
    assert.deepEqual([code, field], ['invalid_value', 'value']);
    assert.match(accepted ?? '', /fewer or shorter parts/);
    assert.deepEqual(faultsBySchema(schema, value), []);
  });

  it('takes what people fill in: many rows of many columns, and picks from long lists', () => {
    const columns = entries(20, (nth) => ({
      type: nth % 2 ? 'string' : 'number',
      title: `${nth}`,
    }));
    const rows = {
      type: 'array',
      items: { type: 'object', properties: columns, required: ['k1'] },
    };
    const row = entries(20, (nth) => (nth % 2 ? 'text' : nth));
    granted(
      judgeBySchema(
        rows,
        list(45, () => row),
        'value',
      ),
    );
    const options = list(250, (nth) => ({ const: `country-${nth}`, title: `Country ${nth}` }));
    const picks = { type: 'array', items: { anyOf: options }, uniqueItems: true };
    granted(checkSchema(picks));
    granted(
      judgeBySchema(
        picks,
        list(60, (nth) => `country-${nth}`),
        'value',
      ),
    );
    const countries = { items: { enum: list(250, (nth) => `country-${nth}`) } };
    granted(
      judgeBySchema(
        countries,
        list(250, (nth) => `country-${nth}`),
        'value',
      ),
    );
    const letter = { pattern: '^[^\\u0000-\\u0008]*$', maxLength: 60_000, minLength: 1 };
    granted(judgeBySchema(letter, 'x'.repeat(60_000), 'value'));
  });

  it('is not begun for a schema that was taken before its kind was refused', () => {
    const slow = '^(\\uD83D\\uDE00*😀*){12}$';
    const value = `${'😀'.repeat(60)}x`;
    const before: readonly (readonly [JsonObject, JsonValue])[] = [
      [{ type: 'string', pattern: slow }, value],
      [{ patternProperties: { [slow]: false } }, { [value]: 1 }],
      [{ pattern: '^[\\u{61}]*a*$' }, 'a'],
      [chained(400), 1],
    ];
    for (const [schema, given] of before) {
      assert.equal(refused(checkSchema(schema)).code, 'invalid_response_schema');
      assert.equal(refused(judgeBySchema(schema, given, 'value')).code, 'invalid_value');
    }
  });

  it('never throws, whatever a schema and a value have', () => {
    const name = fc.constantFrom('a', '$ref', '__proto__', '😀', '~1/%#', 'constructor', '$id', '');
    const leaf = fc.constantFrom<JsonValue>(0, 1.5, 1e308, '', 'a', '😀', true, null, [], {});
    const list = fc.array(leaf, { maxLength: 3 });
    const value = fc.oneof(leaf, list, fc.dictionary(name, fc.oneof(leaf, list), { maxKeys: 3 }));
    const plain = fc.constantFrom<JsonValue>(
      true,
      false,
      {},
      { type: 'string' },
      { const: null },
      { $ref: '#/$defs/a' },
      { enum: [{ $id: 'x y' }] },
      { format: 'uri' },
      { multipleOf: 5e-324 },
      { uniqueItems: true },
    );
    const inner = schemaOf(plain, value, name);
    const schema = schemaOf(fc.oneof(plain, inner), value, name);
    let taken = 0;
    fc.assert(
      fc.property(schema, value, (outer, given) => {
        const whole = { ...(outer as JsonObject), $defs: { a: { type: 'number' }, b: false } };
        if (!checkSchema(whole).ok) return;
        taken += 1;
        judgeBySchema(whole, given, 'value');
        faultsBySchema(whole, given);
      }),
      { numRuns: 1_000 },
    );
    assert.ok(taken > 300, `only ${taken} were taken`);
  });
});
