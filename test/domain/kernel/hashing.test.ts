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
