import assert from 'node:assert/strict';
import { Kysely, type CompiledQuery } from 'kysely';
import { createDialect } from '../../store/database.js';
import type { Database, Store } from '../../store/schema.js';
import { PATIENCE } from '../support/patience.js';

/** A node of the plan of a query; what was read is there if it was carried out. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Filter?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A plan and all of its parts, from the top. */
function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The rows of tables that a query that was carried out has looked at. */
export function rowsRead(nodes: readonly PlanNode[]): number {
  const read = nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .map((node) => {
      const removed =
        (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      return ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 1);
    });
  return read.reduce((sum, rows) => sum + rows, 0);
}

/** A connection to a store of its own that tells how the store answers queries. */
export interface Explained {
  readonly db: Store;
  /**
   * The plan of the first query that `query` sends, or the first that contains `holding`; it is carried out once more if
   * `analyze` is set.
   */
  planOf(
    query: () => Promise<unknown>,
    options?: { readonly analyze: boolean; readonly holding?: string },
  ): Promise<readonly PlanNode[]>;
  close(): Promise<void>;
}

/** Opens one to the store at a URL. */
export function openExplained(url: string): Explained {
  let queries: CompiledQuery[] = [];
  const dialect = createDialect(url, { patience: PATIENCE, statementTimeoutMs: 120_000 });
  const db = new Kysely<Database>({ dialect, log: ({ query }) => void queries.push(query) });
  return {
    db,
    planOf: async (query, { analyze, holding = '' } = { analyze: false }) => {
      queries = [];
      await query();
      const first = queries.find((one) => one.sql !== 'begin' && one.sql.includes(holding));
      assert.ok(first);
      const options = analyze ? 'analyze, format json' : 'format json';
      const explain = { ...first, sql: `explain (${options}) ${first.sql}` };
      const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain);
      return nodesOf((rows[0]?.['QUERY PLAN'][0] ?? assert.fail()).Plan);
    },
    close: () => db.destroy(),
  };
}
