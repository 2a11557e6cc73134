import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  InexactJsonError,
  exactJson,
  exactNumber,
  isExactNumber,
  parseExact,
  type JsonFault,
} from '../../contracts/constants/exact-json.js';
import { LIMITS } from '../../contracts/constants/limits.js';

/** What Python has written; `record.py` beside it says how. */
const PYTHON = JSON.parse(
  readFileSync(new URL('python-numbers/numbers.json', import.meta.url), 'utf8'),
) as Readonly<Record<'reprs' | 'dumps' | 'kept' | 'lost', string>>;

function faultIn(text: string): JsonFault {
  try {
    parseExact(text);
  } catch (error) {
    if (error instanceof InexactJsonError) return error.fault;
    throw error;
  }
  return assert.fail(`taken: ${text}`);
}

/** The same JSON text, with whitespace and names written in other ways. */
const rewritten = (text: string): string =>
  text.replace(/[[\]{}:,]/g, (mark) => ` ${mark}\n\t`).replaceAll('"a"', '"\\u0061"');

describe('a number in JSON', () => {
  it('is taken as every float that Python writes', () => {
    const reprs = PYTHON.reprs.split(' ');
    assert.ok(reprs.length > 1_000);
    for (const text of reprs) {
      assert.ok(isExactNumber(text), text);
      assert.equal(parseExact(text), Number(text));
    }
    for (const text of PYTHON.dumps.split('\n')) {
      assert.deepEqual(parseExact(text), JSON.parse(text), text);
    }
  });

  it('is taken exactly where the decimal arithmetic of Python keeps it', () => {
    for (const text of PYTHON.kept.split(' ')) assert.ok(isExactNumber(text), text);
    for (const text of PYTHON.lost.split(' ')) assert.ok(!isExactNumber(text), text);
  });

  it('is taken as this language writes every double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const text of [String(value), value.toExponential()]) {
          assert.ok(isExactNumber(text), text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused with one digit more than its double has', () => {
    const whole = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
    fc.assert(
      fc.property(whole, (value) => {
        const isKept = BigInt(Number(value)) === value && isPlain(Number(value), value);
        assert.equal(isExactNumber(String(value)), isKept);
      }),
    );
  });

  it('is refused with its path', () => {
    const fault = faultIn('{"a":[1,{"b c":[true,9007199254740993]}]}');
    assert.deepEqual(fault.path, ['a', 1, 'b c', 1]);
    assert.equal(fault.field, 'a[1]["b c"][1]');
    assert.match(fault.detail, /^a\[1\]\["b c"\]\[1\] .*send it as text/);
  });

  it('is refused as the whole of a text too', () => {
    assert.equal(faultIn(' 1e-400 ').field, '');
    assert.match(faultIn('1e400').detail, /send it as text/);
  });

  it('is no business of texts and names', () => {
    const text = '{"9007199254740993":"1e-400","x":"[9007199254740993, \\"1e400\\""}';
    assert.deepEqual(parseExact(text), JSON.parse(text));
  });

  it('is what somebody typed in digits, and nothing else is', () => {
    const typed: readonly (readonly [string, number | undefined])[] = [
      ['1.50', 1.5],
      ['.5', 0.5],
      ['5.', 5],
      ['+5', 5],
      ['007', 7],
      ['9007199254740993', undefined],
    ];
    for (const [text, number] of typed) assert.equal(exactNumber(text), number, text);
    for (const text of ['', ' ', '.', '-', 'e5', '0x10', '1_000', '1,5', ' 5', 'NaN', 'Infinity']) {
      assert.equal(exactNumber(text), undefined, text);
    }
  });
});

/** Whether the shortest digits of a double are all the digits of a whole number. */
function isPlain(double: number, value: bigint): boolean {
  const [digits = '', power = '0'] = double.toExponential().replace('.', '').split('e');
  return BigInt(digits) * 10n ** BigInt(Number(power) - digits.length + 1) === value;
}

describe('a name in JSON', () => {
  it('is refused where it stands twice in one object', () => {
    const texts: readonly (readonly [string, string])[] = [
      ['{"a":1,"a":1}', 'a'],
      ['{"x":[0,{"y":{"b":1,"c":{},"b":2}}]}', 'x[1].y.b'],
      ['{"a":{"a":1},"\\u0061":2}', 'a'],
      ['{"":1,"":2}', '[""]'],
      ['{"a/b":1,"a\\/b":2}', '["a/b"]'],
      ['{"\\ud83d\\ude00":1,"😀":2}', '["😀"]'],
      ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ];
    for (const [text, field] of texts) {
      for (const written of [text, rewritten(text)]) {
        const fault = faultIn(written);
        assert.equal(fault.field, field, written);
        assert.match(fault.detail, /twice/);
      }
    }
  });

  it('may stand in several objects, and be the text of a value', () => {
    const text = '{"a":{"a":[{"a":"a"},{"a":"\\"a\\":"}]},"A":"a","b":["a","a"]}';
    assert.deepEqual(parseExact(text), JSON.parse(text));
  });
});

