import type { AggregateStatus, GraphEdge, GraphNode } from '../contracts/graph.js';
import type { IntentStatus } from '../contracts/intent.js';

/** The aggregate of intents of which so many are in each status (R26-17, R26-18). */
export function aggregateOf(
  counts: readonly { readonly status: IntentStatus; readonly count: number }[],
): AggregateStatus {
  const by_status = {
    ...{ draft: 0, active: 0, blocked: 0 },
    ...{ suspended_awaiting_input: 0, completed: 0, abandoned: 0 },
  };
  for (const { status, count } of counts) by_status[status] += count;
  const total = Object.values(by_status).reduce((sum, count) => sum + count, 0);
  const completed = total === 0 ? 0 : by_status.completed / total;
  return { total, by_status, completion_percentage: Math.floor(completed * 100) };
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
