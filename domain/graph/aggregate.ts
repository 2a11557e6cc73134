import { INTENT_STATUSES } from '../../contracts/constants/statuses.js';
import type { AggregateStatus, GraphEdge, GraphNode } from '../../contracts/graph/graph.js';
import type { IntentStatus } from '../../contracts/intent/intent.js';

/** Builds an aggregate from counts by status. The result lists all statuses (R26-17, R26-18). */
export function aggregateOf(
  counts: readonly { readonly status: IntentStatus; readonly count: number }[],
): AggregateStatus {
  const none = INTENT_STATUSES.map((status) => [status, 0]);
  const by_status = Object.fromEntries(none) as Record<IntentStatus, number>;
  for (const { status, count } of counts) by_status[status] += count;
  return aggregateStatusOf(by_status);
}

/** Returns the edges between the nodes, in the order of their target nodes. */
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

/** Numbers of intents by status. Statuses without intents are absent. */
export type StatusCounts = Readonly<Partial<Record<IntentStatus, number>>>;

export function countStatuses(statuses: Iterable<IntentStatus>): StatusCounts {
  const counts: Partial<Record<IntentStatus, number>> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Builds the aggregate of a set of intents by their statuses (R26-18). An empty set counts as 0 % completed. */
export function aggregateStatusOf<Counts extends StatusCounts>(by_status: Counts) {
  const total = Object.values(by_status).reduce((sum, count) => sum + count, 0);
  const completed = by_status.completed ?? 0;
  return {
    total,
    by_status: { ...by_status },
    completion_percentage: total === 0 ? 0 : Math.floor((100 * completed) / total),
  };
}
