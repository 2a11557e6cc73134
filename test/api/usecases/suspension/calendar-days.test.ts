import assert from 'node:assert/strict';
import {
  beginOf,
  dayAfter,
  dayIn,
  daysBetween,
} from '../../../../api/usecases/suspension/engagement.js';

describe('the days of a report', () => {
  it('begin at midnight of their place, in summer and in winter', () => {
    assert.equal(beginOf('2026-03-29', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z');
    assert.equal(beginOf('2026-03-30', 'Europe/Berlin'), '2026-03-29T22:00:00.000Z');
    assert.equal(beginOf('2026-10-26', 'Europe/Berlin'), '2026-10-25T23:00:00.000Z');
    assert.equal(beginOf('2026-01-01', 'Asia/Kathmandu'), '2025-12-31T18:15:00.000Z');
    assert.equal(beginOf('2026-01-01', 'America/New_York'), '2026-01-01T05:00:00.000Z');
    assert.equal(beginOf('2026-01-01', 'UTC'), '2026-01-01T00:00:00.000Z');
  });

  it('begin with their first hour where the clock is put forward at midnight', () => {
    // Cairo: 2026-04-24 has no hour before one o'clock.
    assert.equal(beginOf('2026-04-24', 'Africa/Cairo'), '2026-04-23T22:00:00.000Z');
  });

  it('follow each other, over the ends of months', () => {
    assert.deepEqual(daysBetween('2026-02-27', '2026-03-01'), [
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    assert.deepEqual(daysBetween('2026-03-01', '2026-02-28'), []);
    assert.equal(dayAfter('2026-03-01', -1), '2026-02-28');
    assert.equal(dayIn('Pacific/Auckland', Date.UTC(2026, 0, 1, 12)), '2026-01-02');
    assert.equal(dayIn('Pacific/Honolulu', Date.UTC(2026, 0, 1, 9)), '2025-12-31');
  });
});
