import { sql } from 'kysely';
import type { DependencyEdge } from '../contracts/announcement.js';
import type { Ruling } from '../contracts/refusal.js';
import { cycleOf } from '../domain/cycle.js';
import { refuseCycle } from '../domain/dependencies.js';
import { ok, refuse } from '../domain/ruling.js';
import { writeDependencies } from './journal/dependencies.js';
import type { Store } from './schema.js';

/** Any number, the same in every process. */
const LOCK = 7_204_316;

/**
 * Adds an edge of the graph in one transaction. Only one edge is added at a time, so that two which close a
 * cycle together cannot both be; edges that intents start with come beside, for nothing depends on these
 * yet. One that is there under this revision is there; one that was taken back under it stays away.
 * Refuses `intent_not_found`, `dependency_cycle` with the path, and `store_unavailable` where the edge leads
 * to an intent whose row is not stored: its edges come before its row, so some of them may be missing.
 */
export async function linkDependency(db: Store, edge: DependencyEdge): Promise<Ruling<true>> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    const known = await transaction
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
    await writeDependencies(transaction, [{ kind: 'dependency', ...edge, present: true }]);
    return ok(true);
  });
}

interface ReachedEdge extends Pick<DependencyEdge, 'intent_id' | 'dependency_id'> {
  /** Whether the dependency has its row. */
  readonly is_stored: boolean;
}

/** Every edge that can be reached from an intent by going to what it depends on. */
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
