import { INTENT_STATUSES } from '../../contracts/constants/statuses.js';
import type { AggregateStatus, GraphEdge, GraphNode } from '../../contracts/graph.js';
import type { IntentStatus } from '../../contracts/intent.js';

/** The aggregate of intents of which so many are in each status; it names all of them (R26-17, R26-18). */
export function aggregateOf(
  counts: readonly { readonly status: IntentStatus; readonly count: number }[],
): AggregateStatus {
  const none = INTENT_STATUSES.map((status) => [status, 0]);
  const by_status = Object.fromEntries(none) as Record<IntentStatus, number>;
  for (const { status, count } of counts) by_status[status] += count;
  return aggregateStatusOf(by_status);
}

/** The edges between nodes, in the order of the nodes that they lead to. */
export function edgesBetween(nodes: readonly GraphNode[]): GraphEdge[] {
  const shown = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, parent_id, depends_on }) => [
    ...(parent_id !== null && shown.has(parent_id)
      ? [{ from: parent_id, to: id, type: 'parent' as const }]
      : []),
    ...depends_on
      .filter((dependency) => shown.has(dependency))
      .map((from) => ({ from, to: id, type: 'dependency' as const })),
  ]);
}

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
