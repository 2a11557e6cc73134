import assert from 'node:assert/strict';
import { clockAhead } from '../../../domain/kernel/time.js';

const HOUR_MS = 3_600_000;

describe('clocks of a time zone', () => {
  for (const [zone, instant, hours] of [
    ['UTC', '2026-07-01T12:00:00Z', 0],
    ['Europe/Berlin', '2026-03-29T00:59:59.999Z', 1],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 2],
    ['America/New_York', '2026-12-31T23:59:59.999Z', -5],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 5.75],
    ['Pacific/Kiritimati', '2028-02-29T12:30:15Z', 14],
  ] as const) {
    it(`are ${hours} hours ahead in ${zone} at ${instant}`, () => {
      assert.equal(clockAhead(zone, Date.parse(instant)), hours * HOUR_MS);
    });
  }

  it('are those of no place without such a zone', () => {
    assert.throws(() => clockAhead('Mars/Olympus', 0), RangeError);
  });
});
