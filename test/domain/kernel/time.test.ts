import assert from 'node:assert/strict';
import { plusSeconds, readInstant, toInstant, toMillis } from '../../../domain/kernel/time.js';

describe('instants', () => {
  it('are written in UTC with milliseconds [AM-18]', () => {
    assert.equal(toInstant(1_774_346_400_007), '2026-03-24T10:00:00.007Z');
  });

  const SAME = [
    '2026-03-23T10:01:00Z',
    '2026-03-23T10:01:00.000Z',
    '2026-03-23T10:01:00',
    '2026-03-23T10:01:00.000000',
    '2026-03-23T12:01:00+02:00',
    '2026-03-23T05:01:00-0500',
  ];
  for (const instant of SAME) {
    it(`reads ${instant} as UTC unless it names a zone [AM-18]`, () => {
      assert.equal(toInstant(toMillis(instant)), '2026-03-23T10:01:00.000Z');
    });
  }

  it('refuse a text that is none', () => {
    assert.throws(() => toMillis('tomorrow'), RangeError);
    assert.throws(() => toMillis(''), RangeError);
  });

  it('are read from outside within four digits of a year', () => {
    assert.equal(readInstant('0001-01-01T00:00:00'), '0001-01-01T00:00:00.000Z');
    assert.equal(readInstant('9999-12-31T23:59:59Z'), '9999-12-31T23:59:59.000Z');
    for (const beyond of [
      '+010000-01-01T00:00:00Z',
      '0000-01-01T00:00:00',
      '-000001-01-01T00:00:00Z',
      '9999-12-31T23:59:59-12:00',
      '0001-01-01T00:00:00+12:00',
      'tomorrow',
    ]) {
      assert.equal(readInstant(beyond), undefined);
    }
  });

  it('move by whole seconds, over the end of a year', () => {
    assert.equal(plusSeconds('2026-12-31T23:59:59.500Z', 3_600), '2027-01-01T00:59:59.500Z');
  });
});
