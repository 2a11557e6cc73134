const DAY_MS = 24 * 60 * 60 * 1_000;

/** The instant before which something has to have ended for retention to remove it. */
export function settledBefore(now: Date, settledDays: number): Date {
  return new Date(now.getTime() - settledDays * DAY_MS);
}
