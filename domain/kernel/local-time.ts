/**
 * By how many milliseconds clocks of a time zone are ahead of UTC at an instant (ms), so that the sum of both has the local
 * time in its UTC fields. Throws a RangeError for names that are no time zone.
 */
export function clockAhead(zone: string, at: number): number {
  // eslint-disable-next-line no-restricted-globals -- no workflow asks for it
  const form = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(form.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const local = Date.UTC(
    of('year'),
    of('month') - 1,
    of('day'),
    of('hour'),
    of('minute'),
    of('second'),
  );
  return local - Math.floor(at / 1_000) * 1_000;
}
