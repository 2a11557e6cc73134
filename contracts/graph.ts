import { z } from 'zod';
import { intentStatusSchema } from './intent.js';

/** What can be asked of an intent's place in the graph (RFC-0002); each list has its name. */
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
 * How many of a set of intents are in which status, each counted once (R26-17, R26-18). A suspended one is
 * not completed. `completion_percentage` is whole, rounded down; 0 for none.
 */
export const aggregateStatusSchema = z.object({
  total: z.int().min(0),
  by_status: z.record(intentStatusSchema, z.int().min(0)),
  completion_percentage: z.int().min(0).max(100),
});
export type AggregateStatus = z.infer<typeof aggregateStatusSchema>;

const graphNodeSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  status: intentStatusSchema,
  parent_id: z.uuid().nullable(),
  depends_on: z.array(z.uuid()),
});
export type GraphNode = z.infer<typeof graphNodeSchema>;

/** A parent edge runs from parent to child, a dependency edge from dependency to dependent. */
const graphEdgeSchema = z.object({
  from: z.uuid(),
  to: z.uuid(),
  type: z.enum(['parent', 'dependency']),
});
export type GraphEdge = z.infer<typeof graphEdgeSchema>;

/** An intent with all its descendants; edges are those between nodes that are shown. */
export const intentGraphSchema = z.object({
  root_id: z.uuid(),
  nodes: z.array(graphNodeSchema).readonly(),
  edges: z.array(graphEdgeSchema).readonly(),
  aggregate_status: aggregateStatusSchema.describe('Of all of them, the root and those not shown.'),
  truncated: z.boolean().describe('There are more than the 1,000 oldest that are shown.'),
});
export type IntentGraph = z.infer<typeof intentGraphSchema>;
