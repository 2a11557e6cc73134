import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AggregateStatus, GraphNode, IntentGraph, Relation } from '../../contracts/graph.js';
import type { Intent, IntentStatus } from '../../contracts/intent.js';
import { aggregateOf, edgesBetween } from '../../domain/graph.js';
import type { Store } from '../schema.js';

/** Intents that one has to do with, as `id` and how far away they are. */
const RELATED: Readonly<Record<Relation, (id: string) => RawBuilder<unknown>>> = {
  children: (id) => sql`select id, 1 as distance from intents where parent_id = ${id}`,
  ready: (id) => sql`
    select id, 1 as distance from intents child where parent_id = ${id} and not ${INCOMPLETE}`,
  blocked: (id) => sql`
    select id, 1 as distance from intents child where parent_id = ${id} and ${INCOMPLETE}`,
  descendants: (id) => sql`
    with recursive below (id, distance) as (
      select id, 1 from intents where parent_id = ${id}
      union all
      select child.id, below.distance + 1 from intents child
      join below on child.parent_id = below.id
    ) select id, distance from below`,
  ancestors: (id) => sql`
    with recursive above (id, distance) as (
      select parent_id, 1 from intents where id = ${id} and parent_id is not null
      union all
      select intents.parent_id, above.distance + 1 from intents
      join above on intents.id = above.id where intents.parent_id is not null
    ) select id, distance from above`,
  dependencies: (id) => sql`
    select dependency_id as id, 1 as distance from dependencies
    where intent_id = ${id} and present`,
  dependents: (id) => sql`
    select intent_id as id, 1 as distance from dependencies
    where dependency_id = ${id} and present`,
};

/** Of a `child`: that something it depends on is not completed, as far as is known. */
const INCOMPLETE = sql`exists (
  select from dependencies d left join intents upstream on upstream.id = d.dependency_id
  where d.intent_id = child.id and d.present and upstream.status is distinct from 'completed'
)`;

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** A page of the intents that one has to do with: ancestors nearest first, all others oldest first. */
export async function relatedIntents(
  db: Store,
  relation: Relation,
  intentId: string,
  { limit, offset }: Page,
): Promise<Intent[]> {
  const order = relation === 'ancestors' ? sql`distance` : sql`created_at, intents.id`;
  const { rows } = await sql<{ record: Intent }>`
    select record from intents join (${RELATED[relation](intentId)}) related using (id)
    order by ${order} limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ record }) => record);
}

/** The aggregate status of an intent's children; of nothing where it has none. */
export async function childrenStatus(db: Store, intentId: string): Promise<AggregateStatus> {
  return statusAmong(db, RELATED.children(intentId));
}

/** An intent and its descendants; at most `limit` nodes are shown, the oldest. */
export async function intentGraph(db: Store, rootId: string, limit: number): Promise<IntentGraph> {
  const all = sql`(${RELATED.descendants(rootId)}) union all select ${rootId}, 0`;
  const { rows } = await sql<GraphNode>`
    select id, title, status, parent_id, record -> 'depends_on' as depends_on
    from intents join (${all}) as nodes (id, distance) using (id)
    order by least(distance, 1), created_at, id limit ${limit + 1}`.execute(db);
  const nodes = rows.slice(0, limit);
  return {
    root_id: rootId,
    nodes,
    edges: edgesBetween(nodes),
    aggregate_status: await statusAmong(db, all),
    truncated: rows.length > limit,
  };
}

async function statusAmong(db: Store, ids: RawBuilder<unknown>): Promise<AggregateStatus> {
  const { rows } = await sql<{ status: IntentStatus; count: number }>`
    select status, count(*)::integer as count from intents
    join (${ids}) as related (id, distance) using (id) group by status`.execute(db);
  return aggregateOf(rows);
}