describe('JSON that is written exactly', () => {
  it('is what JSON.stringify writes, and reads as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(exactJson(value), JSON.stringify(value));
        assert.deepEqual(parseExact(exactJson(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('holds no number that would become null', () => {
    for (const value of [NaN, Infinity, -Infinity]) {
      assert.throws(
        () => exactJson({ list: [{ amount: value }] }),
        /amount is none of its numbers/,
      );
      assert.throws(() => exactJson(value), TypeError);
    }
    assert.throws(() => exactJson({ id: 1n }), TypeError);
  });
});

describe('JSON that is read exactly', () => {
  it('is every value that this language writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value, null, 2);
        assert.deepEqual(parseExact(text), JSON.parse(text));
      }),
    );
  });

  it('has a part named that would be changed, wherever it stands', () => {
    const lossy = fc.constantFrom<string>(
      '9007199254740993',
      '1e-400',
      '-1e400',
      '{"n":1,"\\u006e":2}',
    );
    const around = fc.constantFrom<readonly [string, string, string]>(
      ['["a]",', ',null]', '[1]'],
      ['{"a" : "x\\\\" , "b" : ', '}', '.b'],
      ['{"b":{"b":[{}]},"c":[0.5,-1,', ',true]}', '.c[2]'],
      ['[[],{},"\\"[{",', ']', '[3]'],
    );
    fc.assert(
      fc.property(fc.array(around, { maxLength: 15 }), lossy, (layers, text) => {
        const json = layers.reduce<string>(
          (inner, [before, after]) => `${before}${inner}${after}`,
          text,
        );
        const places = layers.map(([, , place]) => place).reverse();
        const field = [...places, ...(text.startsWith('{') ? ['.n'] : [])].join('');
        assert.equal(faultIn(json).field, field.replace(/^\./, ''));
      }),
    );
  });

  it('is refused as no JSON where it is none', () => {
    for (const text of ['', '{', '{"a":1,}', '01', '[1e]', 'NaN', "{'a':1}"]) {
      assert.throws(() => parseExact(text), SyntaxError, text);
    }
  });

  it('is nested as deep as every door takes it, and no deeper', () => {
    const nested = (depth: number, inner: string) =>
      `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
    for (const inner of ['1', '{}', '"a"']) {
      assert.doesNotThrow(() => parseExact(nested(LIMITS.argumentsDepth, inner)));
      assert.match(faultIn(nested(LIMITS.argumentsDepth + 1, inner)).accepted, /100 levels/);
    }
    assert.ok(faultIn('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)).field.length < 1_000);
  });

  it('is refused in few words, however long the names are', () => {
    const name = '😀\u0001'.repeat(20_000);
    const inner = `{${JSON.stringify(name)}:9007199254740993}`;
    const text = Array.from({ length: 60 }).reduce<string>(
      (json) => `{${JSON.stringify(name.slice(0, 500))}:${json}}`,
      inner,
    );
    const { field, detail, path } = faultIn(text);
    assert.ok(JSON.stringify([field, detail, path]).length < 32_000);
    assert.ok(!/\p{Surrogate}/u.test(path.join('')), 'a cut leaves whole characters');
  });

  it('takes time in proportion to its length', () => {
    const cost = (text: string): number => {
      const before = process.cpuUsage();
      for (let i = 0; i < 3; i += 1) parseExact(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const shapes: readonly ((length: number) => string)[] = [
      (length) => `[${'1,'.repeat(length)}1]`,
      (length) => `[0.${'0'.repeat(length)}e${length}]`,
      (length) => `["${'\\\\'.repeat(length)}"]`,
      (length) => `["${'\\"'.repeat(length)}"]`,
      (length) => `{${Array.from({ length: length / 8 }, (_, i) => `"n${i}":1.5`).join()}}`,
    ];
    for (const shape of shapes) {
      cost(shape(4_000));
      const [short, long] = [cost(shape(20_000)), cost(shape(200_000))];
      assert.ok(long < 40 * (short + 5_000), `${short} µs, then ${long} µs`);
    }
  });
});
