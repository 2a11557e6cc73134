import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import {
  hashJson,
  hashJsonBase64Url,
  hmacBase64Url,
  sha256Hex,
  uuidFrom,
} from '../../../domain/kernel/hashing.js';
import {
  jsonBytes,
  jsonEqual,
  newestWithin,
  pathOf,
  visitsOf,
} from '../../../domain/kernel/json.js';
import { utf8Bytes, utf8Length } from '../../../domain/kernel/text.js';

const anyText = fc.string({ unit: 'binary' });
const brokenText = fc
  .array(fc.integer({ min: 0xd700, max: 0xe0ff }))
  .map((units) => String.fromCharCode(...units));

describe('sizes in UTF-8', () => {
  it('encode every text as the platform does', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, brokenText), (text) => {
        assert.deepEqual([...utf8Bytes(text)], [...Buffer.from(text)]);
        assert.equal(utf8Length(text), utf8Bytes(text).length);
      }),
    );
  });

  for (const codePoint of [0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]) {
    it(`encode U+${codePoint.toString(16)}, at the edge of a length, as the platform does`, () => {
      const text = `a${String.fromCodePoint(codePoint)}b`;
      assert.deepEqual([...utf8Bytes(text)], [...Buffer.from(text)]);
      assert.equal(utf8Length(text), utf8Bytes(text).length);
    });
  }

  for (const lone of [0xd800, 0xdbff, 0xdc00, 0xdfff]) {
    it(`replace the lone surrogate ${lone.toString(16)}`, () => {
      assert.deepEqual([...utf8Bytes(String.fromCharCode(lone))], [0xef, 0xbf, 0xbd]);
    });
  }

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

describe('the newest entries that fit', () => {
  const list = ['a', 'bb', 'ccc'];

  it('are all, if there is room, and none without any', () => {
    assert.deepEqual(newestWithin(list, 100), list);
    assert.deepEqual(newestWithin(list, 0), []);
    assert.deepEqual(newestWithin([], 0), []);
  });

  it('are the last ones, each with the byte that parts it from the next', () => {
    const last = jsonBytes([]) + jsonBytes('ccc') + 1;
    const two = last + jsonBytes('bb') + 1;
    assert.deepEqual(
      [last - 1, last, two - 1, two].map((bytes) => newestWithin(list, bytes).length),
      [0, 1, 1, 2],
    );
    assert.deepEqual(newestWithin(list, two), ['bb', 'ccc']);
  });

  it('never take more bytes than there are', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(200), (values, bytes) => {
        const newest = newestWithin(values, bytes);
        assert.deepEqual(newest, values.slice(values.length - newest.length));
        assert.ok(newest.length === 0 || jsonBytes(newest) <= bytes);
      }),
    );
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

describe('a walk through a JSON value', () => {
  it('visits every value in the order of the text, with its path and depth', () => {
    const body = { a: [1, { b: null }], c: 'text' };
    const seen = [...visitsOf(body)].map((visit) => [pathOf(visit), visit.depth, visit.value]);
    assert.deepEqual(seen, [
      [[], 0, body],
      [['a'], 1, body.a],
      [['a', 0], 2, 1],
      [['a', 1], 2, { b: null }],
      [['a', 1, 'b'], 3, null],
      [['c'], 1, 'text'],
    ]);
  });

  it('has names in an object that look like indices', () => {
    const [, only] = visitsOf({ 0: true });
    assert.deepEqual([only?.name, only?.parent?.name], ['0', '']);
  });

  it('takes values for one that are no container', () => {
    for (const value of ['text', 7, null, false]) {
      assert.deepEqual(
        [...visitsOf(value)].map((visit) => visit.value),
        [value],
      );
    }
  });

  it('does not overflow the stack', () => {
    let body: unknown = 0;
    for (let depth = 0; depth < 50_000; depth++) body = [body];
    let deepest = 0;
    for (const { depth } of visitsOf(body)) deepest = depth;
    assert.equal(deepest, 50_000);
  });
});

const VERSION_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('hashes', () => {
  it('are the SHA-256 of the text in UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal(sha256Hex(text), createHash('sha256').update(text, 'utf8').digest('hex'));
      }),
    );
  });

  it('of JSON count neither the order of keys nor spacing', () => {
    const canonical = '{"a":[1,{"x":null,"y":"ü"}],"b":1e+30}';
    const shuffled = JSON.parse('{ "b": 1E30, "a": [1.0, { "y": "\\u00fc", "x": null }] }');
    assert.equal(hashJson(shuffled), sha256Hex(canonical));
  });

  it('of JSON are the same digest in base64url, without padding', () => {
    for (const value of [null, '??>>', { b: 1, a: 2 }, [1, 2]]) {
      const digest = Buffer.from(hashJson(value), 'hex');
      assert.equal(hashJsonBase64Url(value), digest.toString('base64url'));
    }
  });

  it('of JSON count the order of a list', () => {
    assert.notEqual(hashJson([1, 2]), hashJson([2, 1]));
  });

  it('under a key are the HMAC of the text in UTF-8, in base64url without padding', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(anyText, anyText, (key, text) => {
        const expected = createHmac('sha256', Buffer.from(key)).update(text, 'utf8');
        assert.equal(hmacBase64Url(key, text), expected.digest('base64url'));
      }),
    );
  });

  it('tell null, false, zero and an empty text apart', () => {
    const values = [null, false, 0, '', [], {}];
    assert.equal(new Set(values.map((value) => hashJson(value))).size, values.length);
  });
});

describe('an id made from a text', () => {
  it('is a UUID of version 8, the same one each time', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.match(uuidFrom(text), VERSION_8);
        assert.equal(uuidFrom(text), uuidFrom(text));
      }),
    );
  });

  it('keeps the digits of the hash that version and variant leave', () => {
    const hash = sha256Hex('abc');
    const id = uuidFrom('abc').replaceAll('-', '');
    assert.equal(id.slice(0, 12), hash.slice(0, 12));
    assert.equal(id.slice(13, 16), hash.slice(13, 16));
    assert.equal(id.slice(17), hash.slice(17, 32));
  });

  it('keeps two bits of the hash beside the variant', () => {
    const variants = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((text) => {
      const bits = parseInt(sha256Hex(text).charAt(16), 16) % 4;
      assert.equal(uuidFrom(text).charAt(19), '89ab'[bits]);
      return bits;
    });
    assert.equal(new Set(variants).size, 4);
  });

  it('differs from that of another text', () => {
    assert.notEqual(uuidFrom('a'), uuidFrom('b'));
  });
});
