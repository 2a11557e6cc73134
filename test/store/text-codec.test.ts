import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromJsonText, fromText, toJsonText, toText } from '../../store/column-values.js';

const anyUnits = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0, 0x5c, 0x75, 0x30, 0xd83d, 0xde00, 0xd800, 0xfdd0),
    ),
  )
  .map((units) => String.fromCharCode(...units));

const UNSTORABLE = /[\u0000\p{Surrogate}]/u;
const UNSTORABLE_ESCAPE = /(^|[^\\])(\\\\)*\\u(0000|d[89a-f])/;

describe('text codec', () => {
  it('gives back any string, storable in between', () => {
    fc.assert(
      fc.property(anyUnits, (text) => {
        assert.equal(fromText(toText(text)), text);
        assert.doesNotMatch(toText(text), UNSTORABLE);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives back any JSON value, storable in between', () => {
    const anyJson = fc.oneof(fc.jsonValue(), fc.dictionary(anyUnits, anyUnits), anyUnits);
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = toJsonText(value);
        assert.deepEqual(fromJsonText(text), JSON.parse(JSON.stringify(value)));
        assert.doesNotMatch(text, UNSTORABLE_ESCAPE);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves an escaped backslash before u0000 alone', () => {
    assert.equal(toJsonText('\\u0000'), '"\\\\u0000"');
  });
});
