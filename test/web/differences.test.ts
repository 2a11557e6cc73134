import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { visible } from '../../contracts/constants/visible-text.js';
import type { JsonValue } from '../../contracts/kernel/primitives.js';
import {
  differenceAmong,
  partsOf,
  sharedBy,
  type Difference,
} from '../../web/src/state/answering/differences.js';
import { anyText } from '../support/any-text.js';

/** The paths at which values differ, in the order in which they are found. */
function pathsOf(difference: Difference | undefined, path = ''): readonly string[] {
  if (!difference) return [];
  if (!difference.within) return [path];
  return [...difference.within].flatMap(([name, inner]) => pathsOf(inner, `${path}/${name}`));
}

function differing(...values: readonly JsonValue[]): readonly string[] {
  return pathsOf(differenceAmong(values));
}

/** A text with braces around what others do not say. */
function braced(text: string, ...others: readonly string[]): string {
  const difference = differenceAmong([text, ...others]);
  assert.ok(difference);
  return partsOf(text, difference)
    .map((part) => (part.differs ? `{${part.text}}` : part.text))
    .join('');
}

describe('where questions differ', () => {
  it('names the places, however deep, and none where names stand in another order', () => {
    assert.deepEqual(differing({ a: 1, b: { c: 2 } }, { b: { c: 2 }, a: 1 }), []);
    assert.deepEqual(differing({ a: 1, b: { c: [2, 3] } }, { a: 1, b: { c: [2, 4] } }), ['/b/c/1']);
    assert.deepEqual(differing({ a: [1] }, { a: [1, 2] }), ['/a']);
    assert.deepEqual(differing({ a: '1' }, { a: 1 }, { a: '1' }), ['/a']);
    assert.deepEqual(differing({ a: null }, {}), ['/a']);
    assert.deepEqual(differing({ a: {} }, { a: [] }), ['/a']);
    assert.deepEqual(differing({ a: 1 }), []);
    assert.deepEqual(
      differing(JSON.parse('{"__proto__": 1}') as JsonValue, JSON.parse('{}') as JsonValue),
      ['/__proto__'],
    );
  });

  it('says how many have the same', () => {
    const difference = differenceAmong([{ a: 1 }, { a: 2 }, { a: 1 }])?.within?.get('a');
    assert.ok(difference);
    assert.deepEqual(
      [1, 2, 3].map((value) => sharedBy(difference, value)),
      [2, 1, 0],
    );
    assert.equal(difference.of, 3);
  });

  it('marks whole words, line by line where there are as many lines', () => {
    assert.equal(braced('Order 12 of today', 'Order 13 of today'), 'Order {12} of today');
    assert.equal(
      braced('Same\npay 1\nSame\nto A', 'Same\npay 2\nSame\nto B'),
      'Same\npay {1}\nSame\nto {A}',
    );
    assert.equal(braced('Run it\nnow', 'Run it\nDROP all\nnow'), 'Run it\nnow');
    assert.equal(braced('Run it\nDROP all\nnow', 'Run it\nnow'), 'Run it\n{DROP all\n}now');
    assert.equal(braced('pay 😀', 'pay 😁'), 'pay {😀}');
    assert.equal(braced('a\u202e', 'a[U+202E]'), '{a[U+202E]}');
  });

  it('loses no character, and finds a difference exactly where there is one', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 2, maxLength: 5 }), (texts) => {
        const difference = differenceAmong(texts);
        assert.equal(difference === undefined, new Set(texts).size === 1);
        if (!difference) return;
        for (const text of texts) {
          const parts = partsOf(text, difference);
          assert.equal(parts.map((part) => part.text).join(''), visible(text));
        }
        const marks = texts.flatMap((text) => partsOf(text, difference));
        assert.ok(marks.some(({ differs }) => differs));
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, other) => {
        const [a, b] = [one, other].map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
        const isSame = isDeepEqual(a, b);
        assert.equal(differenceAmong([a ?? null, b ?? null]) === undefined, isSame);
      }),
    );
  });

  it('stays small, whatever a hundred questions hold', () => {
    const wide = Array.from({ length: 100 }, (_, question) =>
      Object.fromEntries(
        Array.from({ length: 2_000 }, (_each, index) => [`${question}-${index}`, index]),
      ),
    );
    assert.deepEqual(differing(...wide), ['']);
    const before = process.cpuUsage();
    const long = Array.from({ length: 100 }, (_, question) => `${'a'.repeat(60_000)}${question} b`);
    assert.deepEqual(differing(...long), ['']);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 5_000_000, String(user));
  });
});

function isDeepEqual(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}
