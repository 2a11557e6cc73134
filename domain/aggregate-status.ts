import type { AggregateStatus, IntentStatus } from '../contracts/intent.js';

/** How many intents have which status; a status that none has is left out. */
export type StatusCounts = Readonly<Partial<Record<IntentStatus, number>>>;

/** Counts each status once per intent. */
export function countStatuses(statuses: Iterable<IntentStatus>): StatusCounts {
  const counts: Partial<Record<IntentStatus, number>> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The `aggregate_status` of a container (Rule 4); of nothing, nothing is completed. */
export function aggregateStatusOf(counts: StatusCounts): AggregateStatus {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const share = total === 0 ? 0 : (counts.completed ?? 0) / total;
  return { total, by_status: { ...counts }, completion_percentage: Math.floor(share * 100) };
}
