import { z } from 'zod';
import { intentStatusSchema } from '../intent/intent.js';

/** The lists of related intents that can be read (RFC-0002). */
export const RELATIONS = [
  'children',
  'descendants',
  'ancestors',
  'dependencies',
  'dependents',
  'ready',
  'blocked',
] as const;
export type Relation = (typeof RELATIONS)[number];

/**
 * The number of intents by status. Each counts once (R26-17, R26-18), and a suspended one is not completed.
 * `completion_percentage` is rounded down; it is 0 for an empty set.
 */
export const aggregateStatusSchema = z
  .object({
    total: z.int().min(0),
    by_status: z.record(intentStatusSchema, z.int().min(0)),
    completion_percentage: z.int().min(0).max(100),
  })
  .meta({ id: 'AggregateStatus' });
export type AggregateStatus = z.infer<typeof aggregateStatusSchema>;

const graphNodeSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  status: intentStatusSchema,
  parent_id: z.uuid().nullable(),
  depends_on: z.array(z.uuid()),
});
export type GraphNode = z.infer<typeof graphNodeSchema>;

/** An edge between two intents. It runs from parent to child, or from dependency to dependent. */
const graphEdgeSchema = z.object({
  from: z.uuid(),
  to: z.uuid(),
  type: z.enum(['parent', 'dependency']),
});
export type GraphEdge = z.infer<typeof graphEdgeSchema>;

/** An intent with all its descendants, and the edges between the shown ones. */
export const intentGraphSchema = z
  .object({
    root_id: z.uuid(),
    nodes: z.array(graphNodeSchema).readonly(),
    edges: z.array(graphEdgeSchema).readonly(),
    aggregate_status: aggregateStatusSchema.describe(
      'Of all intents, including the root and those not shown.',
    ),
    truncated: z
      .boolean()
      .describe('Whether there are more intents than the 1,000 oldest, which are shown.'),
  })
  .meta({ id: 'IntentGraph' });
export type IntentGraph = z.infer<typeof intentGraphSchema>;
