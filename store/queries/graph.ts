import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../contracts/intent/access.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { DependencyEdge } from '../../contracts/graph/announcement.js';
import type {
  AggregateStatus,
  GraphNode,
  IntentGraph,
  Relation,
} from '../../contracts/graph/graph.js';
import type { Intent, IntentStatus, IntentSummary } from '../../contracts/intent/intent.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { aggregateOf, edgesBetween } from '../../domain/graph/aggregate.js';
import { refuseCycle } from '../../domain/graph/dependencies.js';
import { cycleOf } from '../../domain/kernel/graph.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';
import { lockAlone } from '../advisory-locks.js';
import { inSpace } from '../in-space.js';
import type { Store } from '../schema.js';
import { readableBy } from './intent.js';
import { withinBytes, type Form, type Page } from './bounded.js';
import { inForm } from './records.js';
import { journalWriter } from './upsert.js';

/** The bytes of a node besides its title and its dependencies, each of which is an edge too. */
const NODE_BYTES = 200;

/** The relatives of an intent, as `id` and `distance`. */
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

/** Whether a `child` depends on something that is not known to be completed. */
const INCOMPLETE = sql`exists (
  select from dependencies d left join intents upstream on upstream.id = d.dependency_id
  where d.intent_id = child.id and d.present and upstream.status is distinct from 'completed'
)`;

/** Returns a page of the relatives of an intent: ancestors nearest first, all others oldest first. */
export async function relatedIntents(
  db: Store,
  relation: Relation,
  intentId: string,
  page: Page,
  reader?: Reader,
): Promise<Form<Intent, IntentSummary>> {
  const order = relation === 'ancestors' ? sql`distance` : sql`created_at, intents.id`;
  return inForm(
    db,
    page,
    ({ one, bytes }) => sql`
      select ${sql.ref(one)} as one, ${sql.ref(bytes)} as bytes
      from intents join (${RELATED[relation](intentId)}) related using (id)
      where ${readableBy(reader)}
      order by ${order} limit ${page.limit + 1} offset ${page.offset}`,
  );
}

/** Returns the aggregate status of an intent's children, which may be none. */
export async function childrenStatus(
  db: Store,
  intentId: string,
  reader?: Reader,
): Promise<AggregateStatus> {
  return statusAmong(db, RELATED.children(intentId), reader);
}

/** Returns an intent and its descendants: at most `limit` nodes, the oldest, and no more than fit into a page. */
export async function intentGraph(
  db: Store,
  rootId: string,
  limit: number,
  reader?: Reader,
): Promise<IntentGraph> {
  const all = sql`(${RELATED.descendants(rootId)}) union all select ${rootId}, 0`;
  const inOrder = sql<GraphNode & { readonly bytes: number }>`
    select id, title, status, parent_id, record -> 'depends_on' as depends_on,
      octet_length(title) + 2 * octet_length((record -> 'depends_on')::text) + ${NODE_BYTES} as bytes
    from intents join (${all}) as nodes (id, distance) using (id)
    where ${readableBy(reader)}
    order by least(distance, 1), created_at, id limit ${limit + 1}`;
  const { rows: nodes, more } = await withinBytes(db, inOrder, limit, LIMITS.pageBytes);
  return {
    root_id: rootId,
    nodes,
    edges: edgesBetween(nodes),
    aggregate_status: await statusAmong(db, all, reader),
    truncated: more,
  };
}

async function statusAmong(
  db: Store,
  ids: RawBuilder<unknown>,
  reader?: Reader,
): Promise<AggregateStatus> {
  const { rows } = await sql<{ status: IntentStatus; count: number }>`
    select status, count(*)::integer as count from intents
    join (${ids}) as related (id, distance) using (id)
    where ${readableBy(reader)} group by status`.execute(db);
  return aggregateOf(rows);
}

/**
 * Adds an edge to the graph in one transaction, one edge at a time; again under the same revision it succeeds, unless
 * it was removed under it. The edges of a new intent need no lock.
 *
 * Refuses `intent_not_found` for an intent outside the space, `dependency_cycle` with the path, and
 * `store_unavailable` for an intent without a stored row, whose edges may be missing.
 */
export async function linkDependency(
  db: Store,
  edge: DependencyEdge,
  space: string = DEFAULT_SPACE,
): Promise<Ruling<true>> {
  return db.transaction().execute(async (transaction) => {
    await lockAlone(transaction, 'edges');
    const known = await inSpace(transaction, space)
      .selectFrom('intents')
      .select('id')
      .where('id', '=', edge.dependency_id)
      .executeTakeFirst();
    if (known === undefined) {
      return refuse('intent_not_found', 'No intent has this id.', { field: 'dependency_id' });
    }
    const reached = await edgesFrom(transaction, edge.dependency_id);
    const path = cycleOf(reached, edge);
    if (path !== undefined) return refuseCycle(path);
    if (reached.some(({ is_stored }) => !is_stored)) {
      return refuse('store_unavailable', 'The store has not caught up with what it leads to.');
    }
    const row = { kind: 'dependency', ...edge, present: true } as const;
    const write = writeDependencies(transaction, [row], space);
    if (write) await transaction.executeQuery(write.query.compile());
    return ok<true>(true);
  });
}

interface ReachedEdge extends Pick<DependencyEdge, 'intent_id' | 'dependency_id'> {
  readonly is_stored: boolean;
}

/** Returns every edge that can be reached from an intent along its dependencies. */
async function edgesFrom(db: Store, intentId: string): Promise<readonly ReachedEdge[]> {
  const { rows } = await sql<ReachedEdge>`
    with recursive reached (intent_id, dependency_id) as (
      select intent_id, dependency_id from dependencies
      where intent_id = ${intentId} and present
      union
      select d.intent_id, d.dependency_id from dependencies d
      join reached r on d.intent_id = r.dependency_id
      where d.present
    )
    select intent_id, dependency_id,
      exists (select from intents where id = dependency_id) as is_stored
    from reached`.execute(db);
  return rows;
}

/** If one revision both adds and removes a dependency, the removal counts. */
export const writeDependencies = journalWriter({
  kind: 'dependency',
  table: 'dependencies',
  key: ['intent_id', 'dependency_id'],
  version: ['revision', 'not present'],
  columns: ({ intent_id, dependency_id, revision, present }) => ({
    intent_id,
    dependency_id,
    revision,
    present,
  }),
});
