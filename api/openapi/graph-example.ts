import type { IntentGraph } from '../../contracts/graph.js';
import { aggregateOf } from '../../domain/graph/aggregate.js';

const INTENT_ID = '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d';

/** The graph of the refund's intent, which has nobody below it. */
export const GRAPH_EXAMPLE: IntentGraph = {
  root_id: INTENT_ID,
  nodes: [
    {
      id: INTENT_ID,
      title: 'Refund order #12345',
      status: 'suspended_awaiting_input',
      parent_id: null,
      depends_on: [],
    },
  ],
  edges: [],
  aggregate_status: aggregateOf([{ status: 'suspended_awaiting_input', count: 1 }]),
  truncated: false,
};
