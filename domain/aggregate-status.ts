import type { IntentStatus } from '../contracts/intent.js';

/** How many intents have which status; a status that none has is left out. */
export type StatusCounts = Readonly<Partial<Record<IntentStatus, number>>>;

/** Counts each status once per intent. */
export function countStatuses(statuses: Iterable<IntentStatus>): StatusCounts {
  const counts: Partial<Record<IntentStatus, number>> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/**
 * The `aggregate_status` of a container or of children (Rule 4, R26-18); of nothing, nothing is completed.
 * It names the statuses that are counted.
 */
export function aggregateStatusOf<Counts extends StatusCounts>(by_status: Counts) {
  const total = Object.values(by_status).reduce((sum, count) => sum + count, 0);
  const completed = by_status.completed ?? 0;
  return {
    total,
    by_status: { ...by_status },
    completion_percentage: total === 0 ? 0 : Math.floor((100 * completed) / total),
  };
}
