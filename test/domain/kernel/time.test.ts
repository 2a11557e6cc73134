import assert from 'node:assert/strict';
import {
  isEarlier,
  plusSeconds,
  readInstant,
  toInstant,
  toMillis,
} from '../../../domain/kernel/time.js';

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
      '+012345-01-01T00:00:00Z',
      'tomorrow',
    ]) {
      assert.equal(readInstant(beyond), undefined);
    }
  });

  it('move by whole seconds, over the end of a year', () => {
    assert.equal(plusSeconds('2026-12-31T23:59:59.500Z', 3_600), '2027-01-01T00:59:59.500Z');
  });

  it('are not read from what only looks like a text', () => {
    for (const value of [['2026-03-24T10:00:00Z'], new Date(0), 0, null, undefined]) {
      assert.equal(readInstant(value), undefined);
    }
  });

  it('move back and by parts of a second', () => {
    assert.equal(plusSeconds('2026-01-01T00:00:00Z', -0.5), '2025-12-31T23:59:59.500Z');
  });
});

describe('instants on a host outside UTC', () => {
  const zone = process.env['TZ'];
  before(() => {
    process.env['TZ'] = 'America/New_York';
    assert.notEqual(new Date(0).getTimezoneOffset(), 0);
  });
  after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  for (const instant of [
    '2026-03-23T10:01:00',
    '2026-03-23T10:01',
    '2026-03-23T10:01:00z',
    '+002026-03-23T10:01:00',
    '2026-03-23T06:01:00-0400',
  ]) {
    it(`are in UTC unless they name a zone: ${instant}`, () => {
      assert.equal(toInstant(toMillis(instant)), '2026-03-23T10:01:00.000Z');
    });
  }
});

describe('a timer', () => {
  const [sooner, later] = ['2026-03-24T12:00:00+02:00', '2026-03-24T10:00:00.001Z'];

  for (const [title, next, armed, expected] of [
    ['is set anew for an earlier instant', sooner, later, true],
    ['stays for a later instant', later, sooner, false],
    ['stays for the same instant', sooner, sooner, false],
    ['is set if none is', later, undefined, true],
    ['stays if nothing comes', undefined, later, false],
    ['is not set for nothing', undefined, undefined, false],
  ] as const) {
    it(title, () => {
      assert.equal(isEarlier(next, armed), expected);
    });
  }
});
