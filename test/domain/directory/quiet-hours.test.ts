import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { QuietHours } from '../../../contracts/people/noticing.js';
import { quietUntil } from '../../../domain/directory/quiet-hours.js';

const BERLIN: QuietHours = {
  time_zone: 'Europe/Berlin',
  from: '19:00',
  to: '08:00',
  whole_days: ['sat', 'sun'],
};

/** When it is no longer quiet, as an instant. */
function until(hours: QuietHours, now: string): string | null | undefined {
  const end = quietUntil(hours, Date.parse(now));
  return typeof end === 'number' ? new Date(end).toISOString() : end;
}

describe('quiet hours', () => {
  it('are over in the day, to the minute', () => {
    assert.equal(until(BERLIN, '2026-11-25T17:59:59Z'), undefined);
    assert.equal(until(BERLIN, '2026-11-26T07:00:00Z'), undefined);
  });

  it('last over midnight, in the time zone of the person', () => {
    assert.equal(until(BERLIN, '2026-11-25T18:00:00Z'), '2026-11-26T07:00:00.000Z');
    assert.equal(until(BERLIN, '2026-11-26T06:59:30Z'), '2026-11-26T07:00:00.000Z');
  });

  it('last over whole days, and the night after them', () => {
    assert.equal(until(BERLIN, '2026-11-27T20:00:00Z'), '2026-11-30T07:00:00.000Z');
    assert.equal(until(BERLIN, '2026-11-29T12:00:00Z'), '2026-11-30T07:00:00.000Z');
  });

  it('can be at noon', () => {
    const noon = { ...BERLIN, from: '12:00', to: '13:30', whole_days: [] };
    assert.equal(until(noon, '2026-11-25T11:00:00Z'), '2026-11-25T12:30:00.000Z');
    assert.equal(until(noon, '2026-11-25T11:15:00Z'), '2026-11-25T12:30:00.000Z');
    assert.equal(until(noon, '2026-11-25T12:29:59Z'), '2026-11-25T12:30:00.000Z');
    assert.equal(until(noon, '2026-11-25T18:00:00Z'), undefined);
    assert.equal(until(noon, '2026-11-25T12:30:00Z'), undefined);
    assert.equal(until(noon, '2026-11-25T10:59:00Z'), undefined);
  });

  it('are none where they end as they begin', () => {
    const none = { ...BERLIN, to: '19:00', whole_days: [] };
    assert.equal(until(none, '2026-11-25T18:00:00Z'), undefined);
  });

  it('agree with a look at the clock, minute by minute', () => {
    const minutesIn = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
    for (const [from, to] of [
      ['22:00', '06:30'],
      ['06:30', '22:00'],
      ['00:00', '08:00'],
      ['08:00', '00:00'],
      ['00:00', '23:59'],
      ['12:00', '12:01'],
    ] as const) {
      const hours = { time_zone: 'UTC', from, to, whole_days: [] };
      const [begins, ends] = [minutesIn(from), minutesIn(to)];
      for (let minute = 0; minute < 1_440; minute += 7) {
        const isQuiet =
          begins < ends ? minute >= begins && minute < ends : minute >= begins || minute < ends;
        const end = quietUntil(hours, Date.UTC(2026, 10, 25, 0, minute));
        const wanted = isQuiet ? Date.UTC(2026, 10, minute < ends ? 25 : 26, 0, ends) : undefined;
        assert.equal(end, wanted, `${from} to ${to}, minute ${minute}`);
      }
    }
  });

  it('never end if every day is quiet', () => {
    const all = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
    assert.equal(until({ ...BERLIN, whole_days: [...all] }, '2026-11-25T12:00:00Z'), null);
  });

  it('never end within themselves where clocks change', () => {
    // In the night before 2026-10-25 and 2026-03-29 clocks in Berlin are put back and forward.
    for (const now of ['2026-10-24T20:00:00Z', '2026-03-28T20:00:00Z']) {
      const nights = { ...BERLIN, whole_days: [] };
      const end = quietUntil(nights, Date.parse(now));
      assert.ok(typeof end === 'number');
      assert.equal(quietUntil(nights, end), undefined);
      assert.ok(Math.abs(end - Date.parse(now) - 11 * 3_600_000) <= 3_600_000);
    }
  });
});
