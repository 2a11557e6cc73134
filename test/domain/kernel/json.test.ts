import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonBytes, jsonEqual } from '../../../domain/kernel/json.js';
import { utf8Bytes, utf8Length } from '../../../domain/kernel/text.js';

const anyText = fc.string({ unit: 'binary' });
const brokenText = fc
  .array(fc.integer({ min: 0xd700, max: 0xe0ff }))
  .map((units) => String.fromCharCode(...units));

describe('sizes in UTF-8', () => {
  it('encode every text as the platform does', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, brokenText), (text) => {
        assert.deepEqual([...utf8Bytes(text)], [...new TextEncoder().encode(text)]);
        assert.equal(utf8Length(text), utf8Bytes(text).length);
      }),
    );
  });

  it('count the bytes of the JSON that is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        assert.equal(jsonBytes(value), Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });

  it('count nothing for what JSON leaves out', () => {
    assert.equal(jsonBytes(undefined), 0);
  });
});

describe('equality of JSON values', () => {
  it('holds for a copy with its keys reversed', () => {
    const reversed = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(reversed);
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, reversed(member)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value));
        assert.ok(jsonEqual(JSON.parse(JSON.stringify(value)), reversed(copy)));
      }),
    );
  });

  const DIFFERENT: readonly (readonly [unknown, unknown])[] = [
    [0, false],
    [0, ''],
    [null, undefined],
    [null, {}],
    ['1', 1],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: { b: [1] } }, { a: { b: [2] } }],
    [{ toString: 1 }, {}],
    [{ a: undefined }, { toString: undefined }],
  ];
  for (const [a, b] of DIFFERENT) {
    it(`tells ${JSON.stringify(a)} from ${JSON.stringify(b)}`, () => {
      assert.equal(jsonEqual(a, b), false);
      assert.equal(jsonEqual(b, a), false);
    });
  }
});
