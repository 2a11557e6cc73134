const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6})\d*)?Z$/;

/**
 * An instant of ours as the OpenIntent SDK reads it: naive UTC with microseconds, no `Z`. A text of any
 * other form is left as it is.
 */
export function naiveTime(instant: string): string {
  const match = INSTANT.exec(instant);
  if (match?.[1] === undefined) return instant;
  return `${match[1]}.${(match[2] ?? '').padEnd(6, '0')}`;
}

/** The opposite: an instant that names no zone is in UTC. */
export function zoned(instant: string): string {
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(instant) ? instant : `${instant}Z`;
}

/** The same as `naiveTime` of an optional field. */
export function naiveOrNull(instant: string | null | undefined): string | null {
  return instant === null || instant === undefined ? null : naiveTime(instant);
}
