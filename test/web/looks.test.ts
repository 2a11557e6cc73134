import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { columnsOf, kindOfLine, lookOf, pictureIn } from '../../web/src/state/list/looks.js';

const DIFF = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b';

/** A PNG of this size, as far as its head says. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  bytes.writeUInt32BE(0x89_50_4e_47, 0);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** A JPEG with a comment before the segment that says its size. */
function jpeg(width: number, height: number): string {
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 4, 1, 2, 0xff, 0xc2, 0, 11, 8]);
  const size = Buffer.alloc(8);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  return `data:image/jpeg;base64,${Buffer.concat([head, size]).toString('base64')}`;
}

describe('what a text of an agent looks like', () => {
  for (const [text, look] of [
    ['https://example.com/a', 'address'],
    ['https://example.com/a b', 'plain'],
    ['2026-11-28T22:00:00Z', 'instant'],
    ['2026-11-28T22:00+01:00', 'instant'],
    ['2026-11-28T22:00:00', 'plain'],
    ['2026-13-28T22:00:00Z', 'plain'],
    ['2026-11-28', 'plain'],
    [DIFF, 'diff'],
    [`From a mail:\n${DIFF}`, 'diff'],
    ['--- a\nnothing', 'plain'],
    ['if a:\n  b', 'code'],
    ['one\ntwo', 'plain'],
    [png(10, 10), 'picture'],
    ['data:image/svg+xml;base64,PHN2Zy8+', 'plain'],
    ['data:text/html,<b>', 'plain'],
  ] as const) {
    it(`is ${look}: ${JSON.stringify(text).slice(0, 40)}`, () => {
      assert.equal(lookOf(text), look);
    });
  }

  it('has a kind for each line of a diff', () => {
    assert.deepEqual(`${DIFF}\n c`.split('\n').map(kindOfLine), [
      'head',
      'head',
      'hunk',
      'removed',
      'added',
      'same',
    ]);
  });

  it('is a picture only with a size that can be drawn', () => {
    assert.deepEqual(pictureIn(png(640, 480)), { width: 640, height: 480 });
    assert.deepEqual(pictureIn(jpeg(640, 480)), { width: 640, height: 480 });
    for (const text of [
      png(4_097, 1),
      png(0, 5),
      jpeg(1, 65_535),
      png(9, 9).replace('png', 'jpeg'),
      'data:image/jpeg;base64,/9j/',
      'data:image/png;base64,A',
      `${png(1, 1)} x`,
    ]) {
      assert.equal(pictureIn(text), undefined, text);
    }
  });
});

describe('a list as a table', () => {
  it('has a column for each name of objects that are alike', () => {
    assert.deepEqual(
      columnsOf([{ a: 1, b: 'x' }, { a: 2 }, { b: 'y', a: null }].slice(0, 1)),
      undefined,
    );
    assert.deepEqual(
      columnsOf([
        { a: 1, b: 'x' },
        { b: 'y', a: null },
      ]),
      ['a', 'b'],
    );
    assert.deepEqual(
      columnsOf([
        { a: 1, b: 2, c: 3 },
        { a: 1, b: 2 },
      ]),
      ['a', 'b', 'c'],
    );
  });

  it('is none for what differs, nests, or would not fit', () => {
    for (const values of [
      [{ a: 1 }, 2],
      [{ a: 1 }, { b: 1 }],
      [{ a: 1 }, { a: [1] }],
      [{ a: 1 }, { a: 'x\ny' }],
      [{ a: 1 }, { a: 'x'.repeat(121) }],
      [{ a: 1 }, {}],
      Array(2).fill({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }),
      Array(2).fill({ ['x'.repeat(61)]: 1 }),
    ]) {
      assert.equal(columnsOf(values), undefined, JSON.stringify(values));
    }
  });
});
