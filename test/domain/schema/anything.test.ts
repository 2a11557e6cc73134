import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { saysNothing, takesAnything } from '../../../domain/schema/anything.js';
import { checkSchema } from '../../../domain/schema/checks.js';
import { granted } from '../samples.js';

const TEXT: JsonObject = { type: 'string' };
const ALL: JsonObject = { title: 'all' };

const FITS_ALL: readonly JsonObject[] = [
  {},
  { $schema: 'https://json-schema.org/draft/2020-12/schema', $comment: 'x', examples: [1] },
  { deprecated: true, readOnly: true, writeOnly: true, description: 'x', default: 1 },
  { items: {}, additionalProperties: true, unevaluatedItems: {}, unevaluatedProperties: {} },
  { propertyNames: ALL, minLength: 0, minItems: 0, minProperties: 0, required: [] },
  { allOf: [ALL, true], anyOf: [TEXT, true], oneOf: [ALL] },
  { prefixItems: [ALL], properties: { a: {} }, patternProperties: { '^a': true } },
  { $ref: '#/$defs/a', $defs: { a: ALL } },
];
const FITS_SOME: readonly JsonObject[] = [
  TEXT,
  { items: TEXT },
  { minLength: 1 },
  { allOf: [ALL, TEXT] },
  { anyOf: [TEXT, { type: 'number' }] },
  { oneOf: [ALL, ALL] },
  { oneOf: [TEXT] },
  { prefixItems: [ALL, false] },
  { properties: { a: ALL, b: TEXT } },
  { patternProperties: { '^a': TEXT } },
  { required: ['a'] },
  { $ref: '#/$defs/a', $defs: { a: TEXT } },
];

describe('a schema', () => {
  for (const [schemas, fits] of [
    [FITS_ALL, true],
    [FITS_SOME, false],
  ] as const) {
    for (const schema of schemas) {
      it(`${fits ? 'fits' : 'does not fit'} any value: ${JSON.stringify(schema)}`, () => {
        granted(checkSchema(schema));
        assert.equal(takesAnything(schema, schema), fits);
      });
    }
  }

  it('of one word fits any value, or none', () => {
    const found = ([true, false, undefined] as (JsonValue | undefined)[]).map((schema) =>
      takesAnything(schema, {}),
    );
    assert.deepEqual(found, [true, false, false]);
  });

  it('says something where it names a part, wherever that is', () => {
    for (const parts of [
      { properties: { a: {} } },
      { patternProperties: { '^a': {} } },
      { prefixItems: [{}] },
    ]) {
      for (const schema of [
        parts,
        { allOf: [ALL, parts] },
        { anyOf: [ALL, parts] },
        { oneOf: [parts] },
        { $ref: '#/$defs/a', $defs: { a: parts } },
      ] as JsonObject[]) {
        assert.equal(saysNothing(schema), false, JSON.stringify(schema));
      }
    }
    assert.equal(saysNothing(ALL), true);
    assert.equal(saysNothing({ properties: {} }), true);
  });
});
