import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { durationOf, secondsOf } from '../../contracts/constants/duration.js';
import { LIMITS } from '../../contracts/constants/limits.js';

describe('a duration', () => {
  for (const [text, seconds] of [
    ['90s', 90],
    ['15m', 900],
    ['1h30m', 5_400],
    ['2d', 172_800],
    ['1d1h1m1s', 90_061],
    ['0h5m', 300],
    ['90', 90],
    ['36525d', LIMITS.windowSeconds],
  ] as const) {
    it(`reads ${text} as ${seconds} seconds`, () => {
      assert.equal(secondsOf(text), seconds);
    });
  }

  for (const text of [
    '',
    '0',
    '0s',
    's',
    '-1s',
    '1.5h',
    '1 h',
    ' 1h',
    '1h\n',
    '1H',
    '30m1h',
    '1h1h',
    '1h30',
    '1w',
    'soon',
    '36525d1s',
    '9'.repeat(400),
    '٣s',
  ]) {
    it(`is not ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.equal(secondsOf(text), undefined);
    });
  }

  it('is written as it is read', () => {
    const seconds = fc.integer({ min: 1, max: LIMITS.windowSeconds });
    fc.assert(fc.property(seconds, (each) => secondsOf(durationOf(each)) === each));
    assert.equal(durationOf(5_400), '1h30m');
  });
});
